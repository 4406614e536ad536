#include "graph/element_json.h"
#include "graph/generate.h"

#include <algorithm>
#include <limits>

#include <fmt/format.h>

namespace nodewise {

namespace {

constexpr int64_t kExampleLength = 4;
constexpr int64_t kMostBytes = int64_t{1} << 28;

/// Element i of an array, by the class of its dtype.
nlohmann::json exampleElement(DType dtype, int64_t i, bool single) {
  const double fraction = static_cast<double>(i % 7 + 1) / 8; // exact in every float dtype
  switch (dtypeRow(dtype).cls) {
  case DTypeClass::Bool:
    return i % 2 == 0;
  case DTypeClass::Signed:
  case DTypeClass::Unsigned:
    return single ? 1 : i % 2;
  case DTypeClass::Complex:
    return nlohmann::json::array({fraction, fraction / 2});
  case DTypeClass::Float:
    break;
  }
  return fraction;
}

Result<Tensor> exampleTensor(DType dtype, const std::vector<int64_t>& shape) {
  Tensor tensor{dtype, shape, {}};
  for (int64_t& length : tensor.shape)
    if (length == kUnknownLength) length = kExampleLength;
  const int64_t count = elementCount(tensor.shape), size = dtypeSize(dtype);
  if (count > kMostBytes / size)
    return Error{.what = fmt::format("an array of {} elements is too large to be made up", count),
                 .where = {},
                 .remedy = "give a recorded case",
                 .type = {}};
  tensor.bytes.resize(static_cast<size_t>(count * size));
  for (int64_t i = 0; i < count; ++i)
    elementFromJson(exampleElement(dtype, i, shape.empty()), dtype, tensor.bytes.data() + i * size);
  return tensor;
}

/// Ones on the diagonal.
Result<Data> exampleSparse(const Type& type) {
  SparseData sparse;
  sparse.csc = type.text == "csc";
  for (size_t axis = 0; axis < 2; ++axis)
    sparse.shape[axis] = type.shape[axis] == kUnknownLength ? kExampleLength : type.shape[axis];
  const int64_t stored = std::min(sparse.shape[0], sparse.shape[1]), major = sparse.shape[sparse.csc ? 1 : 0];
  NW_TRY(sparse.data, exampleTensor(type.dtype, {stored}));
  NW_TRY(sparse.indices, exampleTensor(DType::Int32, {stored}));
  if (major == std::numeric_limits<int64_t>::max()) return exampleTensor(DType::Int32, {major}).error();
  NW_TRY(sparse.indptr, exampleTensor(DType::Int32, {major + 1}));
  for (int64_t i = 0; i < stored; ++i) sparse.indices.as<int32_t>()[i] = static_cast<int32_t>(i);
  for (int64_t i = 0; i <= major; ++i)
    sparse.indptr.as<int32_t>()[i] = static_cast<int32_t>(std::min(i, stored));
  return Data{std::move(sparse)};
}

Result<Data> exampleOf(const Type& type) {
  switch (type.kind) {
  case Kind::Tensor:
  case Kind::Scalar: {
    NW_TRY(Tensor tensor, exampleTensor(type.dtype, type.shape));
    return Data{std::move(tensor)};
  }
  case Kind::Rng: {
    RngState rng;
    if (type.text == "PCG64DXSM")
      rng.generator = RngState::Generator::PCG64DXSM;
    else if (type.text != "PCG64")
      return Data{OpaqueData{type.text}};
    rng.state = 1234567;
    rng.inc = 1; // odd, as PCG's increments are
    return Data{rng};
  }
  case Kind::Slice:
    return Data{SliceData{}};
  case Kind::None:
    return Data{NoneData{}};
  case Kind::Sparse:
    return exampleSparse(type);
  case Kind::List: {
    ListData list;
    for (int i = 0; i < 2 && type.elem; ++i) {
      NW_TRY(Data item, exampleOf(*type.elem));
      list.items.push_back(std::move(item));
    }
    return Data{std::move(list)};
  }
  case Kind::Opaque:
    break;
  }
  return Data{OpaqueData{type.text}};
}

} // namespace

Result<std::vector<Data>> exampleInputs(const Graph& graph) {
  std::vector<Data> inputs;
  inputs.reserve(graph.inputs.size());
  for (size_t i = 0; i < graph.inputs.size(); ++i) {
    auto data = exampleOf(graph.values[static_cast<size_t>(graph.inputs[i])].type);
    if (!data.ok()) return within(fmt::format("input {}", i), data.error());
    inputs.push_back(std::move(data).value());
  }
  return inputs;
}

} // namespace nodewise
