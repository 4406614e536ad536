#include "numeric/lapack_schur.h"

#include "numeric/lapack.h"

#include <algorithm>
#include <cmath>

namespace nodewise::linalg {

namespace {

/// LAPACK asks about one eigenvalue at a time through a plain function: one for each order.
template <class R, SchurSort sort> bool comesFirst(std::complex<R> w) {
  switch (sort) {
  case SchurSort::LeftHalfPlane:
    return w.real() < 0;
  case SchurSort::RightHalfPlane:
    return w.real() >= 0;
  case SchurSort::InsideCircle:
    return std::abs(w) <= 1;
  case SchurSort::OutsideCircle:
    return std::abs(w) > 1;
  case SchurSort::None:
    break;
  }
  return false;
}

template <class T, SchurSort sort> struct Select {
  static lapack_logical select(const T* w) { return comesFirst<Real<T>, sort>(*w); }
};
template <SchurSort sort> struct Select<float, sort> {
  static lapack_logical select(const float* re, const float* im) {
    return comesFirst<float, sort>({*re, *im});
  }
};
template <SchurSort sort> struct Select<double, sort> {
  static lapack_logical select(const double* re, const double* im) {
    return comesFirst<double, sort>({*re, *im});
  }
};

/// The selection function of an order, for gees.
template <class T> auto selectFunction(SchurSort sort) {
  switch (sort) {
  case SchurSort::LeftHalfPlane:
    return &Select<T, SchurSort::LeftHalfPlane>::select;
  case SchurSort::RightHalfPlane:
    return &Select<T, SchurSort::RightHalfPlane>::select;
  case SchurSort::InsideCircle:
    return &Select<T, SchurSort::InsideCircle>::select;
  case SchurSort::OutsideCircle:
    return &Select<T, SchurSort::OutsideCircle>::select;
  case SchurSort::None:
    break;
  }
  return &Select<T, SchurSort::None>::select;
}

/// gees: t replaces a.
template <class T> bool decompose(SchurSort sort, lapack_int n, T* a, T* z) {
  Scratch scratch;
  lapack_int sorted = 0;
  auto* flags = scratch.take<lapack_logical>(n);
  auto* re = scratch.take<Real<T>>(n);
  auto* im = scratch.take<Real<T>>(n);
  T* w = scratch.take<T>(n);
  const char order = sort == SchurSort::None ? 'N' : 'S';
  const auto run = [&](T* work, lapack_int length) {
    if constexpr (isComplexType<T>)
      return Lapack<T>::gees(kColumns, 'V', order, selectFunction<T>(sort), n, a, n, &sorted, w, z, n, work,
                             length, re, flags);
    else
      return Lapack<T>::gees(kColumns, 'V', order, selectFunction<T>(sort), n, a, n, &sorted, re, im, z, n,
                             work, length, flags);
  };
  T query{};
  if (run(&query, -1) != 0) return false;
  const lapack_int length = workLength(query);
  return run(scratch.take<T>(length), length) == 0;
}

/// Working memory of one generalised problem, Fortran-contiguous.
template <class T> struct Pencil {
  lapack_int n;
  T *a, *b, *q, *z;
  Real<T>*re, *im; ///< real T: alpha
  T *alpha, *beta; ///< complex T: alpha
};

template <class T> bool decomposePencil(const Pencil<T>& p) {
  Scratch scratch;
  lapack_int sorted = 0;
  auto* flags = scratch.take<lapack_logical>(p.n);
  auto* reals = scratch.take<Real<T>>(8 * int64_t{p.n});
  const auto run = [&](T* work, lapack_int length) {
    if constexpr (isComplexType<T>)
      return Lapack<T>::gges(kColumns, 'V', 'V', 'N', nullptr, p.n, p.a, p.n, p.b, p.n, &sorted, p.alpha,
                             p.beta, p.q, p.n, p.z, p.n, work, length, reals, flags);
    else
      return Lapack<T>::gges(kColumns, 'V', 'V', 'N', nullptr, p.n, p.a, p.n, p.b, p.n, &sorted, p.re, p.im,
                             p.beta, p.q, p.n, p.z, p.n, work, length, flags);
  };
  T query{};
  if (run(&query, -1) != 0) return false;
  const lapack_int length = workLength(query);
  return run(scratch.take<T>(length), length) == 0;
}

template <class T> std::complex<double> alphaOf(const Pencil<T>& p, int64_t i) {
  if constexpr (isComplexType<T>)
    return std::complex<double>(p.alpha[i]);
  else
    return {static_cast<double>(p.re[i]), static_cast<double>(p.im[i])};
}

/// Whether the eigenvalue alpha / beta comes first. An infinite one is outside of the circle and in neither
/// half.
bool pencilFirst(SchurSort sort, std::complex<double> alpha, std::complex<double> beta) {
  if (beta == 0.0) return sort == SchurSort::OutsideCircle && alpha != 0.0;
  const std::complex<double> w = alpha / beta;
  switch (sort) {
  case SchurSort::LeftHalfPlane:
    return w.real() < 0;
  case SchurSort::RightHalfPlane:
    return w.real() > 0;
  case SchurSort::InsideCircle:
    return std::abs(w) < 1;
  case SchurSort::OutsideCircle:
    return std::abs(w) > 1;
  case SchurSort::None:
    break;
  }
  return false;
}

/// tgsen: moves the chosen eigenvalues to the front.
template <class T> bool reorderPencil(const Pencil<T>& p, SchurSort sort) {
  Scratch scratch;
  auto* chosen = scratch.take<lapack_logical>(p.n);
  for (lapack_int i = 0; i < p.n; ++i)
    chosen[i] = pencilFirst(sort, alphaOf(p, i), std::complex<double>(p.beta[i]));
  lapack_int count = 0, integer = 0;
  Real<T> left{}, right{}, separation[2]{};
  const lapack_int length = 4 * p.n + 16;
  T* work = scratch.take<T>(length);
  if constexpr (isComplexType<T>)
    return Lapack<T>::tgsen(kColumns, 0, 1, 1, chosen, p.n, p.a, p.n, p.b, p.n, p.alpha, p.beta, p.q, p.n,
                            p.z, p.n, &count, &left, &right, separation, work, length, &integer, 1) == 0;
  else
    return Lapack<T>::tgsen(kColumns, 0, 1, 1, chosen, p.n, p.a, p.n, p.b, p.n, p.re, p.im, p.beta, p.q, p.n,
                            p.z, p.n, &count, &left, &right, separation, work, length, &integer, 1) == 0;
}

void undefined(const QzParts& parts) {
  for (const MatrixRef& part : {parts.aa, parts.bb, parts.q, parts.z, parts.alpha, parts.beta})
    if (part.data) fillNaN(part);
}

template <class T>
bool decomposeTo(const MatrixRef& a, const MatrixRef& b, SchurSort sort, const QzParts& parts) {
  Scratch scratch;
  const int64_t n = a.rows;
  Pencil<T> p{static_cast<lapack_int>(n), lapackCopy<T>(a, scratch), lapackCopy<T>(b, scratch),
              scratch.take<T>(n * n),     scratch.take<T>(n * n),    scratch.take<Real<T>>(n),
              scratch.take<Real<T>>(n),   scratch.take<T>(n),        scratch.take<T>(n)};
  if (!decomposePencil(p)) return false;
  if (sort != SchurSort::None && !reorderPencil(p, sort)) return false;
  copyOut(p.a, n, parts.aa);
  copyOut(p.b, n, parts.bb);
  copyOut(p.q, n, parts.q);
  copyOut(p.z, n, parts.z);
  if (parts.beta.data) copyOut(p.beta, n, parts.beta);
  for (int64_t i = 0; parts.alpha.data && i < n; ++i) {
    const MatrixRef place{parts.alpha.at(i, 0), parts.alpha.dtype, 1, 1, 0, 0};
    fillMatrix(place, alphaOf(p, i));
  }
  return true;
}

} // namespace

void schur(const MatrixRef& a, SchurSort sort, const MatrixRef& t, const MatrixRef& z) {
  if (a.empty()) return;
  const bool done = allFinite(a) && withLapackType(t.dtype, [&]<class T>(std::type_identity<T>) {
                      Scratch scratch;
                      const int64_t n = a.rows;
                      T* form = lapackCopy<T>(a, scratch);
                      T* vectors = scratch.take<T>(n * n);
                      if (!decompose<T>(sort, static_cast<lapack_int>(n), form, vectors)) return false;
                      copyOut(form, n, t);
                      copyOut(vectors, n, z);
                      return true;
                    });
  if (done) return;
  fillNaN(t);
  fillNaN(z);
}

void generalizedSchur(const MatrixRef& a, const MatrixRef& b, SchurSort sort, const QzParts& parts) {
  if (a.empty()) return;
  const bool done =
      allFinite(a) && allFinite(b) && withLapackType(parts.aa.dtype, [&]<class T>(std::type_identity<T>) {
        return decomposeTo<T>(a, b, sort, parts);
      });
  if (!done) undefined(parts);
}

void solveSylvester(const MatrixRef& a, const MatrixRef& b, const MatrixRef& x) {
  if (x.empty()) return;
  withLapackType(x.dtype, [&]<class T>(std::type_identity<T>) {
    Scratch scratch;
    const auto m = static_cast<lapack_int>(x.rows), n = static_cast<lapack_int>(x.cols);
    T* c = lapackCopy<T>(x, scratch);
    Real<T> scale = 1;
    Lapack<T>::trsyl(kColumns, 'N', 'N', 1, m, n, lapackCopy<T>(a, scratch), m, lapackCopy<T>(b, scratch), n,
                     c, m, &scale);
    if (scale != 1)
      for (int64_t i = 0; i < x.rows * x.cols; ++i) c[i] /= scale;
    copyOut(c, x.rows, x);
  });
}

} // namespace nodewise::linalg
