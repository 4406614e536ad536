// How a category looks in legends and tables.
#pragma once

#include "ui/models/colouring.h"
#include "ui/models/table_model.h"

#include <QIcon>
#include <QPixmap>

namespace nodewise::ui {

/// The strip of a node's box, small: colour, border and letter. `exactColour`: the colour as it is (of a
/// ramp), not as the theme fills boxes with it.
QPixmap swatchOf(const Category& category, const Theme& theme, bool exactColour);

/// A column of outcomes and kinds as every table shows them: the badge, then the word. Where there is no
/// status, a dash.
TableColumn statusColumn(const QString& title, std::function<std::optional<Status>(size_t)> status,
                         const Theme& theme);

/// The letter that a node's mark has, as boxes show it: light on dark, or the other way in the dark.
QPixmap markSwatch(const Category& mark, const Theme& theme);

/// A decoration that keeps its colours where its row is selected: views tint a bare picture there.
QIcon decoration(const QPixmap& picture);

} // namespace nodewise::ui
