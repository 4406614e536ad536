#include "ui/graph/scene_painter.h"

#include "ui/graph/box_painter.h"
#include "ui/graph/edge_painter.h"

namespace nodewise::ui {
namespace {

/// Direct children of scopes and stretches count for the groups around them, up to their level.
void addUpwards(const Grouping& grouping, GroupId id, size_t category,
                std::vector<std::vector<int64_t>>& counts) {
  while (id >= 0) {
    ++counts[static_cast<size_t>(id)][category];
    const Group& group = grouping.groups[static_cast<size_t>(id)];
    if (group.kind == GroupKind::Level) return;
    id = group.parent;
  }
}

} // namespace

std::vector<std::vector<int64_t>> countByGroup(const Grouping& grouping, const Colouring& colouring) {
  std::vector<std::vector<int64_t>> counts(grouping.groups.size(),
                                           std::vector<int64_t>(colouring.categories.size(), 0));
  for (size_t n = 0; n < colouring.looks.size() && n < grouping.groupOfNode.size(); ++n)
    addUpwards(grouping, grouping.groupOfNode[n], colouring.looks[n].category, counts);
  return counts;
}

void paintScene(QPainter& painter, const PaintInput& input, const QRect& viewport) {
  painter.fillRect(viewport, input.theme.canvas);
  const QRectF area = input.view.toScene(QRectF(viewport)).adjusted(-8, -8, 8, 8);
  const std::vector<int> items = input.index.itemsIn(area);
  const std::vector<int> edges = input.index.edgesIn(area);
  paintFrames(painter, input, items);
  paintEdges(painter, input, edges);
  paintBoxes(painter, input, items);
}

} // namespace nodewise::ui
