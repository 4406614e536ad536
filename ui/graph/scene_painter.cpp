#include "ui/graph/scene_painter.h"

#include "ui/graph/box_painter.h"
#include "ui/graph/edge_painter.h"
#include "ui/graph/group_painter.h"

namespace nodewise::ui {

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
