// Whether a recorded run is of the graph that is open.
#pragma once

#include "cache/run_history.h"
#include "session/session.h"

namespace nodewise::ui {

/// Its nodes stand where the graph's stand: only then are its keys and costs those of the nodes shown.
inline bool isRunOf(const RunRecord& record, std::span<const NodeInfo> nodes) {
  for (const RunNode& node : record.nodes)
    if (node.position < 0 || static_cast<size_t>(node.position) >= nodes.size() ||
        nodes[static_cast<size_t>(node.position)].path != node.path)
      return false;
  return !record.nodes.empty();
}

} // namespace nodewise::ui
