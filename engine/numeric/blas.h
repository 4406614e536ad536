// CBLAS under one name for the four element types. All matrices are row-major, unless an order is asked for.
#pragma once

// Debian has the headers of several BLAS libraries side by side; this name is OpenBLAS's own.
#include <cblas-openblas.h>

#include <complex>

namespace nodewise::blas {

using C = std::complex<float>;
using Z = std::complex<double>;
using Trans = CBLAS_TRANSPOSE;

inline constexpr CBLAS_ORDER kRows = CblasRowMajor;

// z = beta z + alpha op(x) op(y)
inline void gemm(Trans tx, Trans ty, int m, int n, int k, float alpha, const float* x, int ldx,
                 const float* y, int ldy, float beta, float* z, int ldz) {
  cblas_sgemm(kRows, tx, ty, m, n, k, alpha, x, ldx, y, ldy, beta, z, ldz);
}
inline void gemm(Trans tx, Trans ty, int m, int n, int k, double alpha, const double* x, int ldx,
                 const double* y, int ldy, double beta, double* z, int ldz) {
  cblas_dgemm(kRows, tx, ty, m, n, k, alpha, x, ldx, y, ldy, beta, z, ldz);
}
inline void gemm(Trans tx, Trans ty, int m, int n, int k, C alpha, const C* x, int ldx, const C* y, int ldy,
                 C beta, C* z, int ldz) {
  cblas_cgemm(kRows, tx, ty, m, n, k, &alpha, x, ldx, y, ldy, &beta, z, ldz);
}
inline void gemm(Trans tx, Trans ty, int m, int n, int k, Z alpha, const Z* x, int ldx, const Z* y, int ldy,
                 Z beta, Z* z, int ldz) {
  cblas_zgemm(kRows, tx, ty, m, n, k, &alpha, x, ldx, y, ldy, &beta, z, ldz);
}

// y = beta y + alpha op(a) x; `m` and `n` are those of a as it is stored
inline void gemv(Trans ta, int m, int n, float alpha, const float* a, int lda, const float* x, int incx,
                 float beta, float* y, int incy) {
  cblas_sgemv(kRows, ta, m, n, alpha, a, lda, x, incx, beta, y, incy);
}
inline void gemv(Trans ta, int m, int n, double alpha, const double* a, int lda, const double* x, int incx,
                 double beta, double* y, int incy) {
  cblas_dgemv(kRows, ta, m, n, alpha, a, lda, x, incx, beta, y, incy);
}
inline void gemv(Trans ta, int m, int n, C alpha, const C* a, int lda, const C* x, int incx, C beta, C* y,
                 int incy) {
  cblas_cgemv(kRows, ta, m, n, &alpha, a, lda, x, incx, &beta, y, incy);
}
inline void gemv(Trans ta, int m, int n, Z alpha, const Z* a, int lda, const Z* x, int incx, Z beta, Z* y,
                 int incy) {
  cblas_zgemv(kRows, ta, m, n, &alpha, a, lda, x, incx, &beta, y, incy);
}

// a = a + alpha x y^T (complex ones are not conjugated)
inline void ger(int m, int n, float alpha, const float* x, int incx, const float* y, int incy, float* a,
                int lda) {
  cblas_sger(kRows, m, n, alpha, x, incx, y, incy, a, lda);
}
inline void ger(int m, int n, double alpha, const double* x, int incx, const double* y, int incy, double* a,
                int lda) {
  cblas_dger(kRows, m, n, alpha, x, incx, y, incy, a, lda);
}
inline void ger(int m, int n, C alpha, const C* x, int incx, const C* y, int incy, C* a, int lda) {
  cblas_cgeru(kRows, m, n, &alpha, x, incx, y, incy, a, lda);
}
inline void ger(int m, int n, Z alpha, const Z* x, int incx, const Z* y, int incy, Z* a, int lda) {
  cblas_zgeru(kRows, m, n, &alpha, x, incx, y, incy, a, lda);
}

// b = op(a)^-1 b, a triangular (n, n), b (n, k)
inline void trsm(CBLAS_ORDER order, CBLAS_UPLO uplo, Trans ta, CBLAS_DIAG diag, int n, int k, const float* a,
                 int lda, float* b, int ldb) {
  cblas_strsm(order, CblasLeft, uplo, ta, diag, n, k, 1.0F, a, lda, b, ldb);
}
inline void trsm(CBLAS_ORDER order, CBLAS_UPLO uplo, Trans ta, CBLAS_DIAG diag, int n, int k, const double* a,
                 int lda, double* b, int ldb) {
  cblas_dtrsm(order, CblasLeft, uplo, ta, diag, n, k, 1.0, a, lda, b, ldb);
}
inline void trsm(CBLAS_ORDER order, CBLAS_UPLO uplo, Trans ta, CBLAS_DIAG diag, int n, int k, const C* a,
                 int lda, C* b, int ldb) {
  const C one(1);
  cblas_ctrsm(order, CblasLeft, uplo, ta, diag, n, k, &one, a, lda, b, ldb);
}
inline void trsm(CBLAS_ORDER order, CBLAS_UPLO uplo, Trans ta, CBLAS_DIAG diag, int n, int k, const Z* a,
                 int lda, Z* b, int ldb) {
  const Z one(1);
  cblas_ztrsm(order, CblasLeft, uplo, ta, diag, n, k, &one, a, lda, b, ldb);
}

// x = op(a)^-1 x, a triangular (n, n)
inline void trsv(CBLAS_UPLO uplo, Trans ta, CBLAS_DIAG diag, int n, const float* a, int lda, float* x) {
  cblas_strsv(kRows, uplo, ta, diag, n, a, lda, x, 1);
}
inline void trsv(CBLAS_UPLO uplo, Trans ta, CBLAS_DIAG diag, int n, const double* a, int lda, double* x) {
  cblas_dtrsv(kRows, uplo, ta, diag, n, a, lda, x, 1);
}
inline void trsv(CBLAS_UPLO uplo, Trans ta, CBLAS_DIAG diag, int n, const C* a, int lda, C* x) {
  cblas_ctrsv(kRows, uplo, ta, diag, n, a, lda, x, 1);
}
inline void trsv(CBLAS_UPLO uplo, Trans ta, CBLAS_DIAG diag, int n, const Z* a, int lda, Z* x) {
  cblas_ztrsv(kRows, uplo, ta, diag, n, a, lda, x, 1);
}

} // namespace nodewise::blas
