// Cholesky factors and triangular systems.
#pragma once

#include "numeric/matrix.h"

namespace nodewise::linalg {

/// out = the Cholesky factor of a: L of L L^H (lower) or U of U^H U; zeros in the other triangle. Reads that
/// triangle of a only. All not-a-number where a is not positive definite. Both square, equal sizes; out has
/// one of LAPACK's dtypes and may be a itself. Throws std::bad_alloc.
void cholesky(const MatrixRef& a, bool lower, const MatrixRef& out);

/// x = a^-1 x, a triangular (n, n), x (n, k) of one of LAPACK's dtypes. Reads that triangle only, and the
/// diagonal only without unitDiagonal. A zero on the diagonal: all not-a-number.
void solveTriangular(const MatrixRef& a, bool lower, bool unitDiagonal, const MatrixRef& x);

/// x = (c c^H)^-1 x (lower) or (c^H c)^-1 x.
void solveCholesky(const MatrixRef& c, bool lower, const MatrixRef& x);

} // namespace nodewise::linalg
