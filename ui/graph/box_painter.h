// Boxes of a scene: nodes and border values, and closed groups among them.
#pragma once

#include "ui/graph/scene_painter.h"

namespace nodewise::ui {

void paintBoxes(QPainter& painter, const PaintInput& input, const std::vector<int>& items);

} // namespace nodewise::ui
