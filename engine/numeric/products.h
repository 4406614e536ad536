// Products of matrices of any dtype: BLAS for the four types that it knows, loops for the rest.
#pragma once

#include "numeric/matrix.h"

namespace nodewise::linalg {

/// A factor of a product; exact for every real and complex dtype.
using Factor = std::complex<double>;

/// z = beta z + alpha x y, in z's dtype: x and y are converted to it first. Shapes (m, n), (m, k), (k, n).
/// With beta 0 z is not read. z does not overlap x or y. Integers wrap, bool is "or of ands", float16 is
/// computed in float32 and rounded once; for integers and bool alpha has to be 1 and beta 0. Throws
/// std::bad_alloc.
void multiply(const MatrixRef& z, Factor alpha, const MatrixRef& x, const MatrixRef& y, Factor beta);

/// y = beta y + alpha a x by BLAS (alpha 0 leaves a and x unread); y (m, 1), a (m, n), x (n, 1). Dtypes and
/// errors as above; any float or complex dtype.
void multiplyVector(const MatrixRef& y, Factor alpha, const MatrixRef& a, const MatrixRef& x, Factor beta);

/// a = a + alpha x y^T; a (m, n), x (m, 1), y (n, 1). Dtypes as above.
void addOuter(const MatrixRef& a, Factor alpha, const MatrixRef& x, const MatrixRef& y);

/// z = beta z; with beta 0 zeros are written and z is not read. Any beta but 0 and 1 needs one of LAPACK's
/// dtypes.
void scale(const MatrixRef& z, Factor beta);

} // namespace nodewise::linalg
