// What an integer does that is outside of its range: the `mode` of Choose and RavelMultiIndex.
#pragma once

#include "ops/params.h"

#include <algorithm>

namespace nodewise {

enum class OutOfRange : uint8_t { Raise, Wrap, Clip };

/// The param `mode`: raise, wrap or clip.
inline Result<OutOfRange> outOfRangeParam(const NodeView& node) {
  NW_TRY(const std::string mode, choiceParam(node, "mode", {"raise", "wrap", "clip"}, "raise"));
  return mode == "raise" ? OutOfRange::Raise : mode == "wrap" ? OutOfRange::Wrap : OutOfRange::Clip;
}

/// Brings `index` into 0 ... count - 1; false where it is outside and that raises (or count is 0).
inline bool bringIntoRange(int64_t& index, int64_t count, OutOfRange mode) {
  if (index >= 0 && index < count) return true;
  if (mode == OutOfRange::Raise || count <= 0) return false;
  if (mode == OutOfRange::Clip)
    index = std::clamp<int64_t>(index, 0, count - 1);
  else if ((index %= count) < 0)
    index += count;
  return true;
}

} // namespace nodewise
