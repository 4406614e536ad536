#include "ops/reduction_axes.h"

#include "codegen/loop_plan.h"
#include "ops/params.h"

#include <fmt/format.h>

#include <algorithm>

namespace nodewise {

int ReducedAxes::keptRank() const { return static_cast<int>(std::ranges::count(reduced, false)); }

Result<ReducedAxes> reducedAxes(const NodeView& node) {
  const int rank = node.in(0).rank();
  NW_TRY(std::optional<std::vector<int64_t>> list, intListParam(node, "axis", true));
  ReducedAxes axes{std::vector<bool>(static_cast<size_t>(rank), !list)};
  if (!list) return axes;
  int64_t last = -1;
  for (int64_t axis : *list) {
    if (axis <= last || axis >= rank)
      return node.paramError(
          "axis", fmt::format("expected ascending axes of a tensor of rank {}, found {}", rank, axis));
    axes.reduced[static_cast<size_t>(axis)] = true;
    last = axis;
  }
  return axes;
}

void setKeptShape(const ReducedAxes& axes, const Array& in, Array& out) {
  int32_t kept = 0;
  for (size_t axis = 0; axis < axes.reduced.size(); ++axis)
    if (!axes.reduced[axis]) out.shape[kept++] = in.shape[axis];
}

void planOverAxes(const ReducedAxes& axes, const Array& in, const Array& out, bool keepOrder,
                  std::vector<int64_t>& plan) {
  planReduction({in.shape, static_cast<size_t>(in.rank)}, {in.strides, static_cast<size_t>(in.rank)},
                axes.reduced, {out.strides, static_cast<size_t>(out.rank)}, dtypeSize(in.dtype),
                dtypeSize(out.dtype), keepOrder, plan);
}

} // namespace nodewise
