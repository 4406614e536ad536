#include "ops/dense.h"

#include <QtTest>

#include <algorithm>
#include <cmath>
#include <limits>

namespace nodewise::testing {

namespace {

Dense rounded(const Dense& a, DType dtype) { return toDense(toData(a, dtype)); }

} // namespace

Dense randomDense(int64_t rows, int64_t cols, DType dtype, unsigned seed) {
  std::mt19937 random(seed * 7919U + static_cast<unsigned>(rows * 131 + cols));
  std::uniform_real_distribution<double> unit(-1, 1);
  Dense a(rows, cols);
  for (Complex& element : a.elements) {
    const double re = unit(random), im = unit(random);
    if (isIntegral(dtype))
      element = std::floor(isUnsigned(dtype) || dtype == DType::Bool ? 3 * std::abs(re) : 5 * re);
    else
      element = isComplex(dtype) ? Complex(re, im) : Complex(re);
  }
  return rounded(a, dtype);
}

Dense dominantDense(int64_t n, DType dtype, unsigned seed) {
  return rounded(randomDense(n, n, dtype, seed) + Complex(static_cast<double>(n)) * identityDense(n), dtype);
}

Dense positiveDense(int64_t n, DType dtype, unsigned seed) {
  const Dense a = randomDense(n, n, dtype, seed);
  return rounded(a * adjoint(a) + identityDense(n), dtype);
}

Dense identityDense(int64_t n) {
  Dense a(n, n);
  for (int64_t i = 0; i < n; ++i) a(i, i) = 1;
  return a;
}

Dense denseOf(std::initializer_list<std::initializer_list<double>> rows) {
  Dense a(static_cast<int64_t>(rows.size()),
          rows.size() == 0 ? 0 : static_cast<int64_t>(rows.begin()->size()));
  size_t at = 0;
  for (const auto& row : rows)
    for (const double element : row) a.elements[at++] = element;
  return a;
}

Dense operator*(const Dense& a, const Dense& b) {
  Dense product(a.rows, b.cols);
  for (int64_t i = 0; i < a.rows; ++i)
    for (int64_t k = 0; k < a.cols; ++k)
      for (int64_t j = 0; j < b.cols; ++j) product(i, j) += a(i, k) * b(k, j);
  return product;
}

Dense operator*(Complex factor, const Dense& a) {
  Dense scaled = a;
  for (Complex& element : scaled.elements) element *= factor;
  return scaled;
}

Dense operator+(const Dense& a, const Dense& b) {
  Dense sum = a;
  for (size_t i = 0; i < sum.elements.size(); ++i) sum.elements[i] += b.elements[i];
  return sum;
}

Dense operator-(const Dense& a, const Dense& b) { return a + Complex(-1) * b; }

Dense transpose(const Dense& a) {
  Dense t(a.cols, a.rows);
  for (int64_t i = 0; i < a.rows; ++i)
    for (int64_t j = 0; j < a.cols; ++j) t(j, i) = a(i, j);
  return t;
}

Dense adjoint(const Dense& a) {
  Dense t = transpose(a);
  for (Complex& element : t.elements) element = std::conj(element);
  return t;
}

Dense columns(const Dense& a, int64_t first, int64_t count) {
  Dense part(a.rows, count);
  for (int64_t i = 0; i < a.rows; ++i)
    for (int64_t j = 0; j < count; ++j) part(i, j) = a(i, first + j);
  return part;
}

Dense upperTriangle(const Dense& a, int64_t offset) {
  Dense t = a;
  for (int64_t i = 0; i < a.rows; ++i)
    for (int64_t j = 0; j < a.cols && j < i + offset; ++j) t(i, j) = 0;
  return t;
}

Dense lowerTriangle(const Dense& a, int64_t offset) { return transpose(upperTriangle(transpose(a), offset)); }

Dense diagonalDense(const Dense& column, int64_t rows, int64_t cols) {
  Dense d(rows, cols);
  for (int64_t i = 0; i < column.rows; ++i) d(i, i) = column(i, 0);
  return d;
}

double maxAbs(const Dense& a) {
  double greatest = 0;
  for (const Complex& element : a.elements) {
    const double size = std::abs(element);
    if (std::isnan(size)) return size;
    greatest = std::max(greatest, size);
  }
  return greatest;
}

bool allNaN(const Dense& a) {
  return std::all_of(a.elements.begin(), a.elements.end(),
                     [](const Complex& e) { return std::isnan(e.real()); });
}

Data toData(const Dense& a, DType dtype, bool asVector) {
  std::vector<int64_t> shape{a.rows};
  if (!asVector) shape.push_back(a.cols);
  Tensor tensor{dtype, shape,
                std::vector<std::byte>(a.elements.size() * static_cast<size_t>(dtypeSize(dtype)))};
  withType(dtype, [&]<class T>(std::type_identity<T>) {
    for (size_t i = 0; i < a.elements.size(); ++i)
      store<T>(tensor.bytes.data() + i * sizeof(T), convertTo<T>(a.elements[i]));
  });
  return Data{std::move(tensor)};
}

Dense toDense(const Data& data) {
  const Tensor& tensor = *data.tensor();
  const int64_t rows = tensor.shape.empty() ? 1 : tensor.shape[0];
  Dense a(rows, tensor.shape.size() < 2 ? 1 : tensor.shape[1]);
  withType(tensor.dtype, [&]<class T>(std::type_identity<T>) {
    for (size_t i = 0; i < a.elements.size(); ++i)
      a.elements[i] = convertTo<Complex>(load<T>(tensor.bytes.data() + i * sizeof(T)));
  });
  return a;
}

std::vector<Dense> outputsOf(const OpCall& call) {
  const OpOutcome outcome = callOp(call);
  std::vector<Dense> outputs;
  if (outcome.error) QTest::qFail((call.op + " failed: " + outcome.errorText()).c_str(), __FILE__, __LINE__);
  for (const Data& data : outcome.outputs) outputs.push_back(toDense(data));
  outputs.resize(call.outputTypes.size());
  return outputs;
}

double toleranceOf(DType dtype) {
  switch (dtype) {
  case DType::Float16:
    return 2e-2;
  case DType::Float32:
  case DType::Complex64:
    return 1e-4;
  default:
    return isIntegral(dtype) ? 0 : 1e-12;
  }
}

Type matrixType(DType dtype) { return tensorType(dtype, {kUnknownLength, kUnknownLength}); }
Type vectorType(DType dtype) { return tensorType(dtype, {kUnknownLength}); }

std::string layoutName(Layout layout) {
  constexpr const char* kNames[] = {"contiguous", "fortran", "spread", "reversed"};
  return kNames[static_cast<size_t>(layout)];
}

void addLapackRows() {
  QTest::addColumn<int>("dtype");
  for (const DType d : kLapackDTypes) QTest::newRow(std::string(dtypeName(d)).c_str()) << static_cast<int>(d);
}

void addLapackLayoutRows() {
  QTest::addColumn<int>("dtype");
  QTest::addColumn<int>("layout");
  for (const DType d : kLapackDTypes)
    for (const Layout layout : kLayouts)
      QTest::addRow("%s %s", std::string(dtypeName(d)).c_str(), layoutName(layout).c_str())
          << static_cast<int>(d) << static_cast<int>(layout);
}

} // namespace nodewise::testing
