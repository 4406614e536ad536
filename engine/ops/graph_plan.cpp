#include "ops/graph_plan.h"

#include "graph/aliasing.h"
#include "ops/control.h"

namespace nodewise {

Result<std::unique_ptr<GraphPlan>> planGraph(const Graph& graph, const std::string& path) {
  auto plan = std::make_unique<GraphPlan>();
  plan->graph = &graph;
  const auto destroys = safeDestroys(graph);
  plan->nodes.resize(graph.nodes.size());
  for (size_t n = 0; n < graph.nodes.size(); ++n) {
    const Node& node = graph.nodes[n];
    PlannedNode& planned = plan->nodes[n];
    planned.path = nodePath(path, n);
    planned.destroys = destroys[n];
    NW_TRY(planned.lowered, lowerNode({graph, node, planned.path, &planned.destroys}));
    if (planned.lowered.control && planned.lowered.control->inner) {
      NW_TRY(planned.inner, planGraph(*planned.lowered.control->inner, innerPath(path, n, node)));
    }
  }
  return plan;
}

void visitNodes(GraphPlan& plan, const std::function<void(GraphPlan&, size_t)>& visit) {
  for (size_t n = 0; n < plan.nodes.size(); ++n) visit(plan, n);
  for (PlannedNode& node : plan.nodes)
    if (node.inner) visitNodes(*node.inner, visit);
}

} // namespace nodewise
