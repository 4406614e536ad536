// Schur forms and what is solved with them.
#pragma once

#include "numeric/matrix.h"

namespace nodewise::linalg {

/// Which eigenvalues come first on the diagonal of a Schur form.
enum class SchurSort : uint8_t {
  None,
  LeftHalfPlane,  ///< real part < 0
  RightHalfPlane, ///< real part >= 0 (Schur), > 0 (QZ)
  InsideCircle,   ///< absolute value <= 1 (Schur), < 1 (QZ)
  OutsideCircle   ///< absolute value > 1
};

/// a = z t z^H, t (quasi-)upper triangular, computed in t's and z's dtype, one of LAPACK's. All not-a-number
/// where a is not finite, LAPACK does not converge, or the eigenvalues cannot be sorted. Throws
/// std::bad_alloc, as all of these.
void schur(const MatrixRef& a, SchurSort sort, const MatrixRef& t, const MatrixRef& z);

/// Where a generalised Schur form goes; all but alpha have one of LAPACK's dtypes, the same.
struct QzParts {
  MatrixRef aa, bb, q, z; ///< a = q aa z^H, b = q bb z^H
  MatrixRef alpha, beta;  ///< (n, 1); eigenvalues are alpha / beta; alpha is complex. May be without data
};
/// As above, of a pair of square matrices.
void generalizedSchur(const MatrixRef& a, const MatrixRef& b, SchurSort sort, const QzParts& parts);

/// x with a x + x b = x's contents before, a (m, m) and b (n, n) quasi-upper triangular (real) or upper
/// triangular (complex). Where a and -b share an eigenvalue, that of LAPACK's slightly perturbed problem.
void solveSylvester(const MatrixRef& a, const MatrixRef& b, const MatrixRef& x);

} // namespace nodewise::linalg
