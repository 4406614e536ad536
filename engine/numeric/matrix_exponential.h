// exp of a matrix.
#pragma once

#include "numeric/matrix.h"

namespace nodewise::linalg {

/// out = exp(a), by scaling and squaring of Pade approximants whose order and scaling follow A. H. Al-Mohy
/// and N. J. Higham, "A new scaling and squaring algorithm for the matrix exponential", SIAM J. Matrix Anal.
/// Appl. 31 (2009). Computed in float64 or complex128; out has one of LAPACK's dtypes. Not finite: all
/// not-a-number. Throws std::bad_alloc.
void matrixExponential(const MatrixRef& a, const MatrixRef& out);

} // namespace nodewise::linalg
