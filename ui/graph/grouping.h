// Groups: how a graph of any size is shown as few boxes. A group is a level (the outer or an inner graph), a
// scope of a level that is too large to be shown whole, or, where scopes do not help, a stretch of its
// topological order (stretches never make a cycle among groups).
#pragma once

#include "ui/graph/structure.h"

#include <set>

namespace nodewise::ui {

using GroupId = int32_t;

enum class GroupKind : uint8_t { Level, Scope, Stretch };

struct Group {
  GroupKind kind = GroupKind::Level;
  GroupId parent = -1; ///< of a level: the group that its owner stands in; -1: the outer graph
  int level = 0;
  NodeIndex owner = -1; ///< of an inner graph's level: its node
  std::string title;    ///< "encoder/layer0", "Scan", "nodes 1 to 150"
  std::vector<GroupId> groups;
  std::vector<NodeIndex> nodes; ///< that stand directly in it
  int64_t size = 0;             ///< nodes in it, in its groups and in inner graphs
};

struct Grouping {
  std::vector<Group> groups;             ///< the outer graph is 0
  std::vector<GroupId> groupOfNode;      ///< that a node stands in directly
  std::vector<GroupId> levelGroupInNode; ///< the group of a node's inner graph, or -1
};

/// More boxes than this in one group are grouped further.
inline constexpr size_t kGroupAbove = 500;

Grouping makeGrouping(const Structure& structure, size_t groupAbove = kGroupAbove);

/// The groups around a node, innermost first, up to the outer graph.
std::vector<GroupId> groupsAround(const Grouping& grouping, NodeIndex node);

/// Groups that the user has opened; the outer graph always is.
using OpenGroups = std::set<GroupId>;

} // namespace nodewise::ui
