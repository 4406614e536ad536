// A graph with every node lowered, inner graphs included: what can be keyed, compiled and run.
#pragma once

#include "ops/op.h"

#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace nodewise {

struct GraphPlan;

struct PlannedNode {
  Lowered lowered;
  std::vector<std::pair<int, int>> destroys; ///< honoured in-place pairs
  std::string path;                          ///< JSON path
  std::unique_ptr<GraphPlan> inner;          ///< of a control node with an inner graph
  KernelFn kernel = nullptr;                 ///< of a kernel, once linked
};

struct GraphPlan {
  const Graph* graph = nullptr; ///< outlives the plan
  std::vector<PlannedNode> nodes;
};

/// Lowers all nodes. Nodes that cannot be run are planned as unsupported; an error means that the file is
/// malformed.
Result<std::unique_ptr<GraphPlan>> planGraph(const Graph& graph, const std::string& path = "$.graph");

/// Calls visit for every node, a graph's own before those of its inner graphs' (the order of
/// Session::nodes()).
void visitNodes(GraphPlan& plan, const std::function<void(GraphPlan& graph, size_t node)>& visit);

} // namespace nodewise
