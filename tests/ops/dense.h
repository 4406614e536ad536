// Matrices of complex numbers for tests: whatever dtype an op computes in, its results are checked here.
#pragma once

#include "ops/op_harness.h"

#include "numeric/element.h"

#include <complex>
#include <random>

namespace nodewise::testing {

using Complex = std::complex<double>;

/// A matrix in C order.
struct Dense {
  int64_t rows = 0, cols = 0;
  std::vector<Complex> elements;

  Dense() = default;
  Dense(int64_t m, int64_t n) : rows(m), cols(n), elements(static_cast<size_t>(m * n)) {}
  Complex& operator()(int64_t i, int64_t j) { return elements[static_cast<size_t>(i * cols + j)]; }
  const Complex& operator()(int64_t i, int64_t j) const {
    return elements[static_cast<size_t>(i * cols + j)];
  }
};

/// Elements in [-1, 1], with imaginary parts where the dtype has them; rounded to the dtype. Small integers
/// for integral dtypes.
Dense randomDense(int64_t rows, int64_t cols, DType dtype, unsigned seed);
/// Well-conditioned: random, plus the size on the diagonal.
Dense dominantDense(int64_t n, DType dtype, unsigned seed);
/// Hermitian and positive definite.
Dense positiveDense(int64_t n, DType dtype, unsigned seed);
Dense identityDense(int64_t n);
/// From rows of real numbers.
Dense denseOf(std::initializer_list<std::initializer_list<double>> rows);

Dense operator*(const Dense& a, const Dense& b);
Dense operator*(Complex factor, const Dense& a);
Dense operator+(const Dense& a, const Dense& b);
Dense operator-(const Dense& a, const Dense& b);
Dense adjoint(const Dense& a);
Dense transpose(const Dense& a);
Dense columns(const Dense& a, int64_t first, int64_t count);
/// Zeros outside of the triangle; `offset` 1 leaves the diagonal out, -1 keeps the one beyond it too.
Dense upperTriangle(const Dense& a, int64_t offset = 0);
Dense lowerTriangle(const Dense& a, int64_t offset = 0);
Dense diagonalDense(const Dense& column, int64_t rows, int64_t cols);
/// Greatest absolute value; not-a-number if any element is; 0 of an empty matrix.
double maxAbs(const Dense& a);
bool allNaN(const Dense& a);

/// As an array of rank 2, or (`asVector`) of rank 1 with the single column's elements.
Data toData(const Dense& a, DType dtype, bool asVector = false);
/// From an array of rank 0, 1 (a column) or 2.
Dense toDense(const Data& data);
/// The outputs of a call as matrices; a failed call is a failed test with its error.
std::vector<Dense> outputsOf(const OpCall& call);

/// What a backward stable method may differ by, relative to the numbers involved, for sizes up to 33.
double toleranceOf(DType dtype);

inline const std::vector<DType> kLapackDTypes{DType::Float32, DType::Float64, DType::Complex64,
                                              DType::Complex128};
inline constexpr int64_t kSizes[] = {0, 1, 2, 7, 8, 9, 33};
Type matrixType(DType dtype);
Type vectorType(DType dtype);
std::string layoutName(Layout layout);
/// A column "dtype" (int), and a row for each of kLapackDTypes.
void addLapackRows();
/// Columns "dtype" and "layout" (int), and a row for each pair.
void addLapackLayoutRows();

} // namespace nodewise::testing
