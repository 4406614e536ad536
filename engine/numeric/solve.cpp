#include "numeric/solve.h"

#include "numeric/lapack.h"

namespace nodewise::linalg {

namespace {

/// What a solver is called with: a and b are Fortran-contiguous copies.
template <class T> struct System {
  T* a;
  T* b;
  lapack_int n, k;
  char uplo;
  Scratch& scratch;
};

template <class T> bool solveGeneral(const System<T>& s) {
  auto* pivots = s.scratch.template take<lapack_int>(s.n);
  if (Lapack<T>::getrf(kColumns, s.n, s.n, s.a, s.n, pivots) != 0) return false;
  Lapack<T>::getrs(kColumns, 'N', s.n, s.k, s.a, s.n, pivots, s.b, s.n);
  return true;
}

template <class T> bool solvePositive(const System<T>& s) {
  if (Lapack<T>::potrf(kColumns, s.uplo, s.n, s.a, s.n) != 0) return false;
  return Lapack<T>::potrs(kColumns, s.uplo, s.n, s.k, s.a, s.n, s.b, s.n) == 0;
}

/// Factor and solve are LAPACK's sytrf and sytrs, or hetrf and hetrs.
template <class T, class FactorFn, class SolveFn>
bool solveIndefinite(const System<T>& s, FactorFn factor, SolveFn solveWith) {
  auto* pivots = s.scratch.template take<lapack_int>(s.n);
  T query{};
  factor(kColumns, s.uplo, s.n, s.a, s.n, pivots, &query, -1);
  const lapack_int length = workLength(query);
  T* work = s.scratch.template take<T>(length);
  if (factor(kColumns, s.uplo, s.n, s.a, s.n, pivots, work, length) != 0) return false;
  return solveWith(kColumns, s.uplo, s.n, s.k, s.a, s.n, pivots, s.b, s.n) == 0;
}

template <class T> bool isTridiagonal(const System<T>& s) {
  for (lapack_int j = 0; j < s.n; ++j)
    for (lapack_int i = 0; i < s.n; ++i)
      if (std::abs(i - j) > 1 && s.a[static_cast<int64_t>(j) * s.n + i] != T(0)) return false;
  return true;
}

template <class T> bool solveTridiagonal(const System<T>& s) {
  if (!isTridiagonal(s)) return solveGeneral(s);
  T* below = s.scratch.template take<T>(s.n);
  T* main = s.scratch.template take<T>(s.n);
  T* above = s.scratch.template take<T>(s.n);
  const int64_t n = s.n;
  for (int64_t i = 0; i < n; ++i) {
    main[i] = s.a[i * n + i];
    if (i + 1 == n) break;
    below[i] = s.a[i * n + i + 1];
    above[i] = s.a[(i + 1) * n + i];
  }
  return Lapack<T>::gtsv(kColumns, s.n, s.k, below, main, above, s.b, s.n) == 0;
}

template <class T> bool solveAs(Assume assume, const System<T>& s) {
  switch (assume) {
  case Assume::General:
    break;
  case Assume::Symmetric:
    return solveIndefinite(s, Lapack<T>::sytrf, Lapack<T>::sytrs);
  case Assume::Hermitian:
    return solveIndefinite(s, Lapack<T>::hetrf, Lapack<T>::hetrs);
  case Assume::Positive:
    return solvePositive(s);
  case Assume::Tridiagonal:
    return solveTridiagonal(s);
  }
  return solveGeneral(s);
}

/// The memory of x, if LAPACK can write its columns there.
template <class T> T* inPlace(const MatrixRef& x) {
  const bool oneColumn = x.cols == 1 && (x.rows == 1 || x.rowStride == static_cast<int64_t>(sizeof(T)));
  return oneColumn ? reinterpret_cast<T*>(x.data) : nullptr;
}

} // namespace

bool solve(const MatrixRef& a, Assume assume, bool lower, const MatrixRef& x) {
  if (x.empty()) return true;
  return withLapackType(x.dtype, [&]<class T>(std::type_identity<T>) {
    Scratch scratch;
    T* b = inPlace<T>(x);
    const bool copied = b == nullptr;
    if (copied) b = lapackCopy<T>(x, scratch);
    T* matrix = lapackCopy<T>(a, scratch);
    const auto n = static_cast<lapack_int>(x.rows), k = static_cast<lapack_int>(x.cols);
    if (!solveAs<T>(assume, {matrix, b, n, k, lower ? 'L' : 'U', scratch})) return false;
    if (copied) copyOut(b, n, x);
    return true;
  });
}

} // namespace nodewise::linalg
