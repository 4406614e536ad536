// What all tables have in common.
#pragma once

#include <QTableView>
#include <QTreeView>

#include <functional>
#include <span>

namespace nodewise::ui {

/// Whole rows, calm: no grid, no row numbers, rows of one height, cells with bars. Sortable, but not sorted:
/// the order is the model's until a header is clicked.
void setUpTable(QTableView& table);
/// Trees of the same look.
void setUpTree(QTreeView& tree);
/// Calls when the user, or the program, selects one row. A view that only gets the focus makes its first row
/// current without selecting it: nothing is picked then. The view must have its model already.
void onRowPicked(QAbstractItemView& view, const std::function<void(const QModelIndex&)>& picked);
/// Column widths by sample texts: asking every row of a large table would take too long.
void setColumnWidths(QTableView& table, std::span<const char* const> samples);

} // namespace nodewise::ui
