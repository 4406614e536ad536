// Sparse matrices for tests, with a dense reference beside each: every dtype, both formats, and the same
// matrix untidy as files may hold it.
#pragma once

#include "numeric/element.h"
#include "numeric/sparse_matrix.h"
#include "ops/op_harness.h"

#include <QtTest>

#include <complex>
#include <functional>
#include <limits>

namespace nodewise::testing {

using Complex = std::complex<double>;

/// A small dense matrix of wide numbers: the reference that sparse results are compared with.
struct Dense {
  int64_t rows = 0, columns = 0;
  std::vector<Complex> elements;

  Dense(int64_t r, int64_t c) : rows(r), columns(c), elements(static_cast<size_t>(r * c)) {}
  Complex& at(int64_t i, int64_t j) { return elements[static_cast<size_t>(i * columns + j)]; }
  Complex at(int64_t i, int64_t j) const { return elements[static_cast<size_t>(i * columns + j)]; }
};

/// Mostly zeros, some negative; `seed` makes them differ.
inline Dense pattern(int64_t rows, int64_t columns, int seed) {
  Dense m(rows, columns);
  for (int64_t i = 0; i < rows * columns; ++i) {
    const int64_t x = (i * 29 + seed * 17 + i * i * 7) % 23;
    if (x < 9) m.elements[static_cast<size_t>(i)] = static_cast<double>(x - 3);
  }
  return m;
}

inline Data tensorOf(const Dense& m, DType dtype) {
  Tensor wide{
      DType::Complex128, {m.rows, m.columns}, std::vector<std::byte>(m.elements.size() * sizeof(Complex))};
  if (!m.elements.empty()) std::memcpy(wide.bytes.data(), m.elements.data(), wide.bytes.size());
  // Through int64, so that negative numbers wrap in unsigned dtypes.
  if (isIntegral(dtype)) return convertedTo(convertedTo(Data{wide}, DType::Int64), dtype);
  return convertedTo(Data{wide}, dtype);
}

/// The matrix with its elements as they are in a dtype. Without their signs in uint64, in which negative
/// numbers would be beyond the reference's doubles.
inline Dense in(Dense m, DType dtype) {
  if (dtype == DType::UInt64)
    for (Complex& element : m.elements) element = std::abs(element);
  const Data wide = convertedTo(tensorOf(m, dtype), DType::Complex128);
  Dense result = m;
  if (!m.elements.empty())
    std::memcpy(result.elements.data(), wide.tensor()->bytes.data(), wide.tensor()->bytes.size());
  return result;
}

inline Data vectorOf(const std::vector<Complex>& elements, DType dtype) {
  Dense row(1, static_cast<int64_t>(elements.size()));
  row.elements = elements;
  Data data = tensorOf(row, dtype);
  std::get<Tensor>(data.v).shape = {row.columns};
  return data;
}

inline SparseData sparseOf(const Dense& m, bool csc, DType dtype) {
  const Data dense = tensorOf(m, dtype);
  const int64_t size = dtypeSize(dtype);
  SparseData sparse;
  denseToSparse(dtype, dense.tensor()->bytes.data(), {m.rows, m.columns}, {m.columns * size, size}, csc,
                sparse);
  return sparse;
}

/// The same matrix, as files may also hold it: indices in falling order, the first stored element in two
/// parts (of which one is 0), a stored zero, int64 indices.
inline SparseData untidy(const SparseData& tidy) {
  const SparseView view = viewOf(tidy);
  std::vector<int64_t> start{0}, index;
  std::vector<int32_t> source;
  for (int64_t m = 0; m < view.major; ++m) {
    for (int32_t k = view.start[m + 1] - 1; k >= view.start[m]; --k) {
      index.push_back(view.index[k]);
      source.push_back(k);
    }
    if (view.minor > 0) {
      index.push_back(0);
      source.push_back(-1);
    }
    start.push_back(static_cast<int64_t>(index.size()));
  }
  Tensor values{tidy.data.dtype, {static_cast<int64_t>(index.size())}, {}};
  const auto size = static_cast<size_t>(dtypeSize(tidy.data.dtype));
  values.bytes.resize(index.size() * size);
  for (size_t k = 0; k < source.size(); ++k)
    if (source[k] >= 0)
      std::memcpy(values.bytes.data() + k * size,
                  tidy.data.bytes.data() + static_cast<size_t>(source[k]) * size, size);
  return {tidy.csc, tidy.shape, values, *vectorOf<int64_t>(index).tensor(),
          *vectorOf<int64_t>(start).tensor()};
}

inline Type sparseType(bool csc, DType dtype) {
  Type type;
  type.kind = Kind::Sparse;
  type.text = csc ? "csc" : "csr";
  type.dtype = dtype;
  type.shape = {kUnknownLength, kUnknownLength};
  return type;
}

inline Type matrixType(DType dtype) { return tensorType(dtype, {kUnknownLength, kUnknownLength}); }
inline Type vectorType(DType dtype) { return tensorType(dtype, {kUnknownLength}); }

inline Data none() { return Data{NoneData{}}; }

inline Dense product(const Dense& a, const Dense& b) {
  Dense c(a.rows, b.columns);
  for (int64_t i = 0; i < a.rows; ++i)
    for (int64_t k = 0; k < a.columns; ++k)
      for (int64_t j = 0; j < b.columns; ++j) c.at(i, j) += a.at(i, k) * b.at(k, j);
  return c;
}

inline Dense transposed(const Dense& a) {
  Dense t(a.columns, a.rows);
  for (int64_t i = 0; i < a.rows; ++i)
    for (int64_t j = 0; j < a.columns; ++j) t.at(j, i) = a.at(i, j);
  return t;
}

/// f of the elements of two matrices.
inline Dense combined(const Dense& a, const Dense& b, const std::function<Complex(Complex, Complex)>& f) {
  Dense c = a;
  for (size_t i = 0; i < c.elements.size(); ++i) c.elements[i] = f(a.elements[i], b.elements[i]);
  return c;
}

inline constexpr DType kSparseDTypes[] = {DType::Bool,      DType::Int8,      DType::Int64,   DType::UInt8,
                                          DType::UInt64,    DType::Float16,   DType::Float32, DType::Float64,
                                          DType::Complex64, DType::Complex128};

inline void addSparseRows() {
  QTest::addColumn<int>("dtype");
  QTest::addColumn<bool>("csc");
  QTest::addColumn<bool>("wild");
  for (const DType dtype : kSparseDTypes)
    for (const bool csc : {false, true})
      for (const bool wild : {false, true})
        QTest::addRow("%s %s%s", std::string(dtypeName(dtype)).c_str(), csc ? "csc" : "csr",
                      wild ? " untidy" : "")
            << static_cast<int>(dtype) << csc << wild;
}

} // namespace nodewise::testing

/// Fetches a row of addSparseRows(); `given` makes a sparse input of a matrix.
#define FETCH_ROW                                                                                            \
  QFETCH(int, dtype);                                                                                        \
  QFETCH(bool, csc);                                                                                         \
  QFETCH(bool, wild);                                                                                        \
  const auto d = static_cast<DType>(dtype);                                                                  \
  const auto given = [=](const Dense& m) {                                                                   \
    const SparseData tidy = sparseOf(m, csc, d);                                                             \
    return Data{wild ? untidy(tidy) : tidy};                                                                 \
  };                                                                                                         \
  [[maybe_unused]] const auto expected = [=](const Dense& m) { return Data{sparseOf(m, csc, d)}; };          \
  [[maybe_unused]] const double tolerance = d == DType::Float16 ? 1e-2 : 1e-6
