#include "numeric/products.h"

#include "numeric/blas.h"

#include <algorithm>
#include <type_traits>

namespace nodewise::linalg {

namespace {

template <class T> T factorAs(Factor value) {
  if constexpr (isComplexType<T>)
    return T(value);
  else
    return static_cast<T>(value.real());
}

blas::Trans flag(bool transposed) { return transposed ? CblasTrans : CblasNoTrans; }

/// Elements from one to the next of a column vector, as BLAS wants it; 0 if it has to be copied.
int increment(const MatrixRef& x) {
  const int64_t size = dtypeSize(x.dtype);
  if (x.rows <= 1) return 1;
  const int64_t inc = x.rowStride / size;
  return inc * size == x.rowStride && inc > 0 && inc <= INT32_MAX ? static_cast<int>(inc) : 0;
}

/// The vector where it stands, or a contiguous copy of the wanted dtype.
MatrixRef vectorForBlas(const MatrixRef& x, DType dtype, Scratch& scratch) {
  if (x.dtype == dtype && increment(x) > 0) return x;
  const MatrixRef copy = rowMajor(scratch.take<std::byte>(x.rows * dtypeSize(dtype)), dtype, x.rows, 1);
  copyMatrix(x, copy);
  return copy;
}

/// y has dtype T and an increment.
template <class T>
void gemvTyped(const MatrixRef& y, Factor alpha, const MatrixRef& aAny, const MatrixRef& xAny, Factor beta) {
  Scratch scratch;
  const MatrixRef a = forBlas(aAny, y.dtype, scratch);
  const MatrixRef x = vectorForBlas(xAny, y.dtype, scratch);
  const BlasLayout layout = *blasLayout(a);
  const auto rows = static_cast<int>(layout.transposed ? a.cols : a.rows);
  const auto cols = static_cast<int>(layout.transposed ? a.rows : a.cols);
  // Whether BLAS reads y for beta 0 differs between libraries.
  if (beta == 0.0) scale(y, 0);
  blas::threadsFor(blas::kTrafficWork * a.rows * a.cols);
  blas::gemv(flag(layout.transposed), rows, cols, factorAs<T>(alpha), reinterpret_cast<const T*>(a.data),
             layout.ld, reinterpret_cast<const T*>(x.data), increment(x), factorAs<T>(beta),
             reinterpret_cast<T*>(y.data), increment(y));
}

/// z has dtype T and a row-major layout.
template <class T>
void gemmTyped(const MatrixRef& z, int ldz, Factor alpha, const MatrixRef& xAny, const MatrixRef& yAny,
               Factor beta) {
  Scratch scratch;
  const MatrixRef x = forBlas(xAny, z.dtype, scratch);
  const MatrixRef y = forBlas(yAny, z.dtype, scratch);
  const BlasLayout lx = *blasLayout(x), ly = *blasLayout(y);
  if (beta == 0.0) scale(z, 0);
  blas::threadsFor(z.rows * z.cols * x.cols);
  blas::gemm(flag(lx.transposed), flag(ly.transposed), static_cast<int>(z.rows), static_cast<int>(z.cols),
             static_cast<int>(x.cols), factorAs<T>(alpha), reinterpret_cast<const T*>(x.data), lx.ld,
             reinterpret_cast<const T*>(y.data), ly.ld, factorAs<T>(beta), reinterpret_cast<T*>(z.data), ldz);
}

/// Sums of products of integers modulo 2^64, which are right in every narrower width too.
template <class T> void multiplyIntegers(const MatrixRef& z, const MatrixRef& xAny, const MatrixRef& yAny) {
  Scratch scratch;
  const MatrixRef x = forBlas(xAny, z.dtype, scratch);
  const MatrixRef y = forBlas(yAny, z.dtype, scratch);
  auto* sums = scratch.take<uint64_t>(z.cols);
  for (int64_t i = 0; i < z.rows; ++i) {
    std::fill(sums, sums + z.cols, uint64_t{0});
    for (int64_t k = 0; k < x.cols; ++k) {
      const auto factor = static_cast<uint64_t>(x.ref<T>(i, k));
      if (factor == 0) continue;
      for (int64_t j = 0; j < z.cols; ++j) sums[j] += factor * static_cast<uint64_t>(y.ref<T>(k, j));
    }
    for (int64_t j = 0; j < z.cols; ++j) store<T>(z.at(i, j), static_cast<T>(sums[j]));
  }
}

void multiplyBools(const MatrixRef& z, const MatrixRef& xAny, const MatrixRef& yAny) {
  Scratch scratch;
  const MatrixRef x = forBlas(xAny, DType::Bool, scratch);
  const MatrixRef y = forBlas(yAny, DType::Bool, scratch);
  for (int64_t i = 0; i < z.rows; ++i)
    for (int64_t j = 0; j < z.cols; ++j) {
      bool any = false;
      for (int64_t k = 0; k < x.cols && !any; ++k)
        any = x.ref<Bool8>(i, k).byte != 0 && y.ref<Bool8>(k, j).byte != 0;
      store<Bool8>(z.at(i, j), Bool8{static_cast<uint8_t>(any)});
    }
}

/// The same shape in another dtype, in scratch memory, uninitialised.
MatrixRef scratchLike(const MatrixRef& m, DType dtype, Scratch& scratch) {
  return rowMajor(scratch.take<std::byte>(m.rows * m.cols * dtypeSize(dtype)), dtype, m.rows, m.cols);
}

/// Runs `work` on a copy of z in another place (and dtype), and copies the result back.
template <class Work> void throughCopy(const MatrixRef& z, DType dtype, bool readsZ, Work work) {
  Scratch scratch;
  const MatrixRef copy = scratchLike(z, dtype, scratch);
  if (readsZ) copyMatrix(z, copy);
  work(copy);
  copyMatrix(copy, z);
}

/// alpha is 0, which BLAS takes as leave to skip the product; NumPy's 0 * inf is not-a-number.
void multiplyByZero(const MatrixRef& z, const MatrixRef& x, const MatrixRef& y, Factor beta) {
  Scratch scratch;
  const MatrixRef product = scratchLike(z, z.dtype, scratch);
  multiply(product, 1, x, y, 0);
  scale(z, beta);
  withLapackType(z.dtype, [&]<class T>(std::type_identity<T>) {
    for (int64_t i = 0; i < z.rows; ++i)
      for (int64_t j = 0; j < z.cols; ++j) z.ref<T>(i, j) += Real<T>(0) * product.ref<T>(i, j);
  });
}

} // namespace

void scale(const MatrixRef& z, Factor beta) {
  if (z.empty() || beta == 1.0) return;
  if (beta == 0.0) {
    const int64_t rowBytes = z.cols * dtypeSize(z.dtype);
    const bool contiguous = z.colStride == dtypeSize(z.dtype) && (z.rows == 1 || z.rowStride == rowBytes);
    if (contiguous)
      std::memset(z.data, 0, static_cast<size_t>(z.rows * rowBytes));
    else
      fillMatrix(z, 0);
    return;
  }
  if (z.dtype == DType::Float16)
    return throughCopy(z, DType::Float32, true, [beta](const MatrixRef& copy) { scale(copy, beta); });
  withLapackType(z.dtype, [&]<class T>(std::type_identity<T>) {
    const T factor = factorAs<T>(beta);
    for (int64_t i = 0; i < z.rows; ++i)
      for (int64_t j = 0; j < z.cols; ++j) z.ref<T>(i, j) *= factor;
  });
}

void multiply(const MatrixRef& z, Factor alpha, const MatrixRef& x, const MatrixRef& y, Factor beta) {
  if (z.empty()) return;
  if (z.dtype == DType::Bool) return multiplyBools(z, x, y);
  if (isIntegral(z.dtype)) {
    return withType(z.dtype, [&]<class T>(std::type_identity<T>) {
      if constexpr (std::is_integral_v<T>) multiplyIntegers<T>(z, x, y);
    });
  }
  if (z.dtype == DType::Float16)
    return throughCopy(z, DType::Float32, beta != 0.0,
                       [&](const MatrixRef& copy) { multiply(copy, alpha, x, y, beta); });
  if (x.cols == 0) return scale(z, beta);
  if (alpha == 0.0) return multiplyByZero(z, x, y, beta);
  if (z.cols == 1 && increment(z) > 0) return multiplyVector(z, alpha, x, y, beta);
  const MatrixRef zT = z.transposed();
  if (z.rows == 1 && increment(zT) > 0)
    return multiplyVector(zT, alpha, y.transposed(), x.transposed(), beta);

  const std::optional<BlasLayout> layout = blasLayout(z);
  if (!layout)
    return throughCopy(z, z.dtype, beta != 0.0,
                       [&](const MatrixRef& copy) { multiply(copy, alpha, x, y, beta); });
  withLapackType(z.dtype, [&]<class T>(std::type_identity<T>) {
    if (layout->transposed)
      gemmTyped<T>(zT, layout->ld, alpha, y.transposed(), x.transposed(), beta);
    else
      gemmTyped<T>(z, layout->ld, alpha, x, y, beta);
  });
}

void multiplyVector(const MatrixRef& y, Factor alpha, const MatrixRef& a, const MatrixRef& x, Factor beta) {
  if (y.rows == 0) return;
  const DType dtype = y.dtype == DType::Float16 ? DType::Float32 : y.dtype;
  if (dtype != y.dtype || increment(y) == 0)
    return throughCopy(y, dtype, beta != 0.0,
                       [&](const MatrixRef& copy) { multiplyVector(copy, alpha, a, x, beta); });
  if (a.cols == 0) return scale(y, beta);
  withLapackType(dtype, [&]<class T>(std::type_identity<T>) { gemvTyped<T>(y, alpha, a, x, beta); });
}

void addOuter(const MatrixRef& a, Factor alpha, const MatrixRef& xAny, const MatrixRef& yAny) {
  if (a.empty()) return;
  const DType dtype = a.dtype == DType::Float16 ? DType::Float32 : a.dtype;
  const std::optional<BlasLayout> layout = blasLayout(a);
  if (dtype != a.dtype || !layout)
    return throughCopy(a, dtype, true, [&](const MatrixRef& copy) { addOuter(copy, alpha, xAny, yAny); });
  if (layout->transposed) return addOuter(a.transposed(), alpha, yAny, xAny);
  Scratch scratch;
  const MatrixRef x = vectorForBlas(xAny, dtype, scratch), y = vectorForBlas(yAny, dtype, scratch);
  blas::threadsFor(blas::kTrafficWork * a.rows * a.cols);
  withLapackType(dtype, [&]<class T>(std::type_identity<T>) {
    blas::ger(static_cast<int>(a.rows), static_cast<int>(a.cols), factorAs<T>(alpha),
              reinterpret_cast<const T*>(x.data), increment(x), reinterpret_cast<const T*>(y.data),
              increment(y), reinterpret_cast<T*>(a.data), layout->ld);
  });
}

} // namespace nodewise::linalg
