#include "graph/read_parts.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace nodewise {

namespace {

constexpr std::string_view kFormNames[] = {"tensor", "rng", "slice", "none", "list", "sparse", "opaque"};

Error mismatch(const JsonPath& path, const Type& type, std::string_view found) {
  return path.error(fmt::format("expected data of type {}, found {}", shortText(type), found));
}

bool shapeFits(const Type& type, std::span<const int64_t> shape, Lengths lengths) {
  if (shape.size() != type.shape.size()) return false;
  if (lengths == Lengths::Any) return true;
  for (size_t i = 0; i < shape.size(); ++i)
    if (type.shape[i] != kUnknownLength && type.shape[i] != shape[i]) return false;
  return true;
}

/// A machine scalar has no axes, so that its type's empty shape fits.
Result<void> checkArray(const Type& type, DType dtype, std::span<const int64_t> shape, const JsonPath& path,
                        Lengths lengths) {
  if (type.dtype == dtype && shapeFits(type, shape, lengths)) return {};
  return mismatch(path, type, fmt::format("{}[{}]", dtypeRow(dtype).shortName, fmt::join(shape, ",")));
}

Result<void> checkSparse(const Type& type, const SparseData& sparse, const JsonPath& path, Lengths lengths) {
  const std::string_view format = sparse.csc ? "csc" : "csr";
  if (type.text != format) return mismatch(path, type, format);
  return checkArray(type, sparse.data.dtype, sparse.shape, path, lengths);
}

Result<void> checkRng(const Type& type, const RngState& rng, const JsonPath& path) {
  const std::string_view generator = rng.generator == RngState::Generator::PCG64 ? "PCG64" : "PCG64DXSM";
  if (type.text == generator) return {};
  return path.error(fmt::format("expected a {} generator, found {}", type.text, generator));
}

Result<void> checkList(const Type& type, const ListData& list, const JsonPath& path, Lengths lengths) {
  const JsonPath listPath = path / "list";
  for (size_t i = 0; i < list.items.size(); ++i)
    NW_CHECK(checkFits(*type.elem, list.items[i], listPath[i], lengths));
  return {};
}

/// Objects that the format cannot write down may stand for values of these kinds.
bool mayBeOpaque(Kind kind) { return kind == Kind::Rng || kind == Kind::Slice || kind == Kind::List; }

} // namespace

Result<void> checkFits(const Type& type, const Data& data, const JsonPath& path, Lengths lengths) {
  if (type.kind == Kind::Opaque) return {};
  const Tensor* tensor = data.tensor();
  if (tensor != nullptr && (type.kind == Kind::Tensor || type.kind == Kind::Scalar))
    return checkArray(type, tensor->dtype, tensor->shape, path, lengths);
  if (const auto* sparse = std::get_if<SparseData>(&data.v); sparse != nullptr && type.kind == Kind::Sparse)
    return checkSparse(type, *sparse, path, lengths);
  if (const auto* rng = std::get_if<RngState>(&data.v); rng != nullptr && type.kind == Kind::Rng)
    return checkRng(type, *rng, path);
  if (const auto* list = std::get_if<ListData>(&data.v);
      list != nullptr && type.kind == Kind::List && type.elem)
    return checkList(type, *list, path, lengths);
  if (std::holds_alternative<SliceData>(data.v) && type.kind == Kind::Slice) return {};
  if (std::holds_alternative<NoneData>(data.v) && type.kind == Kind::None) return {};
  if (std::holds_alternative<OpaqueData>(data.v) && mayBeOpaque(type.kind)) return {};
  return mismatch(path, type, fmt::format("{} data", kFormNames[data.v.index()]));
}

} // namespace nodewise
