#include "numeric/element.h"
#include "numeric/strided_planes.h"

#include <algorithm>

namespace nodewise {

namespace {

/// An element as bits: what it means does not matter to a copy.
template <size_t Size> struct Bits;
template <> struct Bits<1> { uint8_t a; };
template <> struct Bits<2> { uint16_t a; };
template <> struct Bits<4> { uint32_t a; };
template <> struct Bits<8> { uint64_t a; };
template <> struct Bits<16> { uint64_t a, b; };

/// One row. Each case has constant strides where it can, so that the compiler sees its memory accesses.
template <size_t Size>
void copyRow(std::byte* out, const std::byte* in, int64_t n, int64_t outStep, int64_t inStep) {
  using T = Bits<Size>;
  constexpr auto kSize = static_cast<int64_t>(Size);
  if (outStep != kSize) {
    for (int64_t i = 0; i < n; ++i) store(out + i * outStep, load<T>(in + i * inStep));
  } else if (inStep == kSize) {
    std::memcpy(out, in, static_cast<size_t>(n) * Size);
  } else if (inStep == 0) {
    const T value = load<T>(in);
    for (int64_t i = 0; i < n; ++i) store(out + i * kSize, value);
  } else if (inStep == 2 * kSize) { // every second element: a shuffle of vectors
    for (int64_t i = 0; i < n; ++i) store(out + i * kSize, load<T>(in + i * 2 * kSize));
  } else if (inStep == -kSize) {
    for (int64_t i = 0; i < n; ++i) store(out + i * kSize, load<T>(in - i * kSize));
  } else {
    for (int64_t i = 0; i < n; ++i) store(out + i * kSize, load<T>(in + i * inStep));
  }
}

/// A transposing copy goes tile by tile, so that the lines that it reads across stay in the first-level
/// cache.
constexpr int64_t kTile = 32;

template <size_t Size> void copyTiles(std::byte* out, const std::byte* in, const Plane& plane) {
  for (int64_t row = 0; row < plane.rows; row += kTile) {
    const int64_t rows = std::min(kTile, plane.rows - row);
    for (int64_t column = 0; column < plane.columns; column += kTile) {
      const int64_t columns = std::min(kTile, plane.columns - column);
      std::byte* outTile = out + row * plane.outRow + column * plane.outColumn;
      const std::byte* inTile = in + row * plane.inRow + column * plane.inColumn;
      for (int64_t i = 0; i < rows; ++i)
        copyRow<Size>(outTile + i * plane.outRow, inTile + i * plane.inRow, columns, plane.outColumn,
                      plane.inColumn);
    }
  }
}

template <size_t Size> void copyPlaneOf(std::byte* out, const std::byte* in, const Plane& plane) {
  const bool transposes = std::abs(plane.inRow) < std::abs(plane.inColumn) && plane.inRow != 0;
  if (transposes && plane.rows >= kTile && plane.columns >= kTile) return copyTiles<Size>(out, in, plane);
  for (int64_t row = 0; row < plane.rows; ++row)
    copyRow<Size>(out + row * plane.outRow, in + row * plane.inRow, plane.columns, plane.outColumn,
                  plane.inColumn);
}

} // namespace

PlaneFn copyPlane(DType dtype) {
  return withType(dtype, []<class T>(std::type_identity<T>) -> PlaneFn { return copyPlaneOf<sizeof(T)>; });
}

} // namespace nodewise
