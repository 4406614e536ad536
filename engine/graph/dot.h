// Graphviz text of a function graph.
#pragma once

#include "graph/graph.h"

#include <functional>
#include <string>

namespace nodewise {

struct DotOptions {
  bool values = true;     ///< inputs, constants and outputs as boxes of their own
  bool edgeLabels = true; ///< dtype and shape on edges
  bool clusters = false;  ///< nodes of one `scope` in a cluster
  /// Extra attributes for a node ("fillcolor=\"#009E73\""); may be empty.
  std::function<std::string(size_t nodeIndex)> nodeAttributes;
};

/// A digraph; node i is "n<i>", input and constant value v is "v<v>", output position p is "o<p>". All text
/// is escaped.
std::string toDot(const Graph& graph, const DotOptions& options = {});

} // namespace nodewise
