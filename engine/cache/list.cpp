#include "cache/list.h"

#include "cache/entry_rows.h"
#include "cache/filter_sql.h"
#include "cache/store_state.h"
#include "cache/words.h"

#include <array>
#include <fmt/format.h>

namespace nodewise {

namespace {

constexpr std::array<EntryColumnRow, 16> kColumns{{
    {EntryColumn::Id, "id", "Number"},
    {EntryColumn::Key, "key", "Key"},
    {EntryColumn::Op, "op", "Op"},
    {EntryColumn::Label, "label", "Detail"},
    {EntryColumn::Dtype, "dtype", "Dtype"},
    {EntryColumn::State, "state", "State"},
    {EntryColumn::Cpu, "cpu", "CPU"},
    {EntryColumn::LlvmVersion, "llvm", "LLVM"},
    {EntryColumn::OptLevel, "level", "Level"},
    {EntryColumn::ObjectBytes, "size", "Size"},
    {EntryColumn::CompileNs, "cost", "Compile time"},
    {EntryColumn::Hits, "hits", "Hits"},
    {EntryColumn::LastUse, "last-use", "Last use"},
    {EntryColumn::Created, "created", "Made"},
    {EntryColumn::Used, "used", "Used"},
    {EntryColumn::Pinned, "pinned", "Pinned"},
}};

struct ColumnSql {
  std::string_view expression;
  bool isText;
};

/// A column of each row as what it is sorted and grouped by. Text is never NULL, so that paging can compare.
constexpr std::array<ColumnSql, kColumns.size()> kColumnSql{
    {{"e.id", false},
     {"hex(e.key)", true},
     {"e.op", true},
     {"e.label", true},
     {"e.dtype", true},
     {"e.state", true},
     {"ifnull(v.cpu, '')", true},
     {"ifnull(v.llvm_version, '')", true},
     {"CAST(ifnull(v.opt_level, 0) AS INTEGER)", false},
     {"e.object_bytes", false},
     {"e.compile_ns", false},
     {"e.hits", false},
     {"e.last_use", false},
     {"e.created", false},
     {"e.used", false},
     {"e.pinned", false}}};

const ColumnSql& sqlOf(EntryColumn column) { return kColumnSql[static_cast<size_t>(column)]; }

std::string querySql(const EntryQuery& query, const FilterSql& filter) {
  const std::string_view sort = sqlOf(query.sort).expression;
  const std::string_view direction = query.descending ? "DESC" : "ASC";
  std::string sql =
      fmt::format("SELECT {}, {} FROM {} WHERE ({})", kEntryColumns, sort, kEntryTables, filter.where);
  if (query.after) {
    // The id decides among equals, so a page neither repeats nor leaves out a row.
    sql += query.sort == EntryColumn::Id
               ? fmt::format(" AND e.id {} ?", query.descending ? '<' : '>')
               : fmt::format(" AND ({}, e.id) {} (?, ?)", sort, query.descending ? '<' : '>');
  }
  sql += query.sort == EntryColumn::Id ? fmt::format(" ORDER BY e.id {}", direction)
                                       : fmt::format(" ORDER BY {0} {1}, e.id {1}", sort, direction);
  return sql;
}

void bindCursor(Query& statement, const EntryQuery& query, int at) {
  if (!query.after) return;
  if (query.sort != EntryColumn::Id) {
    if (query.after->isText)
      statement.bindOne(at++, query.after->text);
    else
      statement.bindOne(at++, query.after->number);
  }
  statement.bindOne(at, query.after->id);
}

EntryCursor cursorAt(const Query& statement, EntryColumn sort) {
  constexpr int kSortColumn = 19;
  EntryCursor cursor;
  cursor.isText = sqlOf(sort).isText;
  if (cursor.isText)
    cursor.text = statement.textOr(kSortColumn);
  else
    cursor.number = statement.integerOr(kSortColumn);
  cursor.id = statement.integerOr(0);
  return cursor;
}

/// Rows in order until `take` gives false.
Result<void> scan(Connection& connection, const EntryQuery& query,
                  const std::function<bool(const EntryRow&, const Query&)>& take) {
  const int64_t now = nowUnix();
  const FilterSql filter = filterSql(query.filter, now);
  const std::string sql = querySql(query, filter);
  NW_TRY(Query statement, connection.prepareOnce(sql));
  bindValues(statement, filter, 1);
  bindCursor(statement, query, static_cast<int>(filter.values.size()) + 1);
  for (;;) {
    NW_TRY(const bool more, statement.step());
    if (!more) return {};
    const EntryRow row = readEntryRow(statement);
    if (filter.patterns && !matchesEntry(query.filter, row, now)) continue;
    if (!take(row, statement)) return {};
  }
}

} // namespace

std::span<const EntryColumnRow> entryColumns() { return kColumns; }

Result<EntryColumn> findEntryColumn(std::string_view name) {
  std::string names;
  for (const EntryColumnRow& row : kColumns) {
    if (row.name == name) return row.column;
    names += fmt::format("{}{}", names.empty() ? "" : ", ", row.name);
  }
  return Error{fmt::format("there is no column '{}'", name), "", "columns are " + names, ""};
}

Result<EntryPage> listEntries(Store& store, const EntryQuery& query) {
  return onStore(store, [&](Connection& connection) -> Result<EntryPage> {
    EntryPage page;
    EntryCursor last;
    NW_CHECK(scan(connection, query, [&](const EntryRow& row, const Query& statement) {
      if (static_cast<int64_t>(page.rows.size()) >= query.limit) {
        page.next = last;
        return false;
      }
      page.rows.push_back(row);
      last = cursorAt(statement, query.sort);
      return true;
    }));
    return page;
  });
}

Result<void> eachEntry(Store& store, const EntryQuery& query,
                       const std::function<bool(const EntryRow&)>& row) {
  return onStore(store, [&](Connection& connection) -> Result<void> {
    return scan(connection, query, [&](const EntryRow& entry, const Query&) { return row(entry); });
  });
}

Result<EntryTotals> countEntries(Store& store, const Filter& filter) {
  return onStore(store, [&](Connection& connection) -> Result<EntryTotals> {
    EntryTotals totals;
    const FilterSql sql = filterSql(filter, nowUnix());
    if (!sql.patterns) {
      const std::string text = fmt::format("SELECT count(*), ifnull(sum(e.object_bytes + e.own_bytes), 0), "
                                           "ifnull(sum(e.compile_ns), 0) FROM {} WHERE {}",
                                           kEntryTables, sql.where);
      NW_TRY(Query query, connection.prepareOnce(text));
      bindValues(query, sql, 1);
      NW_TRY(const bool row, query.step());
      if (row) totals = {query.integerOr(0), query.integerOr(1), query.integerOr(2)};
      return totals;
    }
    EntryQuery all;
    all.filter = filter;
    NW_CHECK(scan(connection, all, [&](const EntryRow& row, const Query&) {
      ++totals.entries;
      totals.bytes += row.objectBytes + row.ownBytes;
      totals.compileNs += row.compileNs;
      return true;
    }));
    return totals;
  });
}

Result<std::vector<EntryGroup>> groupEntries(Store& store, const Filter& filter, EntryColumn column) {
  return onStore(store, [&](Connection& connection) -> Result<std::vector<EntryGroup>> {
    const FilterSql sql = filterSql(filter, nowUnix());
    std::vector<EntryGroup> groups;
    if (sql.patterns)
      return Error{"groups cannot be filtered by a pattern", "", "use op:, dtype: or words", ""};
    const std::string text =
        fmt::format("SELECT CAST({} AS TEXT), count(*), ifnull(sum(e.object_bytes + e.own_bytes), 0), "
                    "ifnull(sum(e.compile_ns), 0), "
                    "ifnull(sum(e.hits), 0) FROM {} WHERE {} GROUP BY 1 ORDER BY 2 DESC, 1",
                    sqlOf(column).expression, kEntryTables, sql.where);
    NW_TRY(Query query, connection.prepareOnce(text));
    bindValues(query, sql, 1);
    for (;;) {
      NW_TRY(const bool row, query.step());
      if (!row) return groups;
      groups.push_back({query.textOr(0),
                        {query.integerOr(1), query.integerOr(2), query.integerOr(3)},
                        query.integerOr(4)});
    }
  });
}

} // namespace nodewise
