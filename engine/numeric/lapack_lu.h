// LU factors and what comes directly from them.
#pragma once

#include "numeric/matrix.h"

namespace nodewise::linalg {

/// packed = L (below the diagonal, which is 1) and U of a = P L U, (m, n); row i was swapped with row
/// pivots[i] (from 0), in order of i < min(m, n). An exact zero on U's diagonal: packed is all not-a-number.
/// packed has one of LAPACK's dtypes. Throws std::bad_alloc, as all of these.
void luFactor(const MatrixRef& a, const MatrixRef& packed, int32_t* pivots);

/// a = P L U with l (m, k) and u (k, n), k = min(m, n); a[i] is row rowOf[i] of L U. `rowOf` has m elements.
void luFactors(const MatrixRef& a, const MatrixRef& l, const MatrixRef& u, int32_t* rowOf);

/// Carries out swaps of elements i and pivots[i] on 0, 1, ..., n - 1.
/// False where a pivot is outside of 0 ... n - 1.
bool permutationOf(const int64_t* pivots, int64_t n, int64_t* permutation);

/// A determinant as sign * exp(logAbs); sign is 0, logAbs -inf where the matrix is singular.
struct LogDeterminant {
  std::complex<double> sign = 1; ///< of absolute value 1; 1 or -1 for real matrices
  double logAbs = 0;
  std::complex<double> value = 1; ///< the determinant itself
};
/// Of a square matrix, computed in `dtype` (one of LAPACK's).
LogDeterminant determinant(const MatrixRef& a, DType dtype);

/// inverse = a^-1; false where a is singular.
bool invert(const MatrixRef& a, const MatrixRef& inverse);

/// LAPACK's gttrf in place: diagonals of n - 1, n, n - 1 elements, du2 n - 2, pivots (from 1) n; all
/// contiguous, of one of LAPACK's dtypes.
void tridiagonalFactor(const MatrixRef& below, const MatrixRef& main, const MatrixRef& above,
                       const MatrixRef& above2, int32_t* pivots);
/// x = a^-1 x (or a^-T x) from tridiagonalFactor's results, converted to x's dtype. False where a pivot is
/// not i or i + 1.
bool tridiagonalSolve(const MatrixRef& below, const MatrixRef& main, const MatrixRef& above,
                      const MatrixRef& above2, const MatrixRef& pivots, bool transposed, const MatrixRef& x);

} // namespace nodewise::linalg
