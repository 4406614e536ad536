#include "numeric/lapack_qr.h"

#include "numeric/lapack.h"

#include <algorithm>
#include <numeric>

namespace nodewise::linalg {

namespace {

/// LAPACK's blocked code multiplies triangles of 32 columns, which OpenBLAS 0.3 hands to its threads however
/// small they are. Matrices of up to this many elements are quicker without; the shortest workspace says so.
constexpr int64_t kUnblocked = int64_t{96} * 96;

template <class T> void factor(T* a, lapack_int m, lapack_int n, T* tau, Scratch& scratch) {
  T query{};
  Lapack<T>::geqrf(kColumns, m, n, a, m, tau, &query, -1);
  const lapack_int length = int64_t{m} * n <= kUnblocked ? n : workLength(query);
  Lapack<T>::geqrf(kColumns, m, n, a, m, tau, scratch.take<T>(length), length);
}

template <class T>
void factorPivoted(T* a, lapack_int m, lapack_int n, T* tau, int32_t* columns, Scratch& scratch) {
  std::fill(columns, columns + n, 0);
  const auto run = [&](T* work, lapack_int length) {
    if constexpr (isComplexType<T>)
      Lapack<T>::geqp3(kColumns, m, n, a, m, columns, tau, work, length,
                       scratch.take<Real<T>>(2 * int64_t{n}));
    else
      Lapack<T>::geqp3(kColumns, m, n, a, m, columns, tau, work, length);
  };
  T query{};
  run(&query, -1);
  const lapack_int length = workLength(query);
  run(scratch.take<T>(length), length);
  for (lapack_int j = 0; j < n; ++j) --columns[j];
}

template <class T> void writeR(const T* packed, int64_t m, const MatrixRef& r) {
  for (int64_t i = 0; i < r.rows; ++i)
    for (int64_t j = 0; j < r.cols; ++j) r.ref<T>(i, j) = i <= j && i < m ? packed[j * m + i] : T(0);
}

/// Q's columns from the reflectors.
template <class T>
void writeQ(const T* packed, int64_t m, int64_t k, const T* tau, const MatrixRef& q, Scratch& scratch) {
  T* columns = scratch.take<T>(m * q.cols);
  std::copy(packed, packed + m * k, columns);
  const auto rows = static_cast<lapack_int>(m), cols = static_cast<lapack_int>(q.cols),
             reflectors = static_cast<lapack_int>(k);
  T query{};
  Lapack<T>::ungqr(kColumns, rows, cols, reflectors, columns, rows, tau, &query, -1);
  const lapack_int length = m * q.cols <= kUnblocked ? std::max(1, cols) : workLength(query);
  Lapack<T>::ungqr(kColumns, rows, cols, reflectors, columns, rows, tau, scratch.take<T>(length), length);
  copyOut(columns, m, q);
}

void fillIdentity(const MatrixRef& m) {
  fillMatrix(m, 0);
  for (int64_t i = 0; i < std::min(m.rows, m.cols); ++i) fillMatrix({m.at(i, i), m.dtype, 1, 1, 0, 0}, 1);
}

/// Nothing to factor: Q is the identity, R has no elements but zeros.
void emptyFactors(const QrParts& parts, int64_t n) {
  if (parts.q.data) fillIdentity(parts.q);
  if (parts.r.data) fillMatrix(parts.r, 0);
  if (parts.columns) std::iota(parts.columns, parts.columns + n, 0);
}

void undefinedFactors(const QrParts& parts, int64_t n) {
  for (const MatrixRef& part : {parts.q, parts.r, parts.packed, parts.tau})
    if (part.data) fillNaN(part);
  std::iota(parts.columns, parts.columns + n, 0);
}

} // namespace

void qrFactor(const MatrixRef& a, DType dtype, const QrParts& parts) {
  if (a.empty()) return emptyFactors(parts, a.cols);
  // LAPACK chooses pivots by comparing norms, which means nothing here.
  if (parts.columns && !allFinite(a)) return undefinedFactors(parts, a.cols);
  withLapackType(dtype, [&]<class T>(std::type_identity<T>) {
    Scratch scratch;
    const auto m = static_cast<lapack_int>(a.rows), n = static_cast<lapack_int>(a.cols), k = std::min(m, n);
    T* packed = lapackCopy<T>(a, scratch);
    T* tau = scratch.take<T>(k);
    if (parts.columns)
      factorPivoted(packed, m, n, tau, parts.columns, scratch);
    else
      factor(packed, m, n, tau, scratch);
    if (parts.r.data) writeR(packed, m, parts.r);
    if (parts.packed.data) copyOut(packed, m, parts.packed);
    if (parts.tau.data) copyOut(tau, k, parts.tau);
    if (parts.q.data) writeQ(packed, m, k, tau, parts.q, scratch);
  });
}

} // namespace nodewise::linalg
