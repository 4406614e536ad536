#include "ui/graph/scene_painter.h"

#include "ui/graph/box_painter.h"
#include "ui/graph/edge_painter.h"
#include "ui/graph/group_painter.h"

#include <algorithm>

namespace nodewise::ui {
namespace {

/// Nodes count for all groups around them, those of inner graphs too.
void addUpwards(const Grouping& grouping, GroupId id, const NodeLook& look, int64_t amount, int64_t share,
                std::vector<GroupTotals>& totals) {
  while (id >= 0) {
    GroupTotals& total = totals[static_cast<size_t>(id)];
    ++total.counts[look.category];
    total.marked += look.mark > 0;
    total.sum += share;
    total.greatest = std::max(total.greatest, amount);
    const Group& group = grouping.groups[static_cast<size_t>(id)];
    id = group.parent;
  }
}

} // namespace

std::vector<GroupTotals> totalsOfGroups(const Grouping& grouping, const Colouring& colouring) {
  std::vector<GroupTotals> totals(grouping.groups.size());
  for (GroupTotals& total : totals) total.counts.assign(colouring.categories.size(), 0);
  for (size_t n = 0; n < colouring.looks.size() && n < grouping.groupOfNode.size(); ++n)
    addUpwards(grouping, grouping.groupOfNode[n], colouring.looks[n],
               colouring.isRamp() ? colouring.amounts[n] : 0, colouring.isRamp() ? colouring.shares[n] : 0,
               totals);
  return totals;
}

void paintScene(QPainter& painter, const PaintInput& input, const QRect& viewport) {
  painter.fillRect(viewport, input.theme.canvas);
  const QRectF area = input.view.toScene(QRectF(viewport)).adjusted(-8, -8, 8, 8);
  const std::vector<int> items = input.index.itemsIn(area);
  const std::vector<int> edges = input.index.edgesIn(area);
  paintFrames(painter, input, items);
  paintEdges(painter, input, edges);
  paintBoxes(painter, input, items);
  paintFrameNames(painter, input, items, viewport);
}

} // namespace nodewise::ui
