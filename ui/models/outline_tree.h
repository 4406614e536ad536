// The outline: graph, groups and inner graphs, and in each the ops with their nodes. Plain data;
// outline_model.h shows it.
#pragma once

#include "ui/graph/grouping.h"

#include <QString>

#include <span>
#include <vector>

namespace nodewise::ui {

enum class OutlineKind : uint8_t { Group, Op, Node };

struct OutlineItem {
  OutlineKind kind = OutlineKind::Node;
  int parent = -1, row = 0;
  NodeIndex node = -1; ///< of a node; of an op that stands once; of an inner graph its owner, which has no
                       ///< item but this
  GroupId group = -1;
  QString title, quiet; ///< "Sum", "×14"
  std::vector<int> children;
  size_t number = 0; ///< of a node: its place in its graph, as the command line has it
};

struct OutlineTree {
  std::vector<OutlineItem> items; ///< the outer graph is 0
  std::vector<int> itemOfNode;
};

OutlineTree makeOutlineTree(std::span<const NodeInfo> nodes, const Grouping& grouping, const QString& title);

} // namespace nodewise::ui
