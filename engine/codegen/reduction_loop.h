// The loops of a reduction kernel.
#pragma once

#include "codegen/emitter.h"

#include <functional>

namespace nodewise::codegen {

struct ReductionShape {
  DType in, accumulator, out;
  bool whole = false;    ///< over all axes: code for rows of kept elements is left out
  bool lanewise = false; ///< combine has calls that exist for one element only
};

struct Reducer {
  /// What accumulation starts from.
  std::function<ScalarValue(ScalarBuilder&)> start;
  /// What a reduction over nothing gives, where that is not `start`; may be empty.
  std::function<ScalarValue(ScalarBuilder&)> overNothing;
  /// Both of the accumulator's dtype; associative and commutative, as far as rounding lets it.
  std::function<ScalarValue(ScalarBuilder&, ScalarValue accumulator, ScalarValue x)> combine;
};

/// Writes the whole kernel (in[0] -> out[0]). Reads a plan made by planReduction. Sums run in several vector
/// accumulators, which is faster and more exact than one after the other.
void emitReduction(Emitter& emitter, const ReductionShape& shape, const Reducer& reducer);

} // namespace nodewise::codegen
