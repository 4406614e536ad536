// What a Python slice takes of an axis.
#pragma once

#include "graph/data.h"

#include <algorithm>

namespace nodewise {

/// Positions start, start + step, ..., `count` of them, all inside the axis.
struct SliceRange {
  int64_t start = 0, step = 1, count = 0;
};

/// The positions that a slice takes of an axis of n, or nothing where its step is 0.
inline std::optional<SliceRange> sliceRange(const SliceData& slice, int64_t n) {
  const int64_t step = std::max(slice.step.value_or(1), -INT64_MAX);
  if (step == 0) return std::nullopt;
  const int64_t least = step > 0 ? 0 : -1, most = step > 0 ? n : n - 1;
  const auto place = [&](std::optional<int64_t> given, int64_t absent) {
    return given ? std::clamp(*given < 0 ? *given + n : *given, least, most) : absent;
  };
  const int64_t start = place(slice.start, step > 0 ? least : most);
  const int64_t stop = place(slice.stop, step > 0 ? most : least);
  const int64_t distance = step > 0 ? stop - start : start - stop, stride = step > 0 ? step : -step;
  return SliceRange{start, step, distance > 0 ? (distance - 1) / stride + 1 : 0};
}

} // namespace nodewise
