// Which items and edges are in a rectangle, without looking at all of them.
#pragma once

#include "ui/graph/scene.h"

namespace nodewise::ui {

class SceneIndex {
public:
  SceneIndex() = default;
  explicit SceneIndex(const Scene& scene);

  /// Indices in the scene's order, without repetition.
  std::vector<int> itemsIn(const QRectF& area) const;
  std::vector<int> edgesIn(const QRectF& area) const;

private:
  /// Cells of a grid, each with what touches it. What touches many is kept apart and always looked at.
  struct Grid {
    QRectF bounds;
    int columns = 1, rows = 1;
    std::vector<std::vector<int>> cells;
    std::vector<int> large;
    std::vector<QRectF> rects;

    Grid() = default;
    Grid(const QRectF& bounds, std::vector<QRectF> rects);
    std::vector<int> in(const QRectF& area) const;
    QRect cellsOf(const QRectF& area) const;
  };
  Grid m_items, m_edges;
};

} // namespace nodewise::ui
