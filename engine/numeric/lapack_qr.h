// QR factors.
#pragma once

#include "numeric/matrix.h"

namespace nodewise::linalg {

/// Where a QR factorisation of a (m, n), k = min(m, n), puts what was asked for; parts without data are left
/// out. All have one of LAPACK's dtypes, the same.
struct QrParts {
  MatrixRef q;                ///< (m, m) or (m, k)
  MatrixRef r;                ///< (m, n), (k, n) or (n, n), upper triangular; rows beyond k are 0
  MatrixRef packed;           ///< (m, n): R and the reflectors below it
  MatrixRef tau;              ///< (k, 1)
  int32_t* columns = nullptr; ///< n elements: with column pivoting, column j of Q R is column columns[j] of a
};

/// a = Q R (a[:, columns] = Q R). `dtype` is the parts'. With pivoting, where a is not finite everything is
/// not-a-number and the columns keep their order. Throws std::bad_alloc.
void qrFactor(const MatrixRef& a, DType dtype, const QrParts& parts);

} // namespace nodewise::linalg
