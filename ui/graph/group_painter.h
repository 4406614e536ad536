// Closed groups, and the frames of open ones.
#pragma once

#include "ui/graph/paint_parts.h"

namespace nodewise::ui {

/// A closed group; `index`: of the item.
void paintGroup(QPainter& painter, const PaintInput& input, const Fonts& fonts, const SceneItem& item,
                int index);
void paintFrames(QPainter& painter, const PaintInput& input, const std::vector<int>& items);
/// Far out, where their bars are too low for titles: names of open groups, over what stands in them.
void paintFrameNames(QPainter& painter, const PaintInput& input, const std::vector<int>& items,
                     const QRect& viewport);

} // namespace nodewise::ui
