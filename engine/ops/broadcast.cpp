#include "ops/broadcast.h"

#include <algorithm>

namespace nodewise {

bool broadcastStrides(const Array& array, const int64_t* shape, int rank, int64_t* strides,
                      uint32_t onesThatBroadcast) {
  const int added = rank - array.rank;
  if (added > 0) std::fill_n(strides, added, 0);
  for (int axis = 0; axis < array.rank; ++axis) {
    const int place = axis + added;
    const int64_t length = array.shape[axis];
    if (place < 0) {
      if (length != 1) return false;
      continue;
    }
    const bool repeats = length == 1 && (onesThatBroadcast >> axis & 1u) != 0;
    if (length != shape[place] && !repeats) return false;
    strides[place] = length == 1 ? 0 : array.strides[axis];
  }
  return true;
}

} // namespace nodewise
