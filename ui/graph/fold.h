// Folding: a layout that is many times as high as wide (a long chain) is cut into columns that stand side by
// side, so that a look at the whole shows something.
#pragma once

#include "ui/graph/layout.h"

namespace nodewise::ui {

/// Folds the layout where it is too high and where few edges cross the cuts; else leaves it as it is.
void foldIntoColumns(const LayoutRequest& request, LayoutResult& layout);

} // namespace nodewise::ui
