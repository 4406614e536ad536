// The order in which a graph's nodes run, so that what only one branch of an IfElse needs can be skipped.
#pragma once

#include "ops/graph_plan.h"

#include <cstdint>
#include <vector>

namespace nodewise {

/// A branch that a node belongs to: it runs only if that IfElse takes it (and that IfElse runs itself).
struct Guard {
  int32_t node = -1; ///< index of the IfElse; -1: always runs
  bool thenBranch = true;
};

struct RunOrder {
  std::vector<int32_t> order; ///< node indices
  std::vector<Guard> guards;  ///< by node index: the innermost branch
};

/// The file's order, but that the nodes of a branch come right before their IfElse. Nodes whose inputs are
/// overwritten by others stay where they are and always run.
RunOrder runOrder(const GraphPlan& plan);

} // namespace nodewise
