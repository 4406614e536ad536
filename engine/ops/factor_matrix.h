// Small complex matrices for checking factors.
#pragma once

#include "numeric/matrix.h"

#include <complex>
#include <vector>

namespace nodewise::linalg {

/// A matrix of complex128 in C order.
struct FactorMatrix {
  int64_t rows = 0, cols = 0;
  std::vector<std::complex<double>> elements;

  FactorMatrix() = default;
  FactorMatrix(int64_t m, int64_t n) : rows(m), cols(n), elements(static_cast<size_t>(m * n)) {}
  std::complex<double>& operator()(int64_t i, int64_t j) {
    return elements[static_cast<size_t>(i * cols + j)];
  }
  std::complex<double> operator()(int64_t i, int64_t j) const {
    return elements[static_cast<size_t>(i * cols + j)];
  }
};

/// The matrix product; not-a-number where the lengths do not fit.
FactorMatrix operator*(const FactorMatrix& a, const FactorMatrix& b);
/// Of matrices of one shape.
FactorMatrix operator-(const FactorMatrix& a, const FactorMatrix& b);
FactorMatrix adjoint(const FactorMatrix& a);
/// Column j times factors(j, 0).
FactorMatrix timesDiagonal(const FactorMatrix& a, const FactorMatrix& factors);
/// The first `count` columns, or fewer.
FactorMatrix firstColumns(const FactorMatrix& a, int64_t count);
/// a[:, order]; an index out of range gives a matrix of not-a-number.
FactorMatrix columnsInOrder(const FactorMatrix& a, const FactorMatrix& order);
/// The Hermitian matrix of which one triangle is given.
FactorMatrix hermitianOf(const FactorMatrix& a, bool lower);
/// Greatest absolute value; not-a-number if there is one.
double maxAbs(const FactorMatrix& a);
/// Greatest absolute value below the diagonal that is `beside` places below the main one.
double maxBelow(const FactorMatrix& a, int64_t beside = 0);
/// Greatest difference of q^H q from the identity.
double distanceToOrthogonal(const FactorMatrix& q);

} // namespace nodewise::linalg
