// Counts and groups of lists.
#include "cache/entry_rows.h"
#include "cache/filter_sql.h"
#include "cache/list_sql.h"
#include "cache/store_state.h"
#include "cache/totals.h"
#include "cache/words.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <map>

namespace nodewise {

namespace {

struct AgeRow {
  int64_t below; ///< seconds
  std::string_view name;
};
constexpr std::array<AgeRow, 5> kAges{{{86400, "today"},
                                       {7 * 86400, "this week"},
                                       {31 * 86400, "this month"},
                                       {365 * 86400, "this year"},
                                       {std::numeric_limits<int64_t>::max(), "earlier"}}};

bool isTime(EntryColumn column) { return column == EntryColumn::Created || column == EntryColumn::Used; }

std::string_view ageName(int64_t seconds) {
  return std::ranges::find_if(kAges, [&](const AgeRow& row) { return seconds < row.below; })->name;
}

/// CASE with the same bounds.
std::string ageSql(std::string_view column, int64_t now) {
  std::string sql = "CASE";
  for (const AgeRow& row : kAges) {
    sql += row.below == kAges.back().below
               ? fmt::format(" ELSE '{}' END", row.name)
               : fmt::format(" WHEN {} - {} < {} THEN '{}'", now, column, row.below, row.name);
  }
  return sql;
}

/// As SQLite writes the column as text.
std::string groupOf(const EntryRow& row, EntryColumn column, int64_t now) {
  switch (column) {
  case EntryColumn::Id:
    return std::to_string(row.id);
  case EntryColumn::Key:
    return row.key.hex();
  case EntryColumn::Op:
    return row.op;
  case EntryColumn::Label:
    return row.label;
  case EntryColumn::Dtype:
    return row.dtype;
  case EntryColumn::State:
    return row.state;
  case EntryColumn::Cpu:
    return row.cpu;
  case EntryColumn::LlvmVersion:
    return row.llvmVersion;
  case EntryColumn::OptLevel:
    return std::to_string(row.optLevel);
  case EntryColumn::ObjectBytes:
    return std::to_string(row.objectBytes);
  case EntryColumn::CompileNs:
    return std::to_string(row.compileNs);
  case EntryColumn::Hits:
    return std::to_string(row.hits);
  case EntryColumn::LastUse:
    return std::to_string(row.lastUse);
  case EntryColumn::Created:
    return std::string(ageName(now - row.createdUnix));
  case EntryColumn::Used:
    return std::string(ageName(now - row.usedUnix));
  case EntryColumn::Pinned:
    return row.pinned ? "1" : "0";
  }
  return {};
}

void add(EntryTotals& totals, const EntryRow& row) {
  ++totals.entries;
  totals.bytes += row.objectBytes + row.ownBytes;
  totals.compileNs += row.compileNs;
}

std::string totalsSql() {
  return fmt::format("count(*), ifnull(sum({} + {}), 0), ifnull(sum({}), 0), ifnull(sum({}), 0)",
                     soundNumber("e.object_bytes"), soundNumber("e.own_bytes"), soundNumber("e.compile_ns"),
                     soundNumber("e.hits"));
}

Result<std::vector<EntryGroup>> groupByScan(Store& store, const Filter& filter, EntryColumn column,
                                            int64_t now) {
  std::map<std::string, EntryGroup> byValue;
  EntryQuery all;
  all.filter = filter;
  NW_CHECK(eachEntry(store, all, [&](const EntryRow& row) {
    EntryGroup& group = byValue[groupOf(row, column, now)];
    add(group.totals, row);
    group.hits += row.hits;
    return true;
  }));
  std::vector<EntryGroup> groups;
  for (auto& [value, group] : byValue) {
    group.value = value;
    groups.push_back(std::move(group));
  }
  return groups;
}

Result<std::vector<EntryGroup>> groupBySql(Connection& connection, const FilterSql& filter,
                                           EntryColumn column, int64_t now) {
  const std::string value = isTime(column) ? ageSql(entryColumnSql(column), now)
                            : column == EntryColumn::Key
                                ? "lower(hex(e.key))"
                                : fmt::format("CAST({} AS TEXT)", entryColumnSql(column));
  const std::string sql = fmt::format("SELECT {}, {} FROM {} WHERE {} GROUP BY 1", value, totalsSql(),
                                      kEntryTables, filter.where);
  NW_TRY(Query query, connection.prepareOnce(sql));
  bindValues(query, filter, 1);
  std::vector<EntryGroup> groups;
  for (;;) {
    NW_TRY(const bool row, query.step());
    if (!row) return groups;
    groups.push_back(
        {query.textOr(0), {query.integerOr(1), query.integerOr(2), query.integerOr(3)}, query.integerOr(4)});
  }
}

void sortGroups(std::vector<EntryGroup>& groups, EntryColumn column) {
  const auto ageRank = [](const EntryGroup& group) {
    return std::ranges::find(kAges, std::string_view(group.value), &AgeRow::name) - kAges.begin();
  };
  std::ranges::sort(groups, [&](const EntryGroup& a, const EntryGroup& b) {
    if (isTime(column)) return ageRank(a) < ageRank(b);
    return a.totals.entries != b.totals.entries ? a.totals.entries > b.totals.entries : a.value < b.value;
  });
}

} // namespace

Result<EntryTotals> countEntries(Store& store, const Filter& filter) {
  const FilterSql sql = filterSql(filter, nowUnix());
  EntryTotals totals;
  if (sql.patterns) {
    EntryQuery all;
    all.filter = filter;
    NW_CHECK(eachEntry(store, all, [&](const EntryRow& row) {
      add(totals, row);
      return true;
    }));
    return totals;
  }
  return onStore(store, [&](Connection& connection) -> Result<EntryTotals> {
    const std::string text = fmt::format("SELECT {} FROM {} WHERE {}", totalsSql(), kEntryTables, sql.where);
    NW_TRY(Query query, connection.prepareOnce(text));
    bindValues(query, sql, 1);
    NW_TRY(const bool row, query.step());
    if (row) totals = {query.integerOr(0), query.integerOr(1), query.integerOr(2)};
    return totals;
  });
}

Result<std::vector<EntryGroup>> groupEntries(Store& store, const Filter& filter, EntryColumn column) {
  const int64_t now = nowUnix();
  const FilterSql sql = filterSql(filter, now);
  auto groups =
      sql.patterns
          ? groupByScan(store, filter, column, now)
          : onStore(store, [&](Connection& connection) { return groupBySql(connection, sql, column, now); });
  if (groups.ok()) sortGroups(*groups, column);
  return groups;
}

} // namespace nodewise
