// Reading rows of `entry` for people: no object, no recipe, and damage shows as it is.
#pragma once

#include "cache/connection.h"
#include "cache/filter.h"
#include "cache/store.h"

namespace nodewise {

/// Columns to select, in the order that readEntryRow() takes them, and the tables they come from.
inline constexpr std::string_view kEntryColumns =
    "e.id, e.key, e.content, e.op, e.label, e.dtype, v.cpu, v.llvm_version, e.state, e.state_reason, "
    "v.opt_level, "
    "e.object_bytes, e.own_bytes, e.compile_ns, e.hits, e.last_use, e.created, e.used, e.pinned";
inline constexpr std::string_view kEntryTables =
    "entry AS e LEFT JOIN environment AS v ON v.id = e.environment_id";

EntryRow readEntryRow(const Query& query);
/// All rows of a query of these columns.
Result<std::vector<EntryRow>> readEntryRows(Query& query);
/// What SQL cannot decide: patterns. `now`: Unix seconds, for ages.
bool matchesEntry(const Filter& filter, const EntryRow& row, int64_t now);

} // namespace nodewise
