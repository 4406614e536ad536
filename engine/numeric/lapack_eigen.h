// Eigenvalues and eigenvectors.
#pragma once

#include "numeric/matrix.h"

namespace nodewise::linalg {

/// a v = v diag(w), columns of v of norm 1; w (n, 1) and v have the same complex dtype. A real a is handled
/// in real arithmetic. False where a is not finite or LAPACK does not converge. Throws std::bad_alloc, as all
/// of these.
bool generalEigen(const MatrixRef& a, const MatrixRef& w, const MatrixRef& v);

/// LAPACK's syevr or syevd.
enum class EigenDriver : uint8_t { Robust, DivideAndConquer };

/// Of the Hermitian matrix in the named triangle of a: w (n, 1) ascending, of v's real dtype; v without data:
/// values only, and then a complex `a` is computed in w's complex dtype. False as above.
bool hermitianEigen(const MatrixRef& a, bool lower, EigenDriver driver, const MatrixRef& w,
                    const MatrixRef& v);

/// The same for a v = b v diag(w), b positive definite. False also where b is not.
bool generalizedEigen(const MatrixRef& a, const MatrixRef& b, bool lower, const MatrixRef& w,
                      const MatrixRef& v);

} // namespace nodewise::linalg
