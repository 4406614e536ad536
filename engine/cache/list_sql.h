// The columns of lists in SQL.
#pragma once

#include "cache/list.h"

namespace nodewise {

/// What a column is sorted and grouped by, over kEntryTables.
std::string_view entryColumnSql(EntryColumn column);

} // namespace nodewise
