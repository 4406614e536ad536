// How a list finds what its filter selects. SQLite keeps no statistics here (they would be of the day they
// were made), so it would guess: whether a term selects ten entries of a million or most of them is counted
// first.
#pragma once

#include "cache/filter_sql.h"
#include "cache/list.h"

namespace nodewise {

/// The filter of a list as SQL, each term that an index answers in the way that its number of entries asks
/// for.
Result<FilterSql> planFilter(Connection& connection, const EntryQuery& query, int64_t now);

} // namespace nodewise
