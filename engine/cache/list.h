// Rows of the entry table, filtered, sorted and paged. Objects, recipes and IR are never read.
#pragma once

#include "cache/filter.h"
#include "cache/store.h"

#include <functional>
#include <variant>

namespace nodewise {

enum class EntryColumn : uint8_t {
  Id,
  Key,
  Op,
  Label,
  Dtype,
  State,
  Cpu,
  LlvmVersion,
  OptLevel,
  ObjectBytes,
  CompileNs,
  Hits,
  LastUse,
  Created,
  Used,
  Pinned
};
struct EntryColumnRow {
  EntryColumn column;
  std::string_view name, title; ///< "size", "Size"
};
std::span<const EntryColumnRow> entryColumns();
Result<EntryColumn> findEntryColumn(std::string_view name);

/// Where a page ends: the next one begins after it. Stays right while others write.
struct EntryCursor {
  /// Of the sorted column, as it is in the database: damage can leave any type in any column.
  std::variant<int64_t, double, std::string, std::vector<std::byte>> value;
  int64_t id = 0;
};

struct EntryQuery {
  Filter filter;
  EntryColumn sort = EntryColumn::Id;
  bool descending = true;
  std::optional<EntryCursor> after; ///< none: from the beginning
  int64_t limit = 200;
  /// With patterns a page may take seconds to fill: it ends early after so long, with what was found until
  /// then. 0: never.
  int64_t budgetMs = 0;
};

struct EntryPage {
  std::vector<EntryRow> rows;
  std::optional<EntryCursor> next; ///< none: that was the last page
  bool partial = false;            ///< ended early: `next` is behind the last row that was looked at
  int64_t looked = 0;              ///< rows looked at for this page, matching or not; 0 where SQL decided
};

/// One page.
Result<EntryPage> listEntries(Store& store, const EntryQuery& query);
/// Every matching row as it is found, without holding them; `row` gives false to stop.
Result<void> eachEntry(Store& store, const EntryQuery& query,
                       const std::function<bool(const EntryRow&)>& row);
/// How many match, and what they hold.
struct EntryTotals {
  int64_t entries = 0, bytes = 0, compileNs = 0;
};
Result<EntryTotals> countEntries(Store& store, const Filter& filter);
/// Entries by the value of a column, most first. Times are grouped by how long ago: "today", "this week",
/// "this month", "this year", "earlier", in this order.
struct EntryGroup {
  std::string value;
  EntryTotals totals;
  int64_t hits = 0;
};
Result<std::vector<EntryGroup>> groupEntries(Store& store, const Filter& filter, EntryColumn column);

} // namespace nodewise
