// Paints a scene: as much of each thing as can be seen at the zoom.
#pragma once

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
  const std::vector<std::vector<int64_t>>& groupCounts; ///< by group, by category
  const Theme& theme;
  QFont font;
  ViewTransform view;
  int selectedItem = -1;
  int hovered = -1;                           ///< an item
  const std::vector<bool>* matches = nullptr; ///< nodes that a search found; others are dimmed
};

void paintScene(QPainter& painter, const PaintInput& input, const QRect& viewport);

/// Nodes of each category in each group, inner graphs not counted.
std::vector<std::vector<int64_t>> countByGroup(const Grouping& grouping, const Colouring& colouring);

} // namespace nodewise::ui
