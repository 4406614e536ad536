// Whether a recorded run is of a graph, and what it says of the graph's nodes.
#pragma once

#include "cache/run_history.h"
#include "session/session.h"

namespace nodewise {

/// Its nodes stand where the graph's stand: only then are its keys and costs those of the nodes shown.
inline bool isRunOf(const RunRecord& record, std::span<const NodeInfo> nodes) {
  for (const RunNode& node : record.nodes)
    if (node.position < 0 || static_cast<size_t>(node.position) >= nodes.size() ||
        nodes[static_cast<size_t>(node.position)].path != node.path)
      return false;
  return !record.nodes.empty();
}

/// By node of the graph: the outcome that the run recorded, and its reason; the others have none. The run
/// must be one of the graph.
inline std::vector<NodeState> recordedStates(const RunRecord& record, std::span<const NodeInfo> nodes) {
  std::vector<NodeState> states(nodes.size());
  for (const RunNode& node : record.nodes) {
    NodeState& state = states[static_cast<size_t>(node.position)];
    state.outcome = node.outcome;
    state.reason = node.reason;
  }
  return states;
}

} // namespace nodewise
