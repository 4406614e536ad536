#include "graph/json_fields.h"
#include "graph/json_text.h"
#include "graph/read_parts.h"

#include <limits>

#include <fmt/format.h>

namespace nodewise {

using nlohmann::json;

namespace {

std::string kindNames() {
  std::string names;
  for (int k = 0; k <= static_cast<int>(Kind::Opaque); ++k)
    names.append(k == 0 ? "" : ", ").append(kindName(static_cast<Kind>(k)));
  return names;
}

Result<Kind> readKind(const json& object, const JsonPath& path) {
  NW_TRY(const json* field, requireField(object, path, "kind"));
  for (int k = 0; k <= static_cast<int>(Kind::Opaque); ++k)
    if (*field == kindName(static_cast<Kind>(k))) return static_cast<Kind>(k);
  return unexpected(path / "kind", "one of " + kindNames(), *field);
}

/// dtype and shape of a tensor or sparse type.
Result<void> readArrayType(const json& object, const JsonPath& path, Type& type) {
  NW_TRY(type.dtype, requireDType(object, path));
  NW_TRY(type.shape, shapeFromJson(object, path, type.dtype, true));
  return {};
}

Result<void> readSparseType(const json& object, const JsonPath& path, Type& type) {
  NW_CHECK(readArrayType(object, path, type));
  if (type.rank() != 2) return (path / "shape").error(fmt::format("expected 2 axes, found {}", type.rank()));
  NW_TRY(type.text, requireText(object, path, "format"));
  if (type.text == "csr" || type.text == "csc") return {};
  return (path / "format").error(fmt::format("expected \"csr\" or \"csc\", found \"{}\"", type.text));
}

Result<void> readRngType(const json& object, const JsonPath& path, Type& type) {
  NW_TRY(type.text, readText(object, path, "bit_generator"));
  if (type.text.empty()) type.text = "PCG64";
  return {};
}

Result<void> readListType(const json& object, const JsonPath& path, Type& type) {
  NW_TRY(const json* elem, requireField(object, path, "elem"));
  NW_TRY(Type read, typeFromJson(*elem, path / "elem"));
  type.elem = std::make_shared<const Type>(std::move(read));
  return {};
}

} // namespace

Result<std::vector<int64_t>> shapeFromJson(const json& object, const JsonPath& path, DType dtype,
                                           bool orUnknown) {
  NW_TRY(const json* list, requireField(object, path, "shape"));
  const JsonPath listPath = path / "shape";
  NW_CHECK(expectList(*list, listPath, orUnknown ? "lengths or nulls" : "lengths"));
  if (list->size() > static_cast<size_t>(kMostAxes))
    return listPath.error(fmt::format("expected at most {} axes, found {}", kMostAxes, list->size()));
  std::vector<int64_t> shape;
  shape.reserve(list->size());
  int64_t bytes = dtypeSize(dtype);
  bool overflow = false;
  for (size_t i = 0; i < list->size(); ++i) {
    const json& entry = (*list)[i];
    if (orUnknown && entry.is_null()) {
      shape.push_back(kUnknownLength);
      continue;
    }
    NW_TRY(const int64_t length, readInteger(entry, listPath[i], 0, std::numeric_limits<int64_t>::max(),
                                             orUnknown ? "null or a length" : "a length"));
    shape.push_back(length);
    // Lengths of 0 do not excuse the others: strides are computed without them.
    if (length > 0) overflow = overflow || __builtin_mul_overflow(bytes, length, &bytes);
  }
  if (overflow) return listPath.error("expected lengths whose product fits in memory");
  return shape;
}

Result<Type> typeFromJson(const json& object, const JsonPath& path) {
  NW_CHECK(expectObject(object, path, "a type"));
  Type type;
  NW_TRY(type.kind, readKind(object, path));
  switch (type.kind) {
  case Kind::Tensor:
    NW_CHECK(readArrayType(object, path, type));
    break;
  case Kind::Sparse:
    NW_CHECK(readSparseType(object, path, type));
    break;
  case Kind::Rng:
    NW_CHECK(readRngType(object, path, type));
    break;
  case Kind::List:
    NW_CHECK(readListType(object, path, type));
    break;
  case Kind::Scalar: {
    NW_TRY(type.dtype, requireDType(object, path));
    break;
  }
  case Kind::Opaque: {
    NW_TRY(type.text, readText(object, path, "repr"));
    break;
  }
  case Kind::Slice:
  case Kind::None:
    break;
  }
  return type;
}

} // namespace nodewise
