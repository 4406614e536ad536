#include "ui/graph/scene_index.h"

#include <algorithm>
#include <cmath>

namespace nodewise::ui {
namespace {

constexpr int kMaxSide = 128;
constexpr int kLarge = 64; // cells

/// QRectF::intersects() is false for rectangles without area, such as a straight edge's bounds.
bool touches(const QRectF& a, const QRectF& b) {
  return a.left() <= b.right() && b.left() <= a.right() && a.top() <= b.bottom() && b.top() <= a.bottom();
}

} // namespace

SceneIndex::Grid::Grid(const QRectF& all, std::vector<QRectF> r) : bounds(all), rects(std::move(r)) {
  // About two things a cell.
  const double side = std::sqrt(static_cast<double>(rects.size()) / 2);
  const double aspect = std::sqrt(std::max(bounds.width(), 1.0) / std::max(bounds.height(), 1.0));
  columns = std::clamp(static_cast<int>(side * aspect), 1, kMaxSide);
  rows = std::clamp(static_cast<int>(side / aspect), 1, kMaxSide);
  cells.resize(static_cast<size_t>(columns) * static_cast<size_t>(rows));
  for (size_t k = 0; k < rects.size(); ++k) {
    const QRect touched = cellsOf(rects[k]);
    if (touched.width() * touched.height() > kLarge) {
      large.push_back(static_cast<int>(k));
      continue;
    }
    for (int y = touched.top(); y <= touched.bottom(); ++y)
      for (int x = touched.left(); x <= touched.right(); ++x)
        cells[static_cast<size_t>(y * columns + x)].push_back(static_cast<int>(k));
  }
}

QRect SceneIndex::Grid::cellsOf(const QRectF& area) const {
  const auto column = [&](double x) {
    return std::clamp(static_cast<int>((x - bounds.left()) / std::max(bounds.width(), 1.0) * columns), 0,
                      columns - 1);
  };
  const auto row = [&](double y) {
    return std::clamp(static_cast<int>((y - bounds.top()) / std::max(bounds.height(), 1.0) * rows), 0,
                      rows - 1);
  };
  return {QPoint(column(area.left()), row(area.top())), QPoint(column(area.right()), row(area.bottom()))};
}

std::vector<int> SceneIndex::Grid::in(const QRectF& area) const {
  std::vector<int> found;
  if (cells.empty()) return found;
  const auto look = [&](const std::vector<int>& candidates) {
    for (const int k : candidates)
      if (touches(rects[static_cast<size_t>(k)], area)) found.push_back(k);
  };
  look(large);
  const QRect touched = cellsOf(area);
  for (int y = touched.top(); y <= touched.bottom(); ++y)
    for (int x = touched.left(); x <= touched.right(); ++x) look(cells[static_cast<size_t>(y * columns + x)]);
  std::ranges::sort(found);
  const auto repeated = std::ranges::unique(found);
  found.erase(repeated.begin(), repeated.end());
  return found;
}

SceneIndex::SceneIndex(const Scene& scene) {
  std::vector<QRectF> items, edges;
  for (const SceneItem& item : scene.items) items.push_back(item.rect);
  for (const SceneEdge& edge : scene.edges) edges.push_back(edge.bounds);
  m_items = Grid(scene.bounds, std::move(items));
  m_edges = Grid(scene.bounds, std::move(edges));
}

std::vector<int> SceneIndex::itemsIn(const QRectF& area) const { return m_items.in(area); }
std::vector<int> SceneIndex::edgesIn(const QRectF& area) const { return m_edges.in(area); }

} // namespace nodewise::ui
