// Sums and products of compressed sparse matrices with values of one type. In comments "row" stands for a row
// of csr and a column of csc: the kernels that take two matrices take both in the same format.
#pragma once

#include "numeric/ring_type.h"
#include "numeric/sparse_structure.h"

#include <algorithm>
#include <vector>

namespace nodewise {

/// A matrix in somebody else's memory.
template <class T> struct SparseTerms {
  SparseView at;
  const T* value;
};

/// A matrix that a kernel made.
template <class T> struct SparseResult {
  std::vector<int32_t> start{0}, index;
  std::vector<T> value;

  void add(int32_t place, T element) {
    index.push_back(place);
    value.push_back(element);
  }
  void endRow() { start.push_back(static_cast<int32_t>(index.size())); }
};

/// A dense matrix, C-contiguous.
template <class T> struct DenseTerms {
  const T* value;
  int64_t rows, columns;
};

/// Walks the union of the places of row m in two canonical matrices: visit(index, a's element or 0, b's
/// element or 0).
template <class A, class B, class Visit>
void mergeRow(const SparseTerms<A>& a, const SparseTerms<B>& b, int64_t m, Visit visit) {
  int32_t i = a.at.start[m], j = b.at.start[m];
  const int32_t iEnd = a.at.start[m + 1], jEnd = b.at.start[m + 1];
  while (i < iEnd || j < jEnd) {
    const int32_t left = i < iEnd ? a.at.index[i] : INT32_MAX, right = j < jEnd ? b.at.index[j] : INT32_MAX;
    const int32_t place = std::min(left, right);
    visit(place, left == place ? a.value[i] : A{}, right == place ? b.value[j] : B{});
    i += left == place;
    j += right == place;
  }
}

/// a + b of canonical matrices.
template <class T> SparseResult<T> sparseSum(const SparseTerms<T>& a, const SparseTerms<T>& b) {
  SparseResult<T> sum;
  for (int64_t m = 0; m < a.at.major; ++m) {
    mergeRow(a, b, m, [&sum](int32_t place, T x, T y) { sum.add(place, x + y); });
    sum.endRow();
  }
  return sum;
}

/// Element by element product of canonical matrices: where both have an element.
template <class T> SparseResult<T> sparseElementProduct(const SparseTerms<T>& a, const SparseTerms<T>& b) {
  SparseResult<T> result;
  for (int64_t m = 0; m < a.at.major; ++m) {
    int32_t j = b.at.start[m];
    for (int32_t i = a.at.start[m]; i < a.at.start[m + 1]; ++i) {
      while (j < b.at.start[m + 1] && b.at.index[j] < a.at.index[i]) ++j;
      if (j < b.at.start[m + 1] && b.at.index[j] == a.at.index[i])
        result.add(a.at.index[i], ringProduct(a.value[i], b.value[j]));
    }
    result.endRow();
  }
  return result;
}

/// The matrix product a b of csr matrices (of csc: b a). Row by row (F. G. Gustavson, ACM TOMS 4, 1978); the
/// indices of a row ascend. Fails (false) where the result would have more stored elements than int32 counts.
template <class T>
bool sparseProduct(const SparseTerms<T>& a, const SparseTerms<T>& b, SparseResult<T>& product) {
  std::vector<T> sums(static_cast<size_t>(b.at.minor));
  std::vector<int64_t> seenIn(static_cast<size_t>(b.at.minor), -1);
  for (int64_t m = 0; m < a.at.major; ++m) {
    const size_t first = product.index.size();
    for (int32_t k = a.at.start[m]; k < a.at.start[m + 1]; ++k) {
      const int32_t inner = a.at.index[k];
      for (int32_t l = b.at.start[inner]; l < b.at.start[inner + 1]; ++l) {
        const auto place = static_cast<size_t>(b.at.index[l]);
        if (seenIn[place] != m) {
          seenIn[place] = m;
          sums[place] = T{};
          product.index.push_back(b.at.index[l]);
        }
        sums[place] += ringProduct(a.value[k], b.value[l]);
      }
    }
    if (product.index.size() > INT32_MAX) return false;
    std::sort(product.index.begin() + static_cast<std::ptrdiff_t>(first), product.index.end());
    for (size_t k = first; k < product.index.size(); ++k)
      product.value.push_back(sums[static_cast<size_t>(product.index[k])]);
    product.endRow();
  }
  return true;
}

/// Calls visit(row, column, element) for each stored element of a matrix, csr or csc.
template <class T, class Visit> void forEachStored(const SparseTerms<T>& a, bool csc, Visit visit) {
  for (int64_t m = 0; m < a.at.major; ++m)
    for (int32_t k = a.at.start[m]; k < a.at.start[m + 1]; ++k)
      csc ? visit(int64_t{a.at.index[k]}, m, a.value[k]) : visit(m, int64_t{a.at.index[k]}, a.value[k]);
}

/// out += a b with sparse a; out is C-contiguous, of b.columns columns.
template <class T> void addSparseDense(const SparseTerms<T>& a, bool csc, const DenseTerms<T>& b, T* out) {
  const int64_t n = b.columns;
  forEachStored(a, csc, [&](int64_t i, int64_t j, T element) {
    const T* from = b.value + j * n;
    T* to = out + i * n;
    for (int64_t c = 0; c < n; ++c) to[c] += ringProduct(element, from[c]);
  });
}

/// out += a b with sparse b, of `columns` columns.
template <class T>
void addDenseSparse(const DenseTerms<T>& a, const SparseTerms<T>& b, bool csc, int64_t columns, T* out) {
  for (int64_t r = 0; r < a.rows; ++r) {
    const T* from = a.value + r * a.columns;
    T* to = out + r * columns;
    forEachStored(b, csc, [&](int64_t i, int64_t j, T element) { to[j] += ringProduct(from[i], element); });
  }
}

} // namespace nodewise
