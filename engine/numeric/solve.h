// Systems of linear equations.
#pragma once

#include "numeric/matrix.h"

namespace nodewise::linalg {

/// What is known of a system's matrix.
enum class Assume : uint8_t {
  General,
  Symmetric,   ///< one triangle is read
  Hermitian,   ///< one triangle is read
  Positive,    ///< definite and Hermitian; one triangle is read
  Tridiagonal, ///< a hint: solved as such if the other elements are 0
};

/// x = a^-1 x; a (n, n), x (n, k) of one of LAPACK's dtypes. False, with x undefined, where a is singular
/// (or, with Positive, not positive definite). `lower` says which triangle is read. Throws std::bad_alloc.
bool solve(const MatrixRef& a, Assume assume, bool lower, const MatrixRef& x);

} // namespace nodewise::linalg
