// Words for nodes: the quiet line of a box, a table or a message.
#pragma once

#include "graph/graph.h"

#include <string>

namespace nodewise {

/// What tells a node from others of its op: "composite: exp, mul, add", "axis 0, 2", "normal"; may be empty.
std::string nodeDetail(const Graph& graph, const Node& node);

} // namespace nodewise
