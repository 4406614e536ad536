// The loop of an elementwise kernel: a vector loop where the inner axis is contiguous, and a strided loop for
// the rest.
#pragma once

#include "codegen/emitter.h"

#include <functional>
#include <span>
#include <vector>

namespace nodewise::codegen {

struct ElementwiseInput {
  DType dtype;
  bool broadcast = false; ///< of length 1 along the inner axis, by its static type
  int inPlaceOf = -1;     ///< the output whose memory this input is in
};

struct ElementwiseShape {
  std::vector<ElementwiseInput> inputs;
  std::vector<DType> outputs;
  bool single = false;     ///< exactly one element, by the static types: no loop
  bool lanewise = false;   ///< the body has calls that exist for one element only: no vector loop
  int64_t widest = 1;      ///< bytes of the widest value inside the body
  bool calls = false;      ///< the body calls functions: one vector at a time
  int operations = 1;      ///< operations in the body; short bodies run on several vectors at a time
  bool streamable = false; ///< also write a loop with stores that bypass the cache, for large outputs
};

/// Values of the outputs from those of the inputs, with as many lanes as the builder has.
using ElementBody = std::function<std::vector<ScalarValue>(ScalarBuilder&, std::span<const ScalarValue>)>;

/// Writes the whole kernel. Reads a plan made by planElementwise over (inputs..., outputs...), unless
/// `single`.
void emitElementwise(Emitter& emitter, const ElementwiseShape& shape, const ElementBody& body);

} // namespace nodewise::codegen
