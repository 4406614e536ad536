#include "numeric/matrix.h"

#include "numeric/strided.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace nodewise::linalg {

namespace {

/// Elements that are moved only, by their size.
struct Bytes16 {
  uint64_t parts[2];
};

/// Square tiles, so that a transposing copy of a large matrix reads and writes whole cache lines.
constexpr int64_t kTile = 32;

template <class T> void moveElements(const MatrixRef& from, const MatrixRef& to) {
  for (int64_t i0 = 0; i0 < to.rows; i0 += kTile)
    for (int64_t j0 = 0; j0 < to.cols; j0 += kTile) {
      const int64_t iEnd = std::min(i0 + kTile, to.rows), jEnd = std::min(j0 + kTile, to.cols);
      for (int64_t i = i0; i < iEnd; ++i)
        for (int64_t j = j0; j < jEnd; ++j) store<T>(to.at(i, j), load<T>(from.at(i, j)));
    }
}

/// The rows of both are contiguous.
bool bothRowsContiguous(const MatrixRef& a, const MatrixRef& b) {
  const int64_t size = dtypeSize(a.dtype);
  return (a.cols <= 1 || a.colStride == size) && (b.cols <= 1 || b.colStride == size);
}

void copySameDType(const MatrixRef& from, const MatrixRef& to) {
  const int64_t size = dtypeSize(to.dtype);
  if (bothRowsContiguous(from, to)) {
    const int64_t rowBytes = to.cols * size;
    if (from.rowStride == rowBytes && to.rowStride == rowBytes) {
      std::memmove(to.data, from.data, static_cast<size_t>(to.rows * rowBytes));
      return;
    }
    for (int64_t i = 0; i < to.rows; ++i)
      std::memmove(to.at(i, 0), from.at(i, 0), static_cast<size_t>(rowBytes));
    return;
  }
  switch (size) {
  case 1:
    return moveElements<uint8_t>(from, to);
  case 2:
    return moveElements<uint16_t>(from, to);
  case 4:
    return moveElements<uint32_t>(from, to);
  case 8:
    return moveElements<uint64_t>(from, to);
  default:
    return moveElements<Bytes16>(from, to);
  }
}

template <class T> bool finite(T value) {
  if constexpr (isComplexType<T>)
    return std::isfinite(value.real()) && std::isfinite(value.imag());
  else
    return std::isfinite(value);
}

} // namespace

void copyMatrix(const MatrixRef& from, const MatrixRef& to) {
  if (to.empty()) return;
  if (from.dtype == to.dtype) {
    const bool flip = !bothRowsContiguous(from, to) && bothRowsContiguous(from.transposed(), to.transposed());
    return flip ? copySameDType(from.transposed(), to.transposed()) : copySameDType(from, to);
  }
  const int64_t shape[2] = {to.rows, to.cols};
  const int64_t toStrides[2] = {to.rowStride, to.colStride};
  const int64_t fromStrides[2] = {from.rowStride, from.colStride};
  assign({to.data, toStrides, to.dtype}, {from.data, fromStrides, from.dtype}, shape, 2);
}

void fillMatrix(const MatrixRef& m, std::complex<double> value) {
  withType(m.dtype, [&]<class T>(std::type_identity<T>) {
    const T element = convertTo<T>(value);
    for (int64_t i = 0; i < m.rows; ++i)
      for (int64_t j = 0; j < m.cols; ++j) store<T>(m.at(i, j), element);
  });
}

void fillNaN(const MatrixRef& m) {
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  fillMatrix(m, {nan, nan});
}

bool allFinite(const MatrixRef& m) {
  if (isIntegral(m.dtype)) return true;
  return withType(m.dtype, [&]<class T>(std::type_identity<T>) {
    for (int64_t i = 0; i < m.rows; ++i)
      for (int64_t j = 0; j < m.cols; ++j) {
        const T value = load<T>(m.at(i, j));
        if constexpr (std::is_same_v<T, Half>) {
          if (!finite(halfToFloat(value))) return false;
        } else if constexpr (std::is_floating_point_v<T> || isComplexType<T>) {
          if (!finite(value)) return false;
        }
      }
    return true;
  });
}

std::optional<BlasLayout> blasLayout(const MatrixRef& m) {
  const int64_t size = dtypeSize(m.dtype);
  const auto rowsOf = [size](const MatrixRef& a) -> int {
    if (a.cols > 1 && a.colStride != size) return 0;
    if (a.rows <= 1) return static_cast<int>(std::max<int64_t>(1, a.cols));
    const int64_t ld = a.rowStride / size;
    if (ld * size != a.rowStride || ld < std::max<int64_t>(1, a.cols)) return 0;
    return ld <= std::numeric_limits<int>::max() ? static_cast<int>(ld) : 0;
  };
  if (const int ld = rowsOf(m)) return BlasLayout{false, ld};
  if (const int ld = rowsOf(m.transposed())) return BlasLayout{true, ld};
  return std::nullopt;
}

MatrixRef forBlas(const MatrixRef& m, DType dtype, Scratch& scratch) {
  if (m.dtype == dtype && blasLayout(m)) return m;
  std::byte* data = scratch.take<std::byte>(m.rows * m.cols * dtypeSize(dtype));
  const MatrixRef copy = rowMajor(data, dtype, m.rows, m.cols);
  copyMatrix(m, copy);
  return copy;
}

} // namespace nodewise::linalg
