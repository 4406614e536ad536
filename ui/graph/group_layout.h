// The content of one open group before it is placed: its boxes, and the edges between them.
#pragma once

#include "ui/graph/scene.h"

namespace nodewise::ui {

/// A box of a group's content.
struct ContentBox {
  SceneItem item; ///< rect: only its size counts
  RankRole role = RankRole::Free;
  bool open = false; ///< an open group or inner graph: sized by its own content
};
struct ContentEdge {
  int from = 0, to = 0;        ///< boxes
  std::vector<ValueId> values; ///< of all edges that were joined into this one
};
struct GroupContent {
  std::vector<ContentBox> boxes;
  std::vector<ContentEdge> edges;
};

/// Nodes, groups and border values of a group. Edges of one value between the same boxes are one.
GroupContent contentOf(const SceneSource& source, const Extent& extent, GroupId group);

} // namespace nodewise::ui
