// Solving with the factors of LAPACK's getrf.
#pragma once

#include "numeric/blas.h"
#include "numeric/lapack.h"

#include <algorithm>
#include <cstdint>

namespace nodewise::linalg {

enum class Transposed : bool { no, yes };

/// b = a^-1 b (or a^-T b) from getrf's result, all Fortran-contiguous; a (n, n), b (n, k). The same as getrs,
/// which OpenBLAS 0.3 hands to its threads however small the matrices are: that costs more than the whole
/// solution.
template <class T>
void luSolve(Transposed transposed, lapack_int n, lapack_int k, const T* lu, const lapack_int* pivots, T* b) {
  const auto swapRows = [&](lapack_int row) {
    const lapack_int other = pivots[row] - 1;
    if (other == row) return;
    for (int64_t j = 0; j < k; ++j) std::swap(b[j * n + row], b[j * n + other]);
  };
  const auto divide = [&](CBLAS_UPLO uplo, CBLAS_TRANSPOSE trans, CBLAS_DIAG diag) {
    blas::trsm(CblasColMajor, uplo, trans, diag, n, k, lu, n, b, n);
  };
  if (transposed == Transposed::no) {
    for (lapack_int i = 0; i < n; ++i) swapRows(i);
    divide(CblasLower, CblasNoTrans, CblasUnit);
    divide(CblasUpper, CblasNoTrans, CblasNonUnit);
  } else {
    divide(CblasUpper, CblasTrans, CblasNonUnit);
    divide(CblasLower, CblasTrans, CblasUnit);
    for (lapack_int i = n; i-- > 0;) swapRows(i);
  }
}

} // namespace nodewise::linalg
