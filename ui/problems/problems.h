// What is wrong with the open graph, node by node: failed, not supported, without a key, not stored.
#pragma once

#include "ui/models/table_model.h"
#include "ui/theme/status.h"
#include "ui/theme/theme.h"

#include <span>
#include <vector>

namespace nodewise::ui {

struct Problem {
  NodeIndex node = 0;
  Status status = Status::Failed;
  QString text; ///< what is wrong, as its node says it
};

/// In the graph's order. A miss is none; a miss whose code could not be stored is one.
std::vector<Problem> problemsOf(std::span<const NodeInfo> nodes, std::span<const NodeState> states);

/// Columns: outcome, node, what is wrong. `nodes` has to outlast the table.
TableData problemsTable(std::shared_ptr<const std::vector<Problem>> problems, std::span<const NodeInfo> nodes,
                        const Theme& theme);

} // namespace nodewise::ui
