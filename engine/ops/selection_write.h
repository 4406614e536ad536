// Writing at indexed places, as AdvancedIncSubtensor does.
#pragma once

#include "ops/selection_walk.h"

namespace nodewise {

/// What a node writes, and how. Its inputs are x, y and the indices.
struct SelectionWrite {
  AdvancedIndices indices;
  WriteMode mode = WriteMode::Add;
  bool lastOnly = false;            ///< of equal places only the last counts, also when adding
  uint32_t onesThatBroadcast = ~0u; ///< bit k: axis k of y, of length 1, may broadcast
  size_t inputs = 0;                ///< of the node
};

/// out[0] = in[0] with y written. ValueError where y does not broadcast to what the indices read.
int32_t runWrite(const SelectionWrite& write, Array* const* in, Array* const* out, Context& context);

} // namespace nodewise
