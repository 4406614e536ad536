#include "numeric/convolution.h"

#include "numeric/element.h"
#include "numeric/fft.h"
#include "numeric/ring_type.h"

#include <algorithm>
#include <cmath>
#include <complex>
#include <utility>
#include <vector>

namespace nodewise {
namespace {

using Complex = std::complex<double>;

/// A row of sums is made in pieces that stay in the first-level cache while all elements of the shorter row
/// pass by.
constexpr int64_t kPiece = 1024;

/// out[i + j] += longer[i] * shorter[j].
template <class T>
void addFullRow(const T* longer, int64_t n, const T* shorter, int64_t m, T* __restrict out) {
  for (int64_t begin = 0; begin < n; begin += kPiece) {
    const int64_t count = std::min(kPiece, n - begin);
    for (int64_t j = 0; j < m; ++j) {
      const T factor = shorter[j];
      const T* from = longer + begin;
      T* to = out + begin + j;
      for (int64_t i = 0; i < count; ++i) to[i] += ringProduct(from[i], factor);
    }
  }
}

/// out[i] += sum over j of longer[i + m - 1 - j] * shorter[j].
template <class T>
void addValidRow(const T* longer, int64_t n, const T* shorter, int64_t m, T* __restrict out) {
  for (int64_t begin = 0; begin < n - m + 1; begin += kPiece) {
    const int64_t count = std::min(kPiece, n - m + 1 - begin);
    for (int64_t j = 0; j < m; ++j) {
      const T factor = shorter[j];
      const T* from = longer + begin + m - 1 - j;
      T* to = out + begin;
      for (int64_t i = 0; i < count; ++i) to[i] += ringProduct(from[i], factor);
    }
  }
}

struct Extent {
  int64_t rows, columns;
};

Extent resultExtent(ConstMatrix a, ConstMatrix b, bool full) {
  if (full) return {a.rows + b.rows - 1, a.columns + b.columns - 1};
  return {std::abs(a.rows - b.rows) + 1, std::abs(a.columns - b.columns) + 1};
}

/// Widens a matrix into rows of `columns` complex numbers, padded with zeros.
template <class T> std::vector<Complex> padded(ConstMatrix matrix, int64_t rows, int64_t columns) {
  std::vector<Complex> wide(static_cast<size_t>(rows * columns));
  const T* from = reinterpret_cast<const T*>(matrix.data);
  for (int64_t r = 0; r < matrix.rows; ++r)
    for (int64_t c = 0; c < matrix.columns; ++c)
      wide[static_cast<size_t>(r * columns + c)] = convertTo<Complex>(from[r * matrix.columns + c]);
  return wide;
}

/// Transforms all rows, then all columns, in place.
void transform(std::vector<Complex>& matrix, int64_t rows, int64_t columns, bool inverse) {
  const auto apply = [inverse](Fft& fft, const Complex* in, Complex* out) {
    inverse ? fft.inverse(in, out) : fft.forward(in, out);
  };
  Fft rowFft(columns), columnFft(rows);
  std::vector<Complex> in(static_cast<size_t>(std::max(rows, columns))), out(in.size());
  for (int64_t r = 0; r < rows; ++r) {
    Complex* row = matrix.data() + r * columns;
    apply(rowFft, row, out.data());
    std::copy_n(out.data(), columns, row);
  }
  if (rows == 1) return;
  for (int64_t c = 0; c < columns; ++c) {
    for (int64_t r = 0; r < rows; ++r)
      in[static_cast<size_t>(r)] = matrix[static_cast<size_t>(r * columns + c)];
    apply(columnFft, in.data(), out.data());
    for (int64_t r = 0; r < rows; ++r)
      matrix[static_cast<size_t>(r * columns + c)] = out[static_cast<size_t>(r)];
  }
}

} // namespace

void convolveDirect(DType dtype, ConstMatrix a, ConstMatrix b, bool full, std::byte* out) {
  if (a.rows < b.rows || (a.rows == b.rows && a.columns < b.columns)) std::swap(a, b);
  const Extent extent = resultExtent(a, b, full);
  withRingType(dtype, [&]<class T>(std::type_identity<T>) {
    T* sums = reinterpret_cast<T*>(out);
    std::fill_n(sums, extent.rows * extent.columns, T{});
    // Without `full`, the first sum that leaves nothing out is that of row b.rows - 1.
    const int64_t skipped = full ? 0 : b.rows - 1;
    for (int64_t i = 0; i < a.rows; ++i)
      for (int64_t k = 0; k < b.rows; ++k) {
        const int64_t row = i + k - skipped;
        if (row < 0 || row >= extent.rows) continue;
        const T *x = reinterpret_cast<const T*>(a.data) + i * a.columns,
                *y = reinterpret_cast<const T*>(b.data) + k * b.columns;
        int64_t n = a.columns, m = b.columns;
        if (n < m) std::swap(x, y), std::swap(n, m);
        T* to = sums + row * extent.columns;
        full ? addFullRow(x, n, y, m, to) : addValidRow(x, n, y, m, to);
      }
  });
}

void convolveByFft(DType dtype, ConstMatrix a, ConstMatrix b, bool full, std::byte* out) {
  const Extent whole = resultExtent(a, b, true), extent = resultExtent(a, b, full);
  const int64_t rows = fastFftLength(whole.rows), columns = fastFftLength(whole.columns);
  const int64_t firstRow = full ? 0 : std::min(a.rows, b.rows) - 1;
  const int64_t firstColumn = full ? 0 : std::min(a.columns, b.columns) - 1;
  withRingType(dtype, [&]<class T>(std::type_identity<T>) {
    std::vector<Complex> x = padded<T>(a, rows, columns), y = padded<T>(b, rows, columns);
    transform(x, rows, columns, false);
    transform(y, rows, columns, false);
    const double scale = 1.0 / static_cast<double>(rows * columns);
    for (size_t i = 0; i < x.size(); ++i) x[i] = ringProduct(x[i], y[i]) * scale;
    transform(x, rows, columns, true);
    T* to = reinterpret_cast<T*>(out);
    for (int64_t r = 0; r < extent.rows; ++r)
      for (int64_t c = 0; c < extent.columns; ++c)
        *to++ = convertTo<T>(x[static_cast<size_t>((r + firstRow) * columns + c + firstColumn)]);
  });
}

bool fftConvolutionPays(DType dtype, ConstMatrix a, ConstMatrix b, bool full) {
  if (!isFloat(dtype) && !isComplex(dtype)) return false;
  const Extent whole = resultExtent(a, b, true), extent = resultExtent(a, b, full);
  const double smaller =
      static_cast<double>(std::min(a.rows, b.rows)) * static_cast<double>(std::min(a.columns, b.columns));
  const double direct = static_cast<double>(extent.rows) * static_cast<double>(extent.columns) * smaller;
  const double padded = static_cast<double>(whole.rows) * static_cast<double>(whole.columns);
  // Three transforms; one step of a transform costs as much as some ten multiplications of the direct sum.
  if (direct < 1e6 || direct < 60 * padded * std::log2(padded)) return false;
  return withRingType(dtype, [&]<class T>(std::type_identity<T>) {
    const auto finite = [](ConstMatrix m) {
      const T* first = reinterpret_cast<const T*>(m.data);
      return std::all_of(first, first + m.rows * m.columns, [](T x) {
        const auto wide = convertTo<Complex>(x);
        return std::isfinite(wide.real()) && std::isfinite(wide.imag());
      });
    };
    return finite(a) && finite(b);
  });
}

} // namespace nodewise
