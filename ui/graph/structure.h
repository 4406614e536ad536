// Who feeds whom, level by level: the outer graph and each inner graph that a node holds.
#pragma once

#include "session/session.h"

#include <span>
#include <string>
#include <vector>

namespace nodewise::ui {

/// One end of an edge: a node, or the border of its level.
struct LevelEdge {
  NodeIndex from = -1; ///< -1: the value is an input of the level
  NodeIndex to = -1;   ///< -1: the value is an output of the level
  ValueId value = -1;
  int position = 0; ///< input position at `to`, or output position of the level
};

/// One graph, with nodes by their index in Session::nodes().
struct Level {
  NodeIndex owner = -1; ///< the node whose inner graph it is; -1: the outer graph
  const Graph* graph = nullptr;
  std::vector<NodeIndex> nodes; ///< in the graph's topological order
  std::vector<LevelEdge> edges; ///< of all values that are not constants
};

struct Structure {
  std::vector<Level> levels;               ///< the outer graph first
  std::vector<int> levelOfNode;            ///< the level a node stands in
  std::vector<int> levelInNode;            ///< the level that a node holds, or -1
  std::vector<std::string> scopes, titles; ///< of nodes, for grouping
};

/// `nodes` as Session::nodes() gives them; their graphs must outlive the result.
Structure makeStructure(std::span<const NodeInfo> nodes);

/// Producers of a node's inputs and readers of its outputs, in its own level, without repetition.
std::vector<NodeIndex> producersOf(const Structure& structure, NodeIndex node);
std::vector<NodeIndex> readersOf(const Structure& structure, NodeIndex node);

} // namespace nodewise::ui
