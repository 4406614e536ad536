#include "numeric/lapack_lu.h"

#include "numeric/lapack.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace nodewise::linalg {

namespace {

template <class T> lapack_int factor(T* a, int64_t m, int64_t n, lapack_int* pivots) {
  return Lapack<T>::getrf(kColumns, static_cast<lapack_int>(m), static_cast<lapack_int>(n), a,
                          static_cast<lapack_int>(std::max<int64_t>(1, m)), pivots);
}

/// Splits LAPACK's packed factors (Fortran order, m rows).
template <class T> void splitFactors(const T* packed, int64_t m, const MatrixRef& l, const MatrixRef& u) {
  const auto at = [packed, m](int64_t i, int64_t j) { return packed[j * m + i]; };
  for (int64_t i = 0; i < l.rows; ++i)
    for (int64_t j = 0; j < l.cols; ++j) l.ref<T>(i, j) = i > j ? at(i, j) : T(i == j ? 1 : 0);
  for (int64_t i = 0; i < u.rows; ++i)
    for (int64_t j = 0; j < u.cols; ++j) u.ref<T>(i, j) = i <= j ? at(i, j) : T(0);
}

/// Contiguous elements, converted to T.
template <class T> T* vectorCopy(const MatrixRef& v, Scratch& scratch) { return lapackCopy<T>(v, scratch); }

template <class T> T* contiguous(const MatrixRef& v) { return reinterpret_cast<T*>(v.data); }

/// The product of U's diagonal, or what exp gives where that over- or underflows on the way.
template <class T> LogDeterminant fromDiagonal(const T* packed, int64_t n, int swaps) {
  LogDeterminant det;
  if (swaps % 2 != 0) det.sign = det.value = -1;
  for (int64_t i = 0; i < n; ++i) {
    const std::complex<double> element(packed[i * n + i]);
    const double size = std::abs(element);
    if (isComplexType<T>)
      det.sign *= element / size;
    else if (element.real() < 0)
      det.sign = -det.sign;
    det.value *= element;
    det.logAbs += std::log(size);
  }
  const double size = std::abs(det.value);
  if ((size == 0 || std::isinf(size)) && std::isfinite(det.logAbs))
    det.value = det.sign * std::exp(det.logAbs);
  if (!isComplexType<T>) det.value = det.value.real();
  return det;
}

} // namespace

void luFactor(const MatrixRef& a, const MatrixRef& packed, int32_t* pivots) {
  if (a.empty()) return;
  withLapackType(packed.dtype, [&]<class T>(std::type_identity<T>) {
    Scratch scratch;
    T* work = lapackCopy<T>(a, scratch);
    const bool regular = factor(work, a.rows, a.cols, pivots) == 0;
    for (int64_t i = 0; i < std::min(a.rows, a.cols); ++i) --pivots[i];
    if (regular)
      copyOut(work, a.rows, packed);
    else
      fillNaN(packed);
  });
}

void luFactors(const MatrixRef& a, const MatrixRef& l, const MatrixRef& u, int32_t* rowOf) {
  withLapackType(l.dtype, [&]<class T>(std::type_identity<T>) {
    Scratch scratch;
    const int64_t m = a.rows, k = std::min(a.rows, a.cols);
    auto* order = scratch.take<int64_t>(m);
    std::iota(order, order + m, int64_t{0});
    if (k > 0) {
      T* packed = lapackCopy<T>(a, scratch);
      auto* pivots = scratch.take<lapack_int>(k);
      factor(packed, m, a.cols, pivots);
      for (int64_t i = 0; i < k; ++i) std::swap(order[i], order[pivots[i] - 1]);
      splitFactors(packed, m, l, u);
    }
    for (int64_t i = 0; i < m; ++i) rowOf[order[i]] = static_cast<int32_t>(i);
  });
}

bool permutationOf(const int64_t* pivots, int64_t n, int64_t* permutation) {
  std::iota(permutation, permutation + n, int64_t{0});
  for (int64_t i = 0; i < n; ++i) {
    // Python's negative indices count from the end.
    const int64_t other = pivots[i] < 0 ? pivots[i] + n : pivots[i];
    if (other < 0 || other >= n) return false;
    std::swap(permutation[i], permutation[other]);
  }
  return true;
}

LogDeterminant determinant(const MatrixRef& a, DType dtype) {
  if (a.empty()) return {};
  return withLapackType(dtype, [&]<class T>(std::type_identity<T>) {
    Scratch scratch;
    T* packed = lapackCopy<T>(a, scratch);
    auto* pivots = scratch.take<lapack_int>(a.rows);
    if (factor(packed, a.rows, a.rows, pivots) > 0)
      return LogDeterminant{0, -std::numeric_limits<double>::infinity(), 0};
    int swaps = 0;
    for (int64_t i = 0; i < a.rows; ++i) swaps += pivots[i] != i + 1;
    return fromDiagonal(packed, a.rows, swaps);
  });
}

bool invert(const MatrixRef& a, const MatrixRef& inverse) {
  if (a.empty()) return true;
  return withLapackType(inverse.dtype, [&]<class T>(std::type_identity<T>) {
    Scratch scratch;
    const int64_t n = a.rows;
    T* packed = lapackCopy<T>(a, scratch);
    auto* pivots = scratch.take<lapack_int>(n);
    if (factor(packed, n, n, pivots) != 0) return false;
    T* x = scratch.take<T>(n * n);
    std::fill(x, x + n * n, T(0));
    for (int64_t i = 0; i < n; ++i) x[i * n + i] = T(1);
    const auto size = static_cast<lapack_int>(n);
    Lapack<T>::getrs(kColumns, 'N', size, size, packed, size, pivots, x, size);
    copyOut(x, n, inverse);
    return true;
  });
}

void tridiagonalFactor(const MatrixRef& below, const MatrixRef& main, const MatrixRef& above,
                       const MatrixRef& above2, int32_t* pivots) {
  if (main.empty()) return;
  withLapackType(main.dtype, [&]<class T>(std::type_identity<T>) {
    Lapack<T>::gttrf(static_cast<lapack_int>(main.rows), contiguous<T>(below), contiguous<T>(main),
                     contiguous<T>(above), contiguous<T>(above2), pivots);
  });
}

bool tridiagonalSolve(const MatrixRef& below, const MatrixRef& main, const MatrixRef& above,
                      const MatrixRef& above2, const MatrixRef& pivots, bool transposed, const MatrixRef& x) {
  if (x.empty()) return true;
  Scratch scratch;
  const int64_t n = main.rows;
  auto* swaps = scratch.take<int32_t>(n);
  copyMatrix(pivots, columnMajor(swaps, DType::Int32, n, 1));
  for (int64_t i = 0; i + 1 < n; ++i)
    if (swaps[i] != i + 1 && swaps[i] != i + 2) return false;
  withLapackType(x.dtype, [&]<class T>(std::type_identity<T>) {
    T* b = lapackCopy<T>(x, scratch);
    const auto size = static_cast<lapack_int>(n);
    Lapack<T>::gttrs(kColumns, transposed ? 'T' : 'N', size, static_cast<lapack_int>(x.cols),
                     vectorCopy<T>(below, scratch), vectorCopy<T>(main, scratch),
                     vectorCopy<T>(above, scratch), vectorCopy<T>(above2, scratch), swaps, b, size);
    copyOut(b, n, x);
  });
  return true;
}

} // namespace nodewise::linalg
