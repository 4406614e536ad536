// Paints a scene: as much of each thing as can be seen at the zoom.
#pragma once

#include "ui/graph/edge_bytes.h"
#include "ui/graph/found_items.h"
#include "ui/graph/scene_index.h"
#include "ui/graph/view_transform.h"
#include "ui/models/colouring.h"

#include <QPainter>

namespace nodewise::ui {

/// What a group's box says of the nodes in it and in inner graphs.
struct GroupTotals {
  std::vector<int64_t> counts;   ///< by category
  int64_t marked = 0;            ///< nodes with a mark
  int64_t sum = 0;      ///< of what nodes are coloured by: what nodes share counts once (Colouring::shares)
  int64_t greatest = 0; ///< of a node
};

struct PaintInput {
  const Scene& scene;
  const SceneIndex& index;
  const SceneSource& source;
  const Colouring& colouring;
  const std::vector<GroupTotals>& groups; ///< by group
  const Theme& theme;
  QFont font;
  ViewTransform view;
  int selectedItem = -1;
  int hovered = -1;                              ///< an item
  const std::vector<FoundItem>* found = nullptr; ///< what search and filters leave; null: everything
  const EdgeBytes* bytes = nullptr; ///< edges are as wide as what goes along them; null: all alike
};

inline bool isDimmed(const PaintInput& in, int item) {
  return in.found && item >= 0 && !(*in.found)[static_cast<size_t>(item)].any;
}

void paintScene(QPainter& painter, const PaintInput& input, const QRect& viewport);

std::vector<GroupTotals> totalsOfGroups(const Grouping& grouping, const Colouring& colouring);

} // namespace nodewise::ui
