// How nodes that only rearrange strides are lowered.
#pragma once

#include "ops/op.h"

namespace nodewise {

/// The node may let output k alias input 0 (it says so in `views`).
bool mayView(const NodeView& node, int output = 0);

/// A node whose outputs are found in input 0 by stride arithmetic. `view` sets shape, strides and data of
/// each output. Where the node does not permit that every output aliases the input, it becomes a prebuilt
/// copy of what `view` finds.
Lowered lowerView(const NodeView& node, ArrayFn view, uint64_t shapeFromValues = 0);

/// Output k has the dtype of input 0, as a view's has to.
Result<void> checkSameDtype(const NodeView& node, size_t k = 0);

/// out = in as it stands: shape, strides and data.
inline void aliasWhole(const Array& in, Array& out) {
  for (int32_t axis = 0; axis < in.rank; ++axis) {
    out.shape[axis] = in.shape[axis];
    out.strides[axis] = in.strides[axis];
  }
  out.data = in.data;
}

/// out = in, element by element; equal shapes.
void copyArray(const Array& in, const Array& out);

} // namespace nodewise
