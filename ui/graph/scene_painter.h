// Paints a scene: as much of each thing as can be seen at the zoom.
#pragma once

#include "ui/graph/edge_bytes.h"
#include "ui/graph/found_items.h"
#include "ui/graph/group_totals.h"
#include "ui/graph/scene_index.h"
#include "ui/graph/view_transform.h"
#include "ui/models/colouring.h"

#include <QPainter>

namespace nodewise::ui {

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

} // namespace nodewise::ui
