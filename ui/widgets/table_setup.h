// What all tables have in common.
#pragma once

#include <QTableView>

namespace nodewise::ui {

/// Whole rows, sortable, calm: no grid, no row numbers, rows of one height, cells with bars.
void setUpTable(QTableView& table);

} // namespace nodewise::ui
