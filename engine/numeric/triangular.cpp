#include "numeric/triangular.h"

#include "numeric/blas.h"
#include "numeric/lapack.h"

#include <algorithm>

namespace nodewise::linalg {

namespace {

void clearOtherTriangle(const MatrixRef& m, bool lower) {
  withLapackType(m.dtype, [&]<class T>(std::type_identity<T>) {
    for (int64_t i = 0; i < m.rows; ++i)
      for (int64_t j = lower ? i + 1 : 0; j < (lower ? m.cols : i); ++j) m.ref<T>(i, j) = T(0);
  });
}

/// out is C-contiguous (rows `ld` elements apart) and holds a's values.
/// LAPACK sees the transpose, in which the other triangle holds the same numbers: a Hermitian matrix's
/// transpose is its conjugate, and the factor it finds there is the transpose of ours.
template <class T> bool factorRows(const MatrixRef& out, int ld, bool lower) {
  const auto n = static_cast<lapack_int>(out.rows);
  blas::threadsFor(out.rows * out.rows * out.rows);
  return Lapack<T>::potrf(kColumns, lower ? 'U' : 'L', n, reinterpret_cast<T*>(out.data), ld) == 0;
}

/// op(a)^-1 on x, in place. x has dtype T and a row-major layout, or is one contiguous column.
template <class T>
void solveRows(const MatrixRef& a, bool lower, blas::Trans trans, bool unitDiagonal, const MatrixRef& x,
               int ldx) {
  const BlasLayout la = *blasLayout(a);
  const CBLAS_UPLO uplo = lower != la.transposed ? CblasLower : CblasUpper;
  const CBLAS_DIAG diag = unitDiagonal ? CblasUnit : CblasNonUnit;
  const auto n = static_cast<int>(a.rows), k = static_cast<int>(x.cols);
  const auto* aData = reinterpret_cast<const T*>(a.data);
  auto* xData = reinterpret_cast<T*>(x.data);
  blas::threadsFor(a.rows * a.rows * std::max(x.cols, blas::kTrafficWork));
  if (k == 1 && ldx == 1)
    blas::trsv(uplo, trans, diag, n, aData, la.ld, xData);
  else
    blas::trsm(blas::kRows, uplo, trans, diag, n, k, aData, la.ld, xData, ldx);
}

/// Calls `work(rowMajorX, ldx)` on x itself where BLAS can write it, otherwise on a copy that is copied back.
template <class Work> void onRows(const MatrixRef& x, Work work) {
  if (const std::optional<BlasLayout> layout = blasLayout(x); layout && !layout->transposed)
    return work(x, layout->ld);
  Scratch scratch;
  const MatrixRef copy =
      rowMajor(scratch.take<std::byte>(x.rows * x.cols * dtypeSize(x.dtype)), x.dtype, x.rows, x.cols);
  copyMatrix(x, copy);
  work(copy, static_cast<int>(x.cols));
  copyMatrix(copy, x);
}

/// BLAS solves with the transpose or its conjugate only of what is stored, so a transposed a that has to be
/// conjugated only (the transpose of its conjugate transpose) is copied.
MatrixRef storedRows(const MatrixRef& a, DType dtype, Scratch& scratch) {
  if (const auto layout = a.dtype == dtype ? blasLayout(a) : std::nullopt; layout && !layout->transposed)
    return a;
  const MatrixRef copy =
      rowMajor(scratch.take<std::byte>(a.rows * a.cols * dtypeSize(dtype)), dtype, a.rows, a.cols);
  copyMatrix(a, copy);
  return copy;
}

bool zeroOnDiagonal(const MatrixRef& a) {
  return withLapackType(a.dtype, [&]<class T>(std::type_identity<T>) {
    for (int64_t i = 0; i < a.rows; ++i)
      if (a.ref<T>(i, i) == T(0)) return true;
    return false;
  });
}

} // namespace

void cholesky(const MatrixRef& a, bool lower, const MatrixRef& out) {
  if (out.empty()) return;
  if (a.data != out.data) copyMatrix(a, out);
  bool positive = true;
  onRows(out, [&](const MatrixRef& rows, int ld) {
    positive = withLapackType(out.dtype,
                              [&]<class T>(std::type_identity<T>) { return factorRows<T>(rows, ld, lower); });
  });
  if (positive)
    clearOtherTriangle(out, lower);
  else
    fillNaN(out);
}

void solveTriangular(const MatrixRef& aAny, bool lower, bool unitDiagonal, const MatrixRef& x) {
  if (x.empty()) return;
  Scratch scratch;
  const MatrixRef a = forBlas(aAny, x.dtype, scratch);
  if (!unitDiagonal && zeroOnDiagonal(a)) return fillNaN(x);
  const bool transposed = blasLayout(a)->transposed;
  onRows(x, [&](const MatrixRef& rows, int ld) {
    withLapackType(x.dtype, [&]<class T>(std::type_identity<T>) {
      solveRows<T>(a, lower, transposed ? CblasTrans : CblasNoTrans, unitDiagonal, rows, ld);
    });
  });
}

void solveCholesky(const MatrixRef& cAny, bool lower, const MatrixRef& x) {
  if (x.empty()) return;
  Scratch scratch;
  const MatrixRef c = storedRows(cAny, x.dtype, scratch);
  onRows(x, [&](const MatrixRef& rows, int ld) {
    withLapackType(x.dtype, [&]<class T>(std::type_identity<T>) {
      solveRows<T>(c, lower, lower ? CblasNoTrans : CblasConjTrans, false, rows, ld);
      solveRows<T>(c, lower, lower ? CblasConjTrans : CblasNoTrans, false, rows, ld);
    });
  });
}

} // namespace nodewise::linalg
