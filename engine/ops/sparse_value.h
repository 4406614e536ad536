// What the sparse families share: sparse inputs and outputs of a running node, and checks of types.
#pragma once

#include "numeric/sparse_kernels.h"
#include "numeric/sparse_matrix.h"
#include "ops/contiguous_input.h"
#include "ops/op.h"

#include <optional>

namespace nodewise {

/// A sparse input with int32 indices. Where it cannot be had, the node has failed and the input is false.
class SparseInput {
public:
  SparseInput(const Array& array, Context& context);
  SparseInput(const SparseInput&) = delete;
  SparseInput& operator=(const SparseInput&) = delete;

  explicit operator bool() const { return m_matrix != nullptr; }
  const SparseData& operator*() const { return *m_matrix; }
  const SparseData* operator->() const { return m_matrix; }

  /// Brings it to a format, to canonical form.
  SparseInput& in(bool csc);
  SparseInput& canonical();

private:
  const SparseData* m_matrix = nullptr;
  SparseData m_narrow, m_format, m_canonical;
};

/// The matrix with its values as T, which is the C++ type of `dtype`.
template <class T> SparseTerms<T> termsOf(const SparseData& a, DType dtype, Scratch& scratch) {
  return {viewOf(a), reinterpret_cast<const T*>(valuesAs(a, dtype, scratch))};
}

/// Makes a sparse output hold `matrix`, its values converted to the output's dtype.
void setSparse(Array& out, SparseData matrix);
/// The same for what a kernel made, of values of the C++ type of `dtype`.
template <class T>
void setSparse(Array& out, bool csc, std::array<int64_t, 2> shape, const SparseResult<T>& result,
               DType dtype) {
  Tensor values{dtype, {static_cast<int64_t>(result.value.size())}, {}};
  const auto* bytes = reinterpret_cast<const std::byte*>(result.value.data());
  values.bytes.assign(bytes, bytes + result.value.size() * sizeof(T));
  setSparse(out, makeSparse(csc, shape, result.start, result.index, std::move(values)));
}
/// A copy of `a` with other values of the C++ type of `dtype`, as output.
template <class T>
void setSparseValues(Array& out, const SparseData& a, const std::vector<T>& values, DType dtype) {
  Tensor tensor{dtype, {static_cast<int64_t>(values.size())}, {}};
  const auto* bytes = reinterpret_cast<const std::byte*>(values.data());
  tensor.bytes.assign(bytes, bytes + values.size() * sizeof(T));
  setSparse(out, {a.csc, a.shape, std::move(tensor), a.indices, a.indptr});
}

/// Allocates output 0 with this shape and fills it with `from`, C-contiguous elements of `dtype`, converted.
void setDense(Context& context, const std::vector<int64_t>& shape, const std::byte* from, DType dtype);

/// A prebuilt node that makes all its outputs itself.
Lowered sparseNode(ArrayFn run);

std::string shapeText(const SparseData& a);
/// Fails with `type` unless both have the same shape. The type is what the producer of recorded cases raises:
/// an AssertionError where PyTensor checks, a ValueError where SciPy does.
int32_t checkSameShape(Context& context, const SparseData& a, std::array<int64_t, 2> shape, const char* type);
inline std::array<int64_t, 2> matrixShape(const Array& a) { return {a.shape[0], a.shape[1]}; }

Result<void> checkSparse(const NodeView& node, size_t k);
Result<void> checkOutSparse(const NodeView& node);
/// Output 0 is sparse, of input k's format.
Result<void> checkOutFormatOf(const NodeView& node, size_t k);
/// Input k is csc.
Result<void> checkCsc(const NodeView& node, size_t k);
inline bool isCsc(const Type& type) { return type.text == "csc"; }

} // namespace nodewise
