// Finding nodes by the query language of tables and command line (cache/filter.h): words match op, detail,
// name, scope, origin and dtype; `state:` matches the outcome or kind.
#pragma once

#include "cache/filter.h"
#include "cache/run_history.h"
#include "ui/theme/status.h"

namespace nodewise::ui {

/// Nodes that a filter matches, in index order. `nowUnix`: for ages; 0: none has one.
std::vector<NodeIndex> findNodes(const Filter& filter, std::span<const NodeInfo> nodes,
                                 std::span<const NodeState> states, int64_t nowUnix = 0);

/// The same of a run's nodes, whose graph need not be open: they have no rank. By position in the record.
std::vector<bool> findRunNodes(const Filter& filter, const RunRecord& run, int64_t nowUnix = 0);

/// Recorded runs that a filter matches: words match file and command.
std::vector<bool> findRuns(const Filter& filter, std::span<const RunRow> runs, int64_t nowUnix);

} // namespace nodewise::ui
