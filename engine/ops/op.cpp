#include "ops/op.h"

#include "numeric/strided.h"

#include <fmt/format.h>

#include <array>

namespace nodewise {

std::string_view nodeKindName(NodeKind kind) {
  constexpr std::array<std::string_view, 4> kNames{"view", "kernel", "prebuilt", "unsupported"};
  return kNames[static_cast<size_t>(kind)];
}

Lowered Lowered::unsupported(std::string reason) {
  Lowered lowered;
  lowered.reason = std::move(reason);
  return lowered;
}

Lowered Lowered::view(ArrayFn shape, uint64_t shapeFromValues) {
  Lowered lowered;
  lowered.kind = NodeKind::View;
  lowered.shape = std::move(shape);
  lowered.shapeFromValues = shapeFromValues;
  return lowered;
}

Lowered Lowered::prebuilt(ArrayFn shape, ArrayFn run, uint64_t shapeFromValues) {
  Lowered lowered;
  lowered.kind = NodeKind::Prebuilt;
  lowered.shape = std::move(shape);
  lowered.run = std::move(run);
  lowered.shapeFromValues = shapeFromValues;
  return lowered;
}

Result<Lowered> lowerNode(const NodeView& node) {
  const OpRow* row = findOp(node.node.op);
  if (!row) return Lowered::unsupported(fmt::format("unknown op {}", node.node.op));
  for (const auto* values : {&node.node.in, &node.node.out})
    for (const ValueId id : *values)
      if (const int rank = node.graph.values[static_cast<size_t>(id)].type.rank(); rank > kMaxRank)
        return Lowered::unsupported(
            fmt::format("arrays have at most {} axes here, and the node has one of {}", kMaxRank, rank));
  return row->lower(node);
}

} // namespace nodewise
