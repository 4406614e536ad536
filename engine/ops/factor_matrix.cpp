#include "ops/factor_matrix.h"

#include "numeric/products.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace nodewise::linalg {

namespace {

/// To be read only: a MatrixRef is for both sides of a copy.
MatrixRef refOf(const FactorMatrix& m) {
  return rowMajor(const_cast<std::complex<double>*>(m.elements.data()), DType::Complex128, m.rows, m.cols);
}

/// std::max that keeps not-a-number.
double greater(double a, double b) { return std::isnan(a) || a > b ? a : b; }

} // namespace

FactorMatrix operator*(const FactorMatrix& a, const FactorMatrix& b) {
  FactorMatrix product(a.rows, b.cols);
  if (a.cols != b.rows)
    std::fill(product.elements.begin(), product.elements.end(), std::numeric_limits<double>::quiet_NaN());
  else
    multiply(refOf(product), 1, refOf(a), refOf(b), 0);
  return product;
}

FactorMatrix operator-(const FactorMatrix& a, const FactorMatrix& b) {
  FactorMatrix difference = a;
  for (size_t i = 0; i < difference.elements.size(); ++i) difference.elements[i] -= b.elements[i];
  return difference;
}

FactorMatrix adjoint(const FactorMatrix& a) {
  FactorMatrix t(a.cols, a.rows);
  for (int64_t i = 0; i < a.rows; ++i)
    for (int64_t j = 0; j < a.cols; ++j) t(j, i) = std::conj(a(i, j));
  return t;
}

FactorMatrix timesDiagonal(const FactorMatrix& a, const FactorMatrix& factors) {
  FactorMatrix product = firstColumns(a, factors.rows);
  for (int64_t i = 0; i < product.rows; ++i)
    for (int64_t j = 0; j < product.cols; ++j) product(i, j) *= factors(j, 0);
  return product;
}

FactorMatrix firstColumns(const FactorMatrix& a, int64_t count) {
  FactorMatrix part(a.rows, std::min(count, a.cols));
  for (int64_t i = 0; i < part.rows; ++i)
    for (int64_t j = 0; j < part.cols; ++j) part(i, j) = a(i, j);
  return part;
}

FactorMatrix columnsInOrder(const FactorMatrix& a, const FactorMatrix& order) {
  FactorMatrix result(a.rows, a.cols);
  for (int64_t j = 0; j < a.cols; ++j) {
    const double from = j < order.rows ? order(j, 0).real() : -1;
    const bool valid = from >= 0 && from < static_cast<double>(a.cols);
    for (int64_t i = 0; i < a.rows; ++i)
      result(i, j) = valid ? a(i, static_cast<int64_t>(from)) : std::numeric_limits<double>::quiet_NaN();
  }
  return result;
}

FactorMatrix hermitianOf(const FactorMatrix& a, bool lower) {
  FactorMatrix full = a;
  for (int64_t i = 0; i < a.rows; ++i) {
    full(i, i) = a(i, i).real();
    for (int64_t j = 0; j < i; ++j) {
      if (lower)
        full(j, i) = std::conj(a(i, j));
      else
        full(i, j) = std::conj(a(j, i));
    }
  }
  return full;
}

double maxAbs(const FactorMatrix& a) {
  double greatest = 0;
  for (const std::complex<double>& element : a.elements) greatest = greater(std::abs(element), greatest);
  return greatest;
}

double maxBelow(const FactorMatrix& a, int64_t beside) {
  double greatest = 0;
  for (int64_t i = 0; i < a.rows; ++i)
    for (int64_t j = 0; j < std::min(a.cols, i - beside); ++j)
      greatest = greater(std::abs(a(i, j)), greatest);
  return greatest;
}

double distanceToOrthogonal(const FactorMatrix& q) {
  FactorMatrix gram = adjoint(q) * q;
  for (int64_t i = 0; i < gram.rows; ++i) gram(i, i) -= 1;
  return maxAbs(gram);
}

} // namespace nodewise::linalg
