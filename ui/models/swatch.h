// How a category looks in legends and tables.
#pragma once

#include "ui/models/colouring.h"

#include <QPixmap>

namespace nodewise::ui {

/// The strip of a node's box, small: colour, border and letter. `exactColour`: the colour as it is (of a
/// ramp), not as the theme fills boxes with it.
QPixmap swatchOf(const Category& category, const Theme& theme, bool exactColour);

} // namespace nodewise::ui
