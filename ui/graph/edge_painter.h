// Edges of a scene: curves with arrowheads and labels near by, straight lines far out.
#pragma once

#include "ui/graph/scene_painter.h"

namespace nodewise::ui {

void paintEdges(QPainter& painter, const PaintInput& input, const std::vector<int>& edges);
/// The middle of a spline, for its label.
QPointF middleOf(const Spline& spline);

} // namespace nodewise::ui
