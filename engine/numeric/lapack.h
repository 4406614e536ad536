// LAPACK's routines by element type: Lapack<double>::potrf is LAPACKE_dpotrf_work. These forms take
// workspaces, do no scan for not-a-number of their own, and allocate nothing for column-major matrices.
#pragma once

#include <complex>

#define LAPACK_COMPLEX_CUSTOM
#define lapack_complex_float std::complex<float>
#define lapack_complex_double std::complex<double>
#include <lapacke.h>

namespace nodewise::linalg {

/// Arguments are LAPACKE's, the first of which is kColumns.
template <class T> struct Lapack;

inline constexpr int kColumns = LAPACK_COL_MAJOR;

// clang-format off
#define NODEWISE_LAPACK_COMMON(p)                                                                            \
  static constexpr auto potrf = LAPACKE_##p##potrf_work;                                                     \
  static constexpr auto potrs = LAPACKE_##p##potrs_work;                                                     \
  static constexpr auto getrf = LAPACKE_##p##getrf_work;                                                     \
  static constexpr auto getrs = LAPACKE_##p##getrs_work;                                                     \
  static constexpr auto sytrf = LAPACKE_##p##sytrf_work;                                                     \
  static constexpr auto sytrs = LAPACKE_##p##sytrs_work;                                                     \
  static constexpr auto gtsv = LAPACKE_##p##gtsv_work;                                                       \
  static constexpr auto gttrf = LAPACKE_##p##gttrf_work;                                                     \
  static constexpr auto gttrs = LAPACKE_##p##gttrs_work;                                                     \
  static constexpr auto geqrf = LAPACKE_##p##geqrf_work;                                                     \
  static constexpr auto geqp3 = LAPACKE_##p##geqp3_work;                                                     \
  static constexpr auto gesdd = LAPACKE_##p##gesdd_work;                                                     \
  static constexpr auto geev = LAPACKE_##p##geev_work;                                                       \
  static constexpr auto gees = LAPACKE_##p##gees_work;                                                       \
  static constexpr auto gges = LAPACKE_##p##gges_work;                                                       \
  static constexpr auto tgsen = LAPACKE_##p##tgsen_work;                                                     \
  static constexpr auto trsyl = LAPACKE_##p##trsyl_work;                                                     \
  static constexpr auto gelsd = LAPACKE_##p##gelsd_work;

#define NODEWISE_LAPACK_REAL(p)                                                                              \
  NODEWISE_LAPACK_COMMON(p)                                                                                  \
  static constexpr auto hetrf = LAPACKE_##p##sytrf_work;                                                     \
  static constexpr auto hetrs = LAPACKE_##p##sytrs_work;                                                     \
  static constexpr auto heevr = LAPACKE_##p##syevr_work;                                                     \
  static constexpr auto heevd = LAPACKE_##p##syevd_work;                                                     \
  static constexpr auto hegvd = LAPACKE_##p##sygvd_work;                                                     \
  static constexpr auto ungqr = LAPACKE_##p##orgqr_work;

#define NODEWISE_LAPACK_COMPLEX(p)                                                                           \
  NODEWISE_LAPACK_COMMON(p)                                                                                  \
  static constexpr auto hetrf = LAPACKE_##p##hetrf_work;                                                     \
  static constexpr auto hetrs = LAPACKE_##p##hetrs_work;                                                     \
  static constexpr auto heevr = LAPACKE_##p##heevr_work;                                                     \
  static constexpr auto heevd = LAPACKE_##p##heevd_work;                                                     \
  static constexpr auto hegvd = LAPACKE_##p##hegvd_work;                                                     \
  static constexpr auto ungqr = LAPACKE_##p##ungqr_work;
// clang-format on

template <> struct Lapack<float> { NODEWISE_LAPACK_REAL(s) };
template <> struct Lapack<double> { NODEWISE_LAPACK_REAL(d) };
template <> struct Lapack<std::complex<float>> { NODEWISE_LAPACK_COMPLEX(c) };
template <> struct Lapack<std::complex<double>> { NODEWISE_LAPACK_COMPLEX(z) };

#undef NODEWISE_LAPACK_COMMON
#undef NODEWISE_LAPACK_REAL
#undef NODEWISE_LAPACK_COMPLEX

/// The length of a workspace that a query (lwork -1) asked for in work[0].
template <class T> lapack_int workLength(T first) {
  const double length = static_cast<double>(std::real(first));
  return length < 1 ? 1 : static_cast<lapack_int>(length);
}

} // namespace nodewise::linalg
