// The axes of a reduction: reading them, the shape that is left, the loop plan.
#pragma once

#include "ops/op.h"

#include <vector>

namespace nodewise {

struct ReducedAxes {
  std::vector<bool> reduced; ///< for each input axis
  int keptRank() const;
};

/// Param `axis`: a list, ascending, within the input's rank; null or absent: all axes.
Result<ReducedAxes> reducedAxes(const NodeView& node);
/// out.shape = in.shape without the reduced axes.
void setKeptShape(const ReducedAxes& axes, const Array& in, Array& out);
/// See planReduction.
void planOverAxes(const ReducedAxes& axes, const Array& in, const Array& out, bool keepOrder,
                  std::vector<int64_t>& plan);

} // namespace nodewise
