// Ops whose output is their first input with some elements changed.
#pragma once

#include "ops/op.h"
#include "ops/view_lowering.h"

namespace nodewise {

/// Lets output 0 be written over input 0 where the node permits it.
inline void permitInPlace(const NodeView& node, Lowered& lowered) {
  for (const auto& pair : node.destroys())
    if (pair == std::pair(0, 0)) lowered.inPlace = {pair};
}

/// Gives `out` the elements of `in`, unless it is in's memory already.
inline void startFrom(const Array& in, const Array& out) {
  if (out.data != in.data) copyArray(in, out);
}

/// out[0] has the lengths of in[0].
inline int32_t shapeLikeFirst(Array* const* in, Array* const* out, Context&) {
  for (int32_t axis = 0; axis < in[0]->rank; ++axis) out[0]->shape[axis] = in[0]->shape[axis];
  return 0;
}

} // namespace nodewise
