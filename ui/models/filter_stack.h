// The one stack of filters that all views share: each keeps some nodes, and what is shown is what all of them
// keep. A filter is stated on the nodes of the open graph, on those of the run that is shown, or as a query;
// here it is carried over to the other side, so that graph and costs show the same nodes.
#pragma once

#include "cache/run_history.h"
#include "ui/models/node_query.h"

#include <QString>

#include <optional>

namespace nodewise::ui {

enum class FilterSide : uint8_t { Graph, Run };

struct NodeFilterEntry {
  enum class Of : uint8_t {
    Query, ///< what `query` finds; follows the states of the nodes
    Graph, ///< a set of the open graph's nodes
    Run    ///< a set of the shown run's nodes
  };
  Of of = Of::Query;
  QString text; ///< of its chip: "time 3.1 ms to 4.2 ms"
  QString query;
  /// By node of each side; empty: says nothing of that side, and keeps all of it.
  std::vector<bool> graph, run;

  const std::vector<bool>& on(FilterSide side) const { return side == FilterSide::Graph ? graph : run; }
};

NodeFilterEntry queryFilter(const QString& query);
/// Nodes of which a field is exactly this: chip "op Elemwise", query op="Elemwise".
NodeFilterEntry fieldFilter(const QString& field, const QString& value);
NodeFilterEntry graphFilter(const QString& text, std::vector<bool> nodes);
NodeFilterEntry runFilter(const QString& text, std::vector<bool> nodes);

/// What filters are of: the open graph, and the run that is shown.
struct FilterScope {
  std::span<const NodeInfo> nodes;
  std::span<const NodeState> states;
  const RunRecord* run = nullptr;
  std::vector<NodeIndex> nodeOfRun; ///< by node of the run; -1: no node of the open graph
  int64_t nowUnix = 0;
};

/// Fills in the side or sides that a filter does not state. A query is asked of the open graph and, where the
/// run is another graph's, of the run's own nodes. False: the filter's own side is of another graph or run
/// than the scope's, so that it has no meaning any more.
bool resolveFilter(NodeFilterEntry& entry, const FilterScope& scope);

/// Which of `count` nodes of a side are kept by all entries; none: nothing is filtered there.
std::optional<std::vector<bool>> keptNodes(std::span<const NodeFilterEntry> entries, FilterSide side,
                                           size_t count);

} // namespace nodewise::ui
