// Finding nodes by the query language of tables and command line (cache/filter.h): words match op, detail and
// dtype; `state:` matches the outcome or kind.
#pragma once

#include "cache/filter.h"
#include "ui/theme/status.h"

namespace nodewise::ui {

/// Nodes that a filter matches, in index order.
std::vector<NodeIndex> findNodes(const Filter& filter, std::span<const NodeInfo> nodes,
                                 std::span<const NodeState> states);

} // namespace nodewise::ui
