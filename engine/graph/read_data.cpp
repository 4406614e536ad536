#include "graph/base64.h"
#include "graph/element_json.h"
#include "graph/json_fields.h"
#include "graph/json_text.h"
#include "graph/read_parts.h"

#include <algorithm>
#include <array>
#include <limits>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace nodewise {

using nlohmann::json;

namespace {

/// Elements one by one. Only as much is allocated as the list itself takes up.
Result<void> readElements(const json& list, const JsonPath& path, Tensor& tensor) {
  NW_CHECK(expectList(list, path, "elements"));
  const int64_t count = elementCount(tensor.shape);
  if (static_cast<int64_t>(list.size()) != count)
    return path.error(fmt::format("expected {} elements for the shape [{}], found {}", count,
                                  fmt::join(tensor.shape, ", "), list.size()));
  const auto size = static_cast<size_t>(dtypeSize(tensor.dtype));
  tensor.bytes.resize(list.size() * size);
  for (size_t i = 0; i < list.size(); ++i)
    if (!elementFromJson(list[i], tensor.dtype, tensor.bytes.data() + i * size))
      return unexpected(path[i], expectedElement(tensor.dtype), list[i]);
  return {};
}

Result<void> readBase64(const json& field, const JsonPath& path, Tensor& tensor) {
  const auto* text = field.get_ptr<const std::string*>();
  if (text == nullptr) return unexpected(path, "base64 text", field);
  const auto found = base64Size(*text);
  const int64_t expected = elementCount(tensor.shape) * dtypeSize(tensor.dtype);
  if (found && static_cast<int64_t>(*found) != expected)
    return path.error(fmt::format("expected {} bytes for {} elements of {}, found {}", expected,
                                  elementCount(tensor.shape), dtypeName(tensor.dtype), *found));
  auto bytes = found ? decodeBase64(*text) : std::nullopt;
  if (!bytes)
    return path.error("expected base64 text: groups of 4 characters of A-Z a-z 0-9 + /, padded with =");
  tensor.bytes = std::move(*bytes);
  if (tensor.dtype != DType::Bool) return {};
  const auto wrong =
      std::find_if(tensor.bytes.begin(), tensor.bytes.end(), [](std::byte b) { return b > std::byte{1}; });
  if (wrong != tensor.bytes.end()) return path.error("expected bytes 0 and 1 for bool");
  return {};
}

Result<Tensor> readTensor(const json& object, const JsonPath& path) {
  Tensor tensor;
  NW_TRY(tensor.dtype, requireDType(object, path));
  NW_TRY(tensor.shape, shapeFromJson(object, path, tensor.dtype, false));
  const json* elements = findField(object, "data");
  const json* base64 = findField(object, "b64");
  if ((elements != nullptr) == (base64 != nullptr))
    return path.error(fmt::format("expected one of the keys \"data\" and \"b64\", found {}",
                                  elements != nullptr ? "both" : "neither"));
  if (elements != nullptr)
    NW_CHECK(readElements(*elements, path / "data", tensor));
  else
    NW_CHECK(readBase64(*base64, path / "b64", tensor));
  return tensor;
}

/// A number of 128 bits, as decimal text.
Result<UInt128> readUInt128(const json& object, const JsonPath& path, const char* key) {
  NW_TRY(const json* field, requireField(object, path, key));
  const auto wrong = [&] {
    return unexpected(path / key, "an integer from 0 to 2^128 - 1 as decimal text", *field);
  };
  const auto* text = field->get_ptr<const std::string*>();
  if (text == nullptr || text->empty()) return wrong();
  UInt128 number = 0;
  for (const char c : *text) {
    const auto digit = static_cast<unsigned>(c - '0');
    if (digit > 9 || number > (~UInt128{0} - digit) / 10) return wrong();
    number = number * 10 + digit;
  }
  return number;
}

Result<Data> readRng(const json& object, const JsonPath& path) {
  NW_CHECK(expectObject(object, path, "a generator's state"));
  RngState rng;
  NW_TRY(const std::string generator, requireText(object, path, "bit_generator"));
  if (generator != "PCG64" && generator != "PCG64DXSM")
    return (path / "bit_generator")
        .error(fmt::format("expected \"PCG64\" or \"PCG64DXSM\" (others are opaque data), found \"{}\"",
                           generator));
  if (generator == "PCG64DXSM") rng.generator = RngState::Generator::PCG64DXSM;
  NW_TRY(rng.state, readUInt128(object, path, "state"));
  NW_TRY(rng.inc, readUInt128(object, path, "inc"));
  NW_TRY(const json* hasUint32, requireField(object, path, "has_uint32"));
  NW_TRY(const int64_t has, readInteger(*hasUint32, path / "has_uint32", 0, 1));
  NW_TRY(const json* uinteger, requireField(object, path, "uinteger"));
  NW_TRY(const int64_t kept,
         readInteger(*uinteger, path / "uinteger", 0, std::numeric_limits<uint32_t>::max()));
  rng.hasUint32 = static_cast<uint32_t>(has);
  rng.uinteger = static_cast<uint32_t>(kept);
  return Data{rng};
}

Result<Data> readSlice(const json& list, const JsonPath& path) {
  if (!list.is_array() || list.size() != 3) return unexpected(path, "[start, stop, step]", list);
  std::array<std::optional<int64_t>, 3> parts;
  for (size_t i = 0; i < 3; ++i) {
    if (list[i].is_null()) continue;
    NW_TRY(parts[i], readInteger(list[i], path[i], std::numeric_limits<int64_t>::min(),
                                 std::numeric_limits<int64_t>::max(), "null or an integer"));
  }
  return Data{SliceData{parts[0], parts[1], parts[2]}};
}

Result<Data> readNone(const json& field, const JsonPath& path) {
  if (!field.is_boolean() || !field.get<bool>()) return unexpected(path, "true", field);
  return Data{NoneData{}};
}

Result<Data> readList(const json& field, const JsonPath& path) {
  NW_CHECK(expectList(field, path, "data"));
  ListData list;
  list.items.reserve(field.size());
  for (size_t i = 0; i < field.size(); ++i) {
    NW_TRY(Data item, dataFromJson(field[i], path[i]));
    list.items.push_back(std::move(item));
  }
  return Data{std::move(list)};
}

Result<Data> readOpaque(const json& field, const JsonPath& path) {
  if (!field.is_string()) return unexpected(path, "text", field);
  return Data{OpaqueData{field.get<std::string>()}};
}

Result<Tensor> readSparsePart(const json& object, const JsonPath& path, const char* key, bool integers) {
  NW_TRY(const json* field, requireField(object, path, key));
  const JsonPath partPath = path / key;
  NW_CHECK(expectObject(*field, partPath, "data"));
  NW_TRY(Tensor part, readTensor(*field, partPath));
  if (part.shape.size() != 1)
    return partPath.error(fmt::format("expected 1 axis, found {}", part.shape.size()));
  if (integers && part.dtype != DType::Int32 && part.dtype != DType::Int64)
    return (partPath / "dtype")
        .error(fmt::format("expected int32 or int64, found {}", dtypeName(part.dtype)));
  return part;
}

int64_t integerAt(const Tensor& tensor, size_t i) {
  return tensor.dtype == DType::Int32 ? int64_t{tensor.as<int32_t>()[i]} : tensor.as<int64_t>()[i];
}

/// The places are in the matrix, so that whoever computes with it need not look.
Result<void> checkStructure(const SparseData& s, const JsonPath& path) {
  const JsonPath indicesPath = path / "indices", indptrPath = path / "indptr";
  const int64_t major = s.shape[s.csc ? 1 : 0], minor = s.shape[s.csc ? 0 : 1];
  const int64_t stored = s.data.shape[0];
  if (s.indices.shape[0] != stored)
    return indicesPath.error(
        fmt::format("expected {} indices, as many as data, found {}", stored, s.indices.shape[0]));
  if (s.indptr.shape[0] - 1 != major)
    return indptrPath.error(fmt::format("expected a start for each {} and the end, {} integers, found {}",
                                        s.csc ? "column" : "row", static_cast<uint64_t>(major) + 1,
                                        s.indptr.shape[0]));
  int64_t previous = 0;
  for (size_t i = 0; i < static_cast<size_t>(s.indptr.shape[0]); ++i) {
    const int64_t start = integerAt(s.indptr, i);
    if (start < previous || start > stored || (i == 0 && start != 0))
      return indptrPath.error(fmt::format(
          "expected integers that ascend from 0 to at most {}, found {} at {}", stored, start, i));
    previous = start;
  }
  for (size_t i = 0; i < static_cast<size_t>(stored); ++i) {
    const int64_t index = integerAt(s.indices, i);
    if (index < 0 || index >= minor)
      return indicesPath.error(
          fmt::format("expected integers from 0 to {}, found {} at {}", minor - 1, index, i));
  }
  return {};
}

Result<Data> readSparse(const json& object, const JsonPath& path) {
  NW_CHECK(expectObject(object, path, "a sparse matrix"));
  SparseData sparse;
  NW_TRY(const std::string format, requireText(object, path, "format"));
  if (format != "csr" && format != "csc")
    return (path / "format").error(fmt::format("expected \"csr\" or \"csc\", found \"{}\"", format));
  sparse.csc = format == "csc";
  NW_TRY(sparse.data, readSparsePart(object, path, "data", false));
  NW_TRY(sparse.indices, readSparsePart(object, path, "indices", true));
  NW_TRY(sparse.indptr, readSparsePart(object, path, "indptr", true));
  NW_TRY(const std::vector<int64_t> shape, shapeFromJson(object, path, sparse.data.dtype, false));
  if (shape.size() != 2)
    return (path / "shape").error(fmt::format("expected 2 axes, found {}", shape.size()));
  sparse.shape = {shape[0], shape[1]};
  NW_CHECK(checkStructure(sparse, path));
  return Data{std::move(sparse)};
}

/// The forms of Data that are told by their key.
struct FormRow {
  const char* key;
  Result<Data> (*read)(const json& field, const JsonPath& path);
};
constexpr std::array<FormRow, 6> kForms{{{"rng", readRng},
                                         {"slice", readSlice},
                                         {"none", readNone},
                                         {"list", readList},
                                         {"sparse", readSparse},
                                         {"opaque", readOpaque}}};

} // namespace

Result<Data> dataFromJson(const json& object, const JsonPath& path) {
  NW_CHECK(expectObject(object, path, "data"));
  for (const FormRow& form : kForms)
    if (const json* field = findField(object, form.key)) return form.read(*field, path / form.key);
  if (findField(object, "dtype") == nullptr)
    return path.error(
        "expected data: the key \"dtype\" (with \"shape\" and \"data\" or \"b64\"), \"rng\", \"slice\", "
        "\"none\", \"list\", \"sparse\" or \"opaque\"");
  NW_TRY(Tensor tensor, readTensor(object, path));
  return Data{std::move(tensor)};
}

} // namespace nodewise
