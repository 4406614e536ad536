#include "numeric/sparse_matrix.h"

#include "numeric/element.h"
#include "numeric/strided.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <numeric>

namespace nodewise {
namespace {

Tensor int32Vector(const std::vector<int32_t>& values) {
  Tensor tensor{DType::Int32,
                {static_cast<int64_t>(values.size())},
                std::vector<std::byte>(values.size() * sizeof(int32_t))};
  if (!values.empty()) std::memcpy(tensor.bytes.data(), values.data(), tensor.bytes.size());
  return tensor;
}

Tensor emptyVector(DType dtype, int64_t n) {
  return {dtype, {n}, std::vector<std::byte>(static_cast<size_t>(n * dtypeSize(dtype)))};
}

/// The first n elements of a vector, converted.
Tensor headOf(const Tensor& from, int64_t n, DType dtype) {
  Tensor to = emptyVector(dtype, n);
  const int64_t toStride = dtypeSize(dtype), fromStride = dtypeSize(from.dtype);
  assign({to.bytes.data(), &toStride, dtype}, {from.bytes.data(), &fromStride, from.dtype}, &n, 1);
  return to;
}

int64_t integerAt(const Tensor& vector, int64_t i) {
  return vector.dtype == DType::Int32 ? vector.as<int32_t>()[i] : vector.as<int64_t>()[i];
}

bool fitsInt32(std::array<int64_t, 2> shape, int64_t stored) {
  return std::max({shape[0], shape[1], stored}) <= INT32_MAX;
}

std::string tooLarge(std::array<int64_t, 2> shape, int64_t stored) {
  return fmt::format(
      "a sparse matrix of shape ({}, {}) with {} stored elements: at most {} of each are supported", shape[0],
      shape[1], stored, INT32_MAX);
}

} // namespace

bool hasInt32(const SparseData& a) {
  return a.indices.dtype == DType::Int32 && a.indptr.dtype == DType::Int32 &&
         a.indptr.as<int32_t>()[majorLength(a)] == a.data.shape[0];
}

std::string asInt32(const SparseData& a, SparseData& result) {
  const int64_t major = majorLength(a), stored = integerAt(a.indptr, major);
  if (!fitsInt32(a.shape, stored)) return tooLarge(a.shape, stored);
  result = {a.csc, a.shape, headOf(a.data, stored, a.data.dtype), headOf(a.indices, stored, DType::Int32),
            headOf(a.indptr, major + 1, DType::Int32)};
  return {};
}

std::string checkParts(int64_t major, int64_t minor, const std::vector<int32_t>& start,
                       const std::vector<int32_t>& index, int64_t values) {
  if (major < 0 || minor < 0) return fmt::format("lengths cannot be negative, found {} and {}", major, minor);
  if (std::max(major, minor) > INT32_MAX) return fmt::format("lengths up to {} are supported", INT32_MAX);
  if (static_cast<int64_t>(index.size()) != values)
    return fmt::format("{} indices for {} values", index.size(), values);
  if (static_cast<int64_t>(start.size()) != major + 1)
    return fmt::format("indptr has to have {} elements, found {}", major + 1, start.size());
  if (start[0] != 0) return fmt::format("indptr has to start with 0, found {}", start[0]);
  for (size_t m = 1; m < start.size(); ++m)
    if (start[m] < start[m - 1] || start[m] > values)
      return fmt::format("indptr has to ascend to at most {}, found {} at {}", values, start[m], m);
  for (int32_t k = 0; k < start.back(); ++k)
    if (index[static_cast<size_t>(k)] < 0 || index[static_cast<size_t>(k)] >= minor)
      return fmt::format("indices have to be 0 to {}, found {} at {}", minor - 1,
                         index[static_cast<size_t>(k)], k);
  return {};
}

std::string denseToSparse(DType dtype, const std::byte* dense, std::array<int64_t, 2> shape,
                          std::array<int64_t, 2> strides, bool csc, SparseData& result) {
  if (!fitsInt32(shape, 0)) return tooLarge(shape, 0);
  const size_t major = csc ? 1 : 0, minor = csc ? 0 : 1;
  return withType(dtype, [&]<class T>(std::type_identity<T>) -> std::string {
    std::vector<int32_t> start{0}, index;
    std::vector<T> values;
    for (int64_t m = 0; m < shape[major]; ++m) {
      for (int64_t i = 0; i < shape[minor]; ++i) {
        const T value = load<T>(dense + m * strides[major] + i * strides[minor]);
        if (convertTo<Bool8>(value).byte == 0) continue;
        index.push_back(static_cast<int32_t>(i));
        values.push_back(value);
      }
      if (!fitsInt32(shape, static_cast<int64_t>(index.size())))
        return tooLarge(shape, static_cast<int64_t>(index.size()));
      start.push_back(static_cast<int32_t>(index.size()));
    }
    Tensor data = emptyVector(dtype, static_cast<int64_t>(values.size()));
    if (!values.empty()) std::memcpy(data.bytes.data(), values.data(), data.bytes.size());
    result = makeSparse(csc, shape, start, index, std::move(data));
    return {};
  });
}

SparseData makeSparse(bool csc, std::array<int64_t, 2> shape, std::vector<int32_t> start,
                      std::vector<int32_t> index, Tensor values) {
  return {csc, shape, std::move(values), int32Vector(index), int32Vector(start)};
}

SparseData rearranged(const SparseData& a, const SparseStructure& structure, bool csc) {
  Tensor values = emptyVector(a.data.dtype, static_cast<int64_t>(structure.source.size()));
  gatherElements(a.data.bytes.data(), structure.source, dtypeSize(a.data.dtype), values.bytes.data());
  std::array<int64_t, 2> shape{structure.major, structure.minor};
  if (csc) std::swap(shape[0], shape[1]);
  return {csc, shape, std::move(values), int32Vector(structure.index), int32Vector(structure.start)};
}

const SparseData& inFormat(const SparseData& a, bool csc, SparseData& buffer) {
  if (a.csc == csc) return a;
  buffer = rearranged(a, otherFormat(viewOf(a)), csc);
  return buffer;
}

const SparseData& canonicalForm(const SparseData& a, SparseData& buffer) {
  if (isCanonical(viewOf(a))) return a;
  const SparseStructure sorted = sortedIndices(viewOf(a));
  SparseStructure merged{sorted.major, sorted.minor, {0}, {}, {}};
  SparseData all = rearranged(a, sorted, a.csc);
  withType(a.data.dtype, [&]<class T>(std::type_identity<T>) {
    T* values = all.data.as<T>();
    size_t used = 0;
    for (size_t m = 0; m < static_cast<size_t>(sorted.major); ++m) {
      for (auto k = static_cast<size_t>(sorted.start[m]); k < static_cast<size_t>(sorted.start[m + 1]); ++k) {
        const bool repeated =
            used > static_cast<size_t>(merged.start[m]) && merged.index.back() == sorted.index[k];
        if (repeated) {
          values[used - 1] = addElements(values[used - 1], values[k]);
        } else {
          merged.index.push_back(sorted.index[k]);
          values[used++] = values[k];
        }
      }
      merged.start.push_back(static_cast<int32_t>(used));
    }
  });
  const auto stored = static_cast<int64_t>(merged.index.size());
  buffer = makeSparse(a.csc, a.shape, merged.start, merged.index, headOf(all.data, stored, all.data.dtype));
  return buffer;
}

const SparseData& inDType(const SparseData& a, DType dtype, SparseData& buffer) {
  if (a.data.dtype == dtype) return a;
  buffer = {a.csc, a.shape, headOf(a.data, a.data.shape[0], dtype), a.indices, a.indptr};
  return buffer;
}

const std::byte* valuesAs(const SparseData& a, DType dtype, Scratch& scratch) {
  if (a.data.dtype == dtype) return a.data.bytes.data();
  const int64_t n = a.data.shape[0], toStride = dtypeSize(dtype), fromStride = dtypeSize(a.data.dtype);
  auto* values = scratch.take<std::byte>(n * toStride);
  assign({values, &toStride, dtype}, {a.data.bytes.data(), &fromStride, a.data.dtype}, &n, 1);
  return values;
}

std::string joinBlocks(const std::vector<SparseBlock>& blocks, bool csc, std::array<int64_t, 2> shape,
                       DType dtype, SparseData& result) {
  int64_t stored = 0;
  for (const SparseBlock& block : blocks) stored += block.matrix->data.shape[0];
  if (!fitsInt32(shape, stored)) return tooLarge(shape, stored);
  result = {csc, shape, emptyVector(dtype, stored), emptyVector(DType::Int32, stored),
            emptyVector(DType::Int32, shape[csc ? 1 : 0] + 1)};
  auto *start = result.indptr.as<int32_t>(), *index = result.indices.as<int32_t>();
  for (const SparseBlock& block : blocks) {
    const SparseView view = viewOf(*block.matrix);
    for (int64_t m = 0; m < view.major; ++m) start[block.major + m + 1] += view.start[m + 1] - view.start[m];
  }
  std::partial_sum(start, start + majorLength(result) + 1, start);
  std::vector<int32_t> next(start, start + majorLength(result));
  const int64_t size = dtypeSize(dtype);
  for (const SparseBlock& block : blocks) {
    Scratch scratch;
    const std::byte* values = valuesAs(*block.matrix, dtype, scratch);
    const SparseView view = viewOf(*block.matrix);
    for (int64_t m = 0; m < view.major; ++m)
      for (int32_t k = view.start[m]; k < view.start[m + 1]; ++k) {
        const int32_t place = next[static_cast<size_t>(block.major + m)]++;
        index[place] = static_cast<int32_t>(block.minor + view.index[k]);
        std::memcpy(result.data.bytes.data() + place * size, values + k * size, static_cast<size_t>(size));
      }
  }
  return {};
}

void addToDense(const SparseData& a, DType dtype, std::byte* dense) {
  Scratch scratch;
  const std::byte* values = valuesAs(a, dtype, scratch);
  const SparseView view = viewOf(a);
  const int64_t majorStep = a.csc ? 1 : a.shape[1], minorStep = a.csc ? a.shape[1] : 1;
  withType(dtype, [&]<class T>(std::type_identity<T>) {
    T* to = reinterpret_cast<T*>(dense);
    for (int64_t m = 0; m < view.major; ++m)
      for (int32_t k = view.start[m]; k < view.start[m + 1]; ++k) {
        T& element = to[m * majorStep + view.index[k] * minorStep];
        element = addElements(element, reinterpret_cast<const T*>(values)[k]);
      }
  });
}

} // namespace nodewise
