// The columns of lists in SQL, and rows in their order.
#pragma once

#include "cache/connection.h"
#include "cache/filter_sql.h"
#include "cache/list.h"

#include <functional>

namespace nodewise {

using CellValue = decltype(EntryCursor::value);

/// What a column is sorted and grouped by, over kEntryTables.
std::string_view entryColumnSql(EntryColumn column);

/// A column of the present row, of whatever type it is; none where it is NULL.
std::optional<CellValue> readCell(const Query& query, int column);
void bindCell(Query& query, int parameter, const CellValue& value);

/// Gets the columns of readEntryRow(), and the sorted one after them. False: no more is wanted.
using TakeRow = std::function<Result<bool>(const Query&)>;

/// Whether a column has one value for all entries of an environment.
bool isOfEnvironment(EntryColumn column);
/// Rows of a list that is sorted by such a column. Each environment's entries are in the order of their ids
/// by an index; those of equal value are merged. So the first rows come without looking at the others.
Result<void> eachByEnvironment(Connection& connection, const EntryQuery& query, const FilterSql& filter,
                               const TakeRow& take);

} // namespace nodewise
