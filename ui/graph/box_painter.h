// Boxes of a scene: nodes, closed groups, border values, and the frames of open groups.
#pragma once

#include "ui/graph/scene_painter.h"

namespace nodewise::ui {

void paintFrames(QPainter& painter, const PaintInput& input, const std::vector<int>& items);
void paintBoxes(QPainter& painter, const PaintInput& input, const std::vector<int>& items);

/// No text is painted in letters smaller than this, in screen pixels.
inline constexpr double kLeastText = 6;

} // namespace nodewise::ui
