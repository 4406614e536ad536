// What a group of nodes is as a whole: how many, how they came out, and what they cost.
#pragma once

#include "ui/graph/grouping.h"
#include "ui/theme/status.h"

#include <span>
#include <vector>

namespace nodewise::ui {

struct CostSum {
  int64_t all = 0, most = 0; ///< nanoseconds
  NodeIndex dearest = -1;    ///< that costs the most; -1: no cost is known
};

struct GroupSummary {
  int64_t nodes = 0, inner = 0; ///< inner: those of them that stand in inner graphs
  StatusCounts counts{};
  int64_t keys = 0; ///< different ones, of nodes that need code
  CostSum compile;  ///< each key once
  CostSum run;      ///< without inner graphs: their time is in the nodes that hold them
};

/// All nodes in a group, in what stands in it, and in inner graphs, in their order.
std::vector<NodeIndex> nodesIn(const Grouping& grouping, GroupId group);

/// What compiling each node costs by itself, in nanoseconds: nothing where a node before it has the same key,
/// and so is compiled for both.
std::vector<int64_t> ownCompileCosts(std::span<const NodeInfo> nodes, std::span<const NodeState> states);

/// `states` has one element for each of `nodes`.
GroupSummary groupSummary(const Grouping& grouping, GroupId group, std::span<const NodeInfo> nodes,
                          std::span<const NodeState> states);

} // namespace nodewise::ui
