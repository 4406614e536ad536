// Matrices that stand somewhere in memory, and copies of them in the order that BLAS and LAPACK want.
#pragma once

#include "numeric/blas_threads.h"
#include "numeric/element.h"
#include "numeric/scratch.h"

#include <algorithm>
#include <optional>

namespace nodewise::linalg {

/// A matrix in somebody else's memory. A vector is a matrix of one column.
struct MatrixRef {
  std::byte* data = nullptr; ///< element (0, 0)
  DType dtype = DType::Float64;
  int64_t rows = 0, cols = 0;
  int64_t rowStride = 0, colStride = 0; ///< bytes from one row (column) to the next; any sign, 0 repeats

  std::byte* at(int64_t row, int64_t col) const { return data + row * rowStride + col * colStride; }
  template <class T> T& ref(int64_t row, int64_t col) const { return *reinterpret_cast<T*>(at(row, col)); }
  MatrixRef transposed() const { return {data, dtype, cols, rows, colStride, rowStride}; }
  bool empty() const { return rows == 0 || cols == 0; }
};

/// A C-contiguous matrix.
inline MatrixRef rowMajor(void* data, DType dtype, int64_t rows, int64_t cols) {
  const int64_t size = dtypeSize(dtype);
  return {static_cast<std::byte*>(data), dtype, rows, cols, cols * size, size};
}
/// A Fortran-contiguous matrix.
inline MatrixRef columnMajor(void* data, DType dtype, int64_t rows, int64_t cols) {
  return rowMajor(data, dtype, cols, rows).transposed();
}

/// to = from, converted to to's dtype; equal shapes; no overlap, unless they are the same elements.
void copyMatrix(const MatrixRef& from, const MatrixRef& to);
/// Every element becomes `value` (its real part where the dtype is real).
void fillMatrix(const MatrixRef& m, std::complex<double> value);
/// Every element becomes not-a-number (both parts of a complex one).
void fillNaN(const MatrixRef& m);
/// No element is infinite or not-a-number.
bool allFinite(const MatrixRef& m);

/// BLAS's view of a matrix: rows of contiguous elements `ld` elements apart, of the matrix or of its
/// transpose.
struct BlasLayout {
  bool transposed = false;
  int ld = 1;
};
/// How BLAS can read the matrix where it stands; nothing if it has to be copied.
std::optional<BlasLayout> blasLayout(const MatrixRef& m);
/// The matrix itself if it has this dtype and a layout for BLAS, otherwise a C-contiguous copy in scratch
/// memory.
MatrixRef forBlas(const MatrixRef& m, DType dtype, Scratch& scratch);

/// The element type of C++ types that LAPACK works on.
template <class T> inline constexpr DType lapackDType = DType::Float64;
template <> inline constexpr DType lapackDType<float> = DType::Float32;
template <> inline constexpr DType lapackDType<std::complex<float>> = DType::Complex64;
template <> inline constexpr DType lapackDType<std::complex<double>> = DType::Complex128;

/// The real type of T's parts.
template <class T> struct RealOf { using type = T; };
template <class T> struct RealOf<std::complex<T>> { using type = T; };
template <class T> using Real = typename RealOf<T>::type;

/// One of float32, float64, complex64, complex128.
inline bool isLapackDType(DType d) {
  return d == DType::Float32 || d == DType::Float64 || d == DType::Complex64 || d == DType::Complex128;
}
/// Calls `visit(std::type_identity<T>{})` with float, double or the complex type of the dtype, which has to
/// be one of the four that LAPACK knows (any other counts as float64).
template <class Visit> decltype(auto) withLapackType(DType dtype, Visit&& visit) {
  switch (dtype) {
  case DType::Float32:
    return visit(std::type_identity<float>{});
  case DType::Complex64:
    return visit(std::type_identity<std::complex<float>>{});
  case DType::Complex128:
    return visit(std::type_identity<std::complex<double>>{});
  default:
    return visit(std::type_identity<double>{});
  }
}

/// A Fortran-contiguous copy in scratch memory, converted to T: what LAPACK overwrites. LAPACK's threads are
/// set for a matrix of this size.
template <class T> T* lapackCopy(const MatrixRef& m, Scratch& scratch) {
  blas::threadsFor(m.rows * m.cols * std::min(m.rows, m.cols));
  T* copy = scratch.take<T>(m.rows * m.cols);
  copyMatrix(m, columnMajor(copy, lapackDType<T>, m.rows, m.cols));
  return copy;
}
/// Copies the Fortran-contiguous matrix `from` (of to's shape, `ld` elements a column) to its place.
template <class T> void copyOut(const T* from, int64_t ld, const MatrixRef& to) {
  // Only read: a MatrixRef is for both sides of a copy.
  MatrixRef source = columnMajor(const_cast<T*>(from), lapackDType<T>, to.rows, to.cols);
  source.colStride = ld * static_cast<int64_t>(sizeof(T));
  copyMatrix(source, to);
}

} // namespace nodewise::linalg
