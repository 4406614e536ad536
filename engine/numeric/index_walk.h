// Walking over all indices of a shape, with the byte offsets they have in several strided arrays.
#pragma once

#include "numeric/strided.h"

#include <array>
#include <cstdint>

namespace nodewise {

/// Calls visit(offsets) for each index of `shape` in C order; offsets[k] is the index's distance in bytes
/// from the start of the array with strides[k]. `rank` is at most kMaxRank. A shape with a length of 0 has no
/// index.
template <size_t N, class Visit>
void forEachIndex(const int64_t* shape, int rank, const std::array<const int64_t*, N>& strides,
                  Visit&& visit) {
  for (int axis = 0; axis < rank; ++axis)
    if (shape[axis] == 0) return;
  std::array<int64_t, kMaxRank> index{};
  std::array<int64_t, N> offsets{};
  for (;;) {
    visit(static_cast<const std::array<int64_t, N>&>(offsets));
    int axis = rank - 1;
    for (; axis >= 0; --axis) {
      const auto a = static_cast<size_t>(axis);
      if (++index[a] < shape[a]) {
        for (size_t k = 0; k < N; ++k) offsets[k] += strides[k][a];
        break;
      }
      for (size_t k = 0; k < N; ++k) offsets[k] -= strides[k][a] * (shape[a] - 1);
      index[a] = 0;
    }
    if (axis < 0) return;
  }
}

/// The same for each line along `axis`: each index of the other axes, at the line's first element.
template <size_t N, class Visit>
void forEachLine(const int64_t* shape, int rank, int axis, const std::array<const int64_t*, N>& strides,
                 Visit&& visit) {
  std::array<int64_t, kMaxRank> others{};
  for (int i = 0; i < rank; ++i) others[static_cast<size_t>(i)] = i == axis ? 1 : shape[i];
  forEachIndex<N>(others.data(), rank, strides, visit);
}

} // namespace nodewise
