#include "numeric/lapack_eigen.h"

#include "numeric/lapack.h"

#include <algorithm>

namespace nodewise::linalg {

namespace {

/// geev of a complex matrix.
template <class T> bool complexEigen(lapack_int n, T* a, T* w, T* v, Scratch& scratch) {
  auto* reals = scratch.take<Real<T>>(2 * int64_t{n});
  const auto run = [&](T* work, lapack_int length) {
    return Lapack<T>::geev(kColumns, 'N', 'V', n, a, n, w, nullptr, 1, v, n, work, length, reals);
  };
  T query{};
  if (run(&query, -1) != 0) return false;
  const lapack_int length = workLength(query);
  return run(scratch.take<T>(length), length) == 0;
}

/// geev of a real matrix: column pairs of a complex pair of eigenvalues hold the real and the imaginary part.
template <class R>
bool realEigen(lapack_int n, R* a, std::complex<R>* w, std::complex<R>* v, Scratch& scratch) {
  R* re = scratch.take<R>(n);
  R* im = scratch.take<R>(n);
  R* packed = scratch.take<R>(int64_t{n} * n);
  const auto run = [&](R* work, lapack_int length) {
    return Lapack<R>::geev(kColumns, 'N', 'V', n, a, n, re, im, nullptr, 1, packed, n, work, length);
  };
  R query{};
  if (run(&query, -1) != 0) return false;
  const lapack_int length = workLength(query);
  if (run(scratch.take<R>(length), length) != 0) return false;
  for (int64_t j = 0; j < n; ++j) {
    w[j] = {re[j], im[j]};
    const R* column = packed + j * n;
    const bool pair = im[j] != 0 && j + 1 < n;
    for (int64_t i = 0; i < n; ++i)
      v[j * n + i] = pair ? std::complex<R>(column[i], column[n + i]) : column[i];
    if (!pair) continue;
    ++j;
    w[j] = {re[j], im[j]};
    for (int64_t i = 0; i < n; ++i) v[j * n + i] = std::conj(v[(j - 1) * n + i]);
  }
  return true;
}

/// Runs a routine with workspaces of T, of T's parts, and of integers, whose lengths it is asked for first.
/// `routine(work, lwork, reals, lreals, integers, lintegers)`; real routines ignore `reals`.
template <class T, class Routine> bool withWorkspaces(Scratch& scratch, Routine routine) {
  T work{};
  Real<T> reals{};
  lapack_int integers = 0;
  if (routine(&work, -1, &reals, -1, &integers, -1) != 0) return false;
  const lapack_int n = workLength(work), realCount = isComplexType<T> ? workLength(reals) : 1,
                   integerCount = std::max(1, integers);
  return routine(scratch.take<T>(n), n, scratch.take<Real<T>>(realCount), realCount,
                 scratch.take<lapack_int>(integerCount), integerCount) == 0;
}

/// syevd or heevd: the vectors replace a.
template <class T>
bool divideAndConquer(char job, char uplo, lapack_int n, T* a, Real<T>* w, Scratch& scratch) {
  return withWorkspaces<T>(scratch, [&](T* work, lapack_int lwork, Real<T>* reals, lapack_int lreals,
                                        lapack_int* integers, lapack_int lintegers) {
    if constexpr (isComplexType<T>)
      return Lapack<T>::heevd(kColumns, job, uplo, n, a, n, w, work, lwork, reals, lreals, integers,
                              lintegers);
    else
      return Lapack<T>::heevd(kColumns, job, uplo, n, a, n, w, work, lwork, integers, lintegers);
  });
}

/// syevr or heevr: the vectors go to v.
template <class T> bool robust(char job, char uplo, lapack_int n, T* a, Real<T>* w, T* v, Scratch& scratch) {
  lapack_int found = 0;
  auto* support = scratch.take<lapack_int>(2 * int64_t{n});
  return withWorkspaces<T>(scratch, [&](T* work, lapack_int lwork, Real<T>* reals, lapack_int lreals,
                                        lapack_int* integers, lapack_int lintegers) {
    if constexpr (isComplexType<T>)
      return Lapack<T>::heevr(kColumns, job, 'A', uplo, n, a, n, 0, 0, 0, 0, 0, &found, w, v, n, support,
                              work, lwork, reals, lreals, integers, lintegers);
    else
      return Lapack<T>::heevr(kColumns, job, 'A', uplo, n, a, n, 0, 0, 0, 0, 0, &found, w, v, n, support,
                              work, lwork, integers, lintegers);
  });
}

template <class T>
bool generalized(char job, char uplo, lapack_int n, T* a, T* b, Real<T>* w, Scratch& scratch) {
  return withWorkspaces<T>(scratch, [&](T* work, lapack_int lwork, Real<T>* reals, lapack_int lreals,
                                        lapack_int* integers, lapack_int lintegers) {
    if constexpr (isComplexType<T>)
      return Lapack<T>::hegvd(kColumns, 1, job, uplo, n, a, n, b, n, w, work, lwork, reals, lreals, integers,
                              lintegers);
    else
      return Lapack<T>::hegvd(kColumns, 1, job, uplo, n, a, n, b, n, w, work, lwork, integers, lintegers);
  });
}

DType complexOf(DType real) { return real == DType::Float32 ? DType::Complex64 : DType::Complex128; }

/// What a Hermitian problem is computed in.
DType workDType(bool complexInput, const MatrixRef& w, const MatrixRef& v) {
  if (v.data) return v.dtype;
  return complexInput ? complexOf(w.dtype) : w.dtype;
}

} // namespace

bool generalEigen(const MatrixRef& a, const MatrixRef& w, const MatrixRef& v) {
  if (a.empty()) return true;
  if (!allFinite(a)) return false;
  return withLapackType(w.dtype, [&]<class T>(std::type_identity<T>) {
    if constexpr (!isComplexType<T>) {
      return false;
    } else {
      Scratch scratch;
      const auto n = static_cast<lapack_int>(a.rows);
      T* values = scratch.take<T>(n);
      T* vectors = scratch.take<T>(int64_t{n} * n);
      const bool found =
          isComplex(a.dtype)
              ? complexEigen<T>(n, lapackCopy<T>(a, scratch), values, vectors, scratch)
              : realEigen<Real<T>>(n, lapackCopy<Real<T>>(a, scratch), values, vectors, scratch);
      if (!found) return false;
      copyOut(values, n, w);
      copyOut(vectors, n, v);
      return true;
    }
  });
}

bool hermitianEigen(const MatrixRef& a, bool lower, EigenDriver driver, const MatrixRef& w,
                    const MatrixRef& v) {
  if (a.empty()) return true;
  if (!allFinite(a)) return false;
  return withLapackType(workDType(isComplex(a.dtype), w, v), [&]<class T>(std::type_identity<T>) {
    Scratch scratch;
    const auto n = static_cast<lapack_int>(a.rows);
    const char job = v.data ? 'V' : 'N', uplo = lower ? 'L' : 'U';
    T* matrix = lapackCopy<T>(a, scratch);
    auto* values = scratch.take<Real<T>>(n);
    T* vectors = matrix;
    bool found = false;
    if (driver == EigenDriver::Robust) {
      vectors = scratch.take<T>(int64_t{n} * n);
      found = robust<T>(job, uplo, n, matrix, values, vectors, scratch);
    } else {
      found = divideAndConquer<T>(job, uplo, n, matrix, values, scratch);
    }
    if (!found) return false;
    copyOut(values, n, w);
    if (v.data) copyOut(vectors, n, v);
    return true;
  });
}

bool generalizedEigen(const MatrixRef& a, const MatrixRef& b, bool lower, const MatrixRef& w,
                      const MatrixRef& v) {
  if (a.empty()) return true;
  if (!allFinite(a) || !allFinite(b)) return false;
  return withLapackType(workDType(isComplex(a.dtype) || isComplex(b.dtype), w, v),
                        [&]<class T>(std::type_identity<T>) {
                          Scratch scratch;
                          const auto n = static_cast<lapack_int>(a.rows);
                          T* matrix = lapackCopy<T>(a, scratch);
                          auto* values = scratch.take<Real<T>>(n);
                          if (!generalized<T>(v.data ? 'V' : 'N', lower ? 'L' : 'U', n, matrix,
                                              lapackCopy<T>(b, scratch), values, scratch))
                            return false;
                          copyOut(values, n, w);
                          if (v.data) copyOut(matrix, n, v);
                          return true;
                        });
}

} // namespace nodewise::linalg
