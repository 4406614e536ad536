// What the linear algebra families share: matrices of arrays, checks of types and shapes, lowering.
#pragma once

#include "numeric/matrix.h"
#include "ops/op.h"

namespace nodewise::linalg {

/// A rank 2 array, or a rank 1 array as one column, or a rank 0 array as one element.
inline MatrixRef matrixOf(const Array& a) {
  const int64_t size = dtypeSize(a.dtype);
  if (a.rank == 2) return {a.data, a.dtype, a.shape[0], a.shape[1], a.strides[0], a.strides[1]};
  if (a.rank == 1) return {a.data, a.dtype, a.shape[0], 1, a.strides[0], size};
  return {a.data, a.dtype, 1, 1, size, size};
}

inline void setShape(Array& out, int64_t n) { out.shape[0] = n; }
inline void setShape(Array& out, int64_t rows, int64_t cols) {
  out.shape[0] = rows;
  out.shape[1] = cols;
}
inline void copyShape(const Array& from, Array& to) {
  for (int32_t axis = 0; axis < to.rank; ++axis) to.shape[axis] = from.shape[axis];
}

/// "(3, 4)"
std::string shapeText(const Array& a);

/// Fails with ValueError "what: shapes (3, 4) and (5, 6)".
int32_t shapesDoNotFit(Context& context, std::string_view what, const Array& a, const Array& b);
/// 0, or fails with `type` unless a is square and of a size that LAPACK's 32-bit integers hold.
int32_t checkSquare(Context& context, const Array& a, const char* type = "ValueError");
/// 0, or fails unless BLAS's 32-bit integers hold every length of a.
int32_t checkLengths(Context& context, const Array& a);
int32_t linAlgError(Context& context, std::string message);

/// The value of a 0-d array, real or complex.
std::complex<double> valueOf(const Array& scalar);

/// Input k is a tensor (or scalar) of rank 0.
Result<void> checkZeroRank(const NodeView& node, size_t k);
/// Output k has a dtype that LAPACK computes in, and all inputs can be converted to it (no complex one to a
/// real).
Result<void> checkLapackOutput(const NodeView& node, size_t k);
/// Output k has this dtype.
Result<void> checkOutDType(const NodeView& node, size_t k, DType dtype);
/// No complex input where output k is real.
Result<void> checkInputsConvert(const NodeView& node, size_t k);

/// A prebuilt node whose routine may throw std::bad_alloc, which becomes Python's MemoryError.
Lowered linearAlgebraNode(ArrayFn shape, ArrayFn run);
/// `run` with std::bad_alloc caught.
ArrayFn catchingBadAlloc(ArrayFn run);

/// Allows output `output` to overwrite input `input`, if the node does.
void allowInPlace(Lowered& lowered, const NodeView& node, int output, int input);
/// Copies `from` to `out` (converted), unless `out` was given from's storage.
void startFrom(const Array& from, const Array& out);

} // namespace nodewise::linalg
