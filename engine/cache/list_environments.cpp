#include "cache/entry_rows.h"
#include "cache/filter_sql.h"
#include "cache/list_sql.h"

#include <algorithm>
#include <fmt/format.h>

namespace nodewise {

namespace {

/// One environment that entries have: its number as entries have it, and its value of the sorted column.
struct EntryEnvironment {
  std::optional<CellValue> id;
  CellValue value;
};

/// In the order of the query, from its cursor on. Numbers are found by steps through the index of entries, so
/// that damaged ones, of which no environment knows, are among them.
Result<std::vector<EntryEnvironment>> environmentsInOrder(Connection& connection, const EntryQuery& query) {
  const std::string_view sort = entryColumnSql(query.sort);
  std::string sql =
      fmt::format("WITH RECURSIVE d(n) AS (SELECT min(environment_id) FROM entry UNION ALL SELECT (SELECT "
                  "min(environment_id) FROM entry WHERE environment_id > d.n) FROM d WHERE d.n IS NOT NULL) "
                  "SELECT d.n, {} FROM d LEFT JOIN environment AS v ON v.id = d.n",
                  sort);
  if (query.after) sql += fmt::format(" WHERE {} {} ?", sort, query.descending ? "<=" : ">=");
  sql += query.descending ? " ORDER BY 2 DESC" : " ORDER BY 2";
  NW_TRY(Query statement, connection.prepareOnce(sql));
  if (query.after) bindCell(statement, 1, query.after->value);
  std::vector<EntryEnvironment> all;
  for (;;) {
    NW_TRY(const bool row, statement.step());
    if (!row) return all;
    all.push_back({readCell(statement, 0), readCell(statement, 1).value_or(CellValue{})});
  }
}

/// The entries of one environment, the present one first.
struct Stream {
  Query query;
  int64_t id;
};

Result<std::optional<Stream>> openStream(Connection& connection, const EntryQuery& query,
                                         const FilterSql& filter, const EntryEnvironment& environment) {
  const bool atCursor = query.after && query.after->value == environment.value;
  const std::string sql =
      fmt::format("SELECT {}, {} FROM {} WHERE ({}) AND e.environment_id IS ?{} ORDER BY e.id{}",
                  kEntryColumns, entryColumnSql(query.sort), kEntryTables, filter.where,
                  !atCursor          ? ""
                  : query.descending ? " AND e.id < ?"
                                     : " AND e.id > ?",
                  query.descending ? " DESC" : "");
  NW_TRY(Query statement, connection.prepareOnce(sql));
  bindValues(statement, filter, 1);
  const int next = static_cast<int>(filter.values.size()) + 1;
  if (environment.id)
    bindCell(statement, next, *environment.id);
  else
    statement.bindOne(next, nullptr);
  if (atCursor) statement.bindOne(next + 1, query.after->id);
  NW_TRY(const bool row, statement.step());
  if (!row) return std::optional<Stream>();
  const int64_t id = statement.integerOr(0);
  return std::optional(Stream{std::move(statement), id});
}

/// Takes the rows of all streams in the order of their ids. False: no more is wanted.
Result<bool> merge(std::vector<std::unique_ptr<Stream>> streams, bool descending, const TakeRow& take) {
  while (!streams.empty()) {
    const auto first = std::ranges::min_element(
        streams, [&](const auto& a, const auto& b) { return descending ? a->id > b->id : a->id < b->id; });
    NW_TRY(const bool more, take((*first)->query));
    if (!more) return false;
    NW_TRY(const bool row, (*first)->query.step());
    if (row)
      (*first)->id = (*first)->query.integerOr(0);
    else
      streams.erase(first);
  }
  return true;
}

} // namespace

bool isOfEnvironment(EntryColumn column) {
  return column == EntryColumn::Cpu || column == EntryColumn::LlvmVersion || column == EntryColumn::OptLevel;
}

Result<void> eachByEnvironment(Connection& connection, const EntryQuery& query, const FilterSql& filter,
                               const TakeRow& take) {
  NW_TRY(const std::vector<EntryEnvironment> all, environmentsInOrder(connection, query));
  for (auto begin = all.begin(); begin != all.end();) {
    const auto end = std::find_if(begin, all.end(),
                                  [&](const EntryEnvironment& other) { return other.value != begin->value; });
    std::vector<std::unique_ptr<Stream>> streams;
    for (auto environment = begin; environment != end; ++environment) {
      NW_TRY(std::optional<Stream> stream, openStream(connection, query, filter, *environment));
      if (stream) streams.push_back(std::make_unique<Stream>(std::move(*stream)));
    }
    NW_TRY(const bool more, merge(std::move(streams), query.descending, take));
    if (!more) return {};
    begin = end;
  }
  return {};
}

} // namespace nodewise
