#include "numeric/lapack_svd.h"

#include "numeric/lapack.h"
#include "numeric/lapack_eigen.h"
#include "numeric/products.h"

#include <algorithm>
#include <cmath>

namespace nodewise::linalg {

namespace {

/// Elements of gesdd's real workspace for complex matrices, by its documentation.
int64_t realWorkLength(int64_t m, int64_t n) {
  const int64_t least = std::min(m, n), most = std::max(m, n);
  return std::max(5 * least * least + 7 * least, 2 * most * least + 2 * least * least + least);
}

/// gesdd on Fortran-contiguous memory; a is overwritten.
template <class T>
bool decompose(char job, int64_t m, int64_t n, T* a, Real<T>* s, T* u, T* vh, int64_t vhRows) {
  Scratch scratch;
  const int64_t k = std::min(m, n);
  auto* integers = scratch.take<lapack_int>(8 * k);
  auto* reals = isComplexType<T> ? scratch.take<Real<T>>(realWorkLength(m, n)) : nullptr;
  const auto rows = static_cast<lapack_int>(m), cols = static_cast<lapack_int>(n),
             ldv = static_cast<lapack_int>(std::max<int64_t>(1, vhRows));
  const auto run = [&](T* work, lapack_int length) {
    if constexpr (isComplexType<T>)
      return Lapack<T>::gesdd(kColumns, job, rows, cols, a, rows, s, u, rows, vh, ldv, work, length, reals,
                              integers);
    else
      return Lapack<T>::gesdd(kColumns, job, rows, cols, a, rows, s, u, rows, vh, ldv, work, length,
                              integers);
  };
  T query{};
  if (run(&query, -1) != 0) return false;
  const lapack_int length = workLength(query);
  return run(scratch.take<T>(length), length) == 0;
}

void fillIdentity(const MatrixRef& m) {
  if (m.empty()) return;
  fillMatrix(m, 0);
  for (int64_t i = 0; i < std::min(m.rows, m.cols); ++i) fillMatrix({m.at(i, i), m.dtype, 1, 1, 0, 0}, 1);
}

/// Column j of m times factors[j].
template <class T> void scaleColumns(T* m, int64_t rows, int64_t cols, const Real<T>* factors) {
  for (int64_t j = 0; j < cols; ++j)
    for (int64_t i = 0; i < rows; ++i) m[j * rows + i] *= factors[j];
}

template <class T> void conjugate(T* m, int64_t count) {
  if constexpr (isComplexType<T>)
    for (int64_t i = 0; i < count; ++i) m[i] = std::conj(m[i]);
}

/// 1 / value, or 0 where it is below the cutoff of the greatest.
template <class R> void reciprocals(R* values, int64_t count) {
  R greatest = 0;
  for (int64_t i = 0; i < count; ++i) greatest = std::max(greatest, std::abs(values[i]));
  const R cutoff = static_cast<R>(1e-15) * greatest;
  for (int64_t i = 0; i < count; ++i) values[i] = std::abs(values[i]) > cutoff ? 1 / values[i] : 0;
}

template <class T> bool hermitianPseudoInverse(const MatrixRef& a, const MatrixRef& out) {
  Scratch scratch;
  const int64_t n = a.rows;
  const DType dtype = lapackDType<T>;
  auto* w = scratch.take<Real<T>>(n);
  T* v = scratch.take<T>(n * n);
  const MatrixRef vectors = columnMajor(v, dtype, n, n);
  if (!hermitianEigen(a, true, EigenDriver::DivideAndConquer, columnMajor(w, lapackDType<Real<T>>, n, 1),
                      vectors))
    return false;
  T* scaled = scratch.take<T>(n * n);
  std::copy(v, v + n * n, scaled);
  reciprocals(w, n);
  scaleColumns(scaled, n, n, w);
  conjugate(v, n * n);
  multiply(out, 1, columnMajor(scaled, dtype, n, n), vectors.transposed(), 0);
  return true;
}

template <class T> bool generalPseudoInverse(const MatrixRef& a, const MatrixRef& out) {
  Scratch scratch;
  const int64_t m = a.rows, n = a.cols, k = std::min(m, n);
  const DType dtype = lapackDType<T>;
  auto* s = scratch.take<Real<T>>(k);
  T* u = scratch.take<T>(m * k);
  T* vh = scratch.take<T>(k * n);
  if (!decompose('S', m, n, lapackCopy<T>(a, scratch), s, u, vh, k)) return false;
  reciprocals(s, k);
  scaleColumns(u, m, k, s);
  conjugate(u, m * k);
  conjugate(vh, k * n);
  multiply(out, 1, columnMajor(vh, dtype, k, n).transposed(), columnMajor(u, dtype, m, k).transposed(), 0);
  return true;
}

} // namespace

bool singularValues(const MatrixRef& a, DType dtype, const MatrixRef& u, const MatrixRef& s,
                    const MatrixRef& vh) {
  if (a.empty()) {
    if (u.data) fillIdentity(u);
    if (vh.data) fillIdentity(vh);
    return true;
  }
  if (!allFinite(a)) return false;
  return withLapackType(dtype, [&]<class T>(std::type_identity<T>) {
    Scratch scratch;
    const int64_t m = a.rows, n = a.cols, k = std::min(m, n);
    const bool vectors = u.data != nullptr, full = vectors && u.cols == m && vh.rows == n;
    auto* values = scratch.take<Real<T>>(k);
    T* left = scratch.take<T>(vectors ? m * (full ? m : k) : 1);
    T* right = scratch.take<T>(vectors ? n * (full ? n : k) : 1);
    const char job = !vectors ? 'N' : full ? 'A' : 'S';
    const int64_t vhRows = !vectors ? 1 : full ? n : k;
    if (!decompose(job, m, n, lapackCopy<T>(a, scratch), values, left, right, vhRows)) return false;
    copyOut(values, k, s);
    if (vectors) {
      copyOut(left, m, u);
      copyOut(right, vhRows, vh);
    }
    return true;
  });
}

bool pseudoInverse(const MatrixRef& a, bool hermitian, const MatrixRef& out) {
  if (a.empty()) return true;
  if (!allFinite(a)) return false;
  return withLapackType(out.dtype, [&]<class T>(std::type_identity<T>) {
    return hermitian ? hermitianPseudoInverse<T>(a, out) : generalPseudoInverse<T>(a, out);
  });
}

bool leastSquares(const MatrixRef& a, const MatrixRef& b, double rcond, LeastSquares& result) {
  const int64_t m = a.rows, n = a.cols, k = b.cols;
  fillMatrix(result.x, 0);
  fillMatrix(result.residuals, 0);
  result.rank = 0;
  if (a.empty() || !allFinite(a) || !allFinite(b)) return a.empty();
  Scratch scratch;
  const int64_t rows = std::max(m, n), columns = std::max<int64_t>(1, k);
  double* x = scratch.take<double>(rows * columns);
  std::fill(x, x + rows * columns, 0.0);
  MatrixRef right = columnMajor(x, DType::Float64, rows, k);
  right.rows = m;
  copyMatrix(b, right);
  double* values = scratch.take<double>(std::min(m, n));
  double* matrix = lapackCopy<double>(a, scratch);

  const auto run = [&](double* work, lapack_int length, lapack_int* integers) {
    return Lapack<double>::gelsd(kColumns, static_cast<lapack_int>(m), static_cast<lapack_int>(n),
                                 static_cast<lapack_int>(columns), matrix, static_cast<lapack_int>(m), x,
                                 static_cast<lapack_int>(rows), values, rcond, &result.rank, work, length,
                                 integers);
  };
  double query = 0;
  lapack_int integerQuery = 0;
  if (run(&query, -1, &integerQuery) != 0) return false;
  const lapack_int length = workLength(query);
  if (run(scratch.take<double>(length), length, scratch.take<lapack_int>(std::max(1, integerQuery))) != 0)
    return false;
  copyOut(x, rows, result.x);
  copyOut(values, std::min(m, n), result.s);
  for (int64_t j = 0; j < k; ++j)
    for (int64_t i = n; i < m; ++i) result.residuals.ref<double>(j, 0) += x[j * rows + i] * x[j * rows + i];
  return true;
}

} // namespace nodewise::linalg
