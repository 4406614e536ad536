// What all tables have in common.
#pragma once

#include <QTableView>
#include <QTreeView>

#include <span>

namespace nodewise::ui {

/// Whole rows, sortable, calm: no grid, no row numbers, rows of one height, cells with bars.
void setUpTable(QTableView& table);
/// Trees of the same look.
void setUpTree(QTreeView& tree);
/// Column widths by sample texts: asking every row of a large table would take too long.
void setColumnWidths(QTableView& table, std::span<const char* const> samples);

} // namespace nodewise::ui
