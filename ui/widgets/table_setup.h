// What all tables have in common.
#pragma once

#include <QTableView>
#include <QTreeView>

#include <functional>

namespace nodewise::ui {

/// Whole rows, calm: no grid, no row numbers, rows of one height, cells with bars. Sortable, but not sorted:
/// the order is the model's until a header is clicked. Widths are ColumnFit's (widgets/column_fit.h).
void setUpTable(QTableView& table);
/// Trees of the same look.
void setUpTree(QTreeView& tree);
/// Calls when the user, or the program, selects one row. A view that only gets the focus makes its first row
/// current without selecting it: nothing is picked then. The view must have its model already.
void onRowPicked(QAbstractItemView& view, const std::function<void(const QModelIndex&)>& picked);
/// Keeps ages ("3 min ago") true while the view is looked at: cells that tell them are painted anew.
void repaintEachMinute(QAbstractItemView& view);

} // namespace nodewise::ui
