// Singular values, and what is computed from them.
#pragma once

#include "numeric/matrix.h"

namespace nodewise::linalg {

/// a = u diag(s) vh; a (m, n), s (k, 1) descending, k = min(m, n); u (m, m) or (m, k), vh (n, n) or (k, n),
/// both or neither (without data). `dtype` is u's and vh's, one of LAPACK's; s has its real part's. False
/// where a is not finite or LAPACK does not converge. Throws std::bad_alloc.
bool singularValues(const MatrixRef& a, DType dtype, const MatrixRef& u, const MatrixRef& s,
                    const MatrixRef& vh);

/// out (n, m) = the pseudo-inverse of a: singular values up to 1e-15 of the greatest count as 0. With
/// `hermitian` from the eigenvalues of a's lower triangle. False as above.
bool pseudoInverse(const MatrixRef& a, bool hermitian, const MatrixRef& out);

/// What LAPACK's gelsd finds for the least squares problem a x = b; in float64. `rcond` < 0: machine
/// precision.
struct LeastSquares {
  MatrixRef x;         ///< (n, k)
  MatrixRef residuals; ///< (k, 1): sums of squares of b - a x, meant where rank is n and m > n
  MatrixRef s;         ///< (min(m, n), 1)
  int rank = 0;
};
/// False as above; a (m, n) and b (m, k).
bool leastSquares(const MatrixRef& a, const MatrixRef& b, double rcond, LeastSquares& result);

} // namespace nodewise::linalg
