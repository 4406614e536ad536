#include "cache/list.h"

#include "cache/entry_rows.h"
#include "cache/filter_plan.h"
#include "cache/list_sql.h"
#include "cache/store_state.h"
#include "cache/words.h"

#include <array>
#include <chrono>
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

/// A column of each row as what it is sorted and grouped by; each has an index of its own, or is one of the
/// few values of the environments.
constexpr std::array<std::string_view, kColumns.size()> kColumnSql{"e.id",
                                                                   "e.key",
                                                                   "e.op",
                                                                   "e.label",
                                                                   "e.dtype",
                                                                   "e.state",
                                                                   "ifnull(v.cpu, '')",
                                                                   "ifnull(v.llvm_version, '')",
                                                                   "CAST(ifnull(v.opt_level, 0) AS INTEGER)",
                                                                   "e.object_bytes",
                                                                   "e.compile_ns",
                                                                   "e.hits",
                                                                   "e.last_use",
                                                                   "e.created",
                                                                   "e.used",
                                                                   "e.pinned"};

std::string querySql(const EntryQuery& query, const FilterSql& filter) {
  const std::string_view sort = entryColumnSql(query.sort);
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
  if (query.sort != EntryColumn::Id) bindCell(statement, at++, query.after->value);
  statement.bindOne(at, query.after->id);
}

EntryCursor cursorAt(const Query& statement) {
  constexpr int kSortColumn = 19;
  return {readCell(statement, kSortColumn).value_or(CellValue{}), statement.integerOr(0)};
}

/// What is done with rows. Each gives false where no more is wanted.
struct Takers {
  std::function<bool(const EntryRow&, const Query&)> matching;
  std::function<bool(const Query&)> looked; ///< of every row that patterns are tried on; null: nothing
};

/// Rows in order, at most `most` of them (-1: all).
Result<void> scan(Connection& connection, const EntryQuery& query, int64_t most, const Takers& takers) {
  const int64_t now = nowUnix();
  NW_TRY(const FilterSql filter, planFilter(connection, query, now));
  EntryPatterns patterns(query.filter);
  const TakeRow takeMatching = [&](const Query& statement) -> Result<bool> {
    if (!filter.patterns || patterns.hold(statement))
      if (!takers.matching(readEntryRow(statement), statement)) return false;
    return !filter.patterns || !takers.looked || takers.looked(statement);
  };
  if (isOfEnvironment(query.sort)) return eachByEnvironment(connection, query, filter, takeMatching);
  // With a limit SQLite keeps no more rows than these where it has to sort. What a pattern leaves is not
  // known to it.
  const std::string sql = querySql(query, filter) + fmt::format(" LIMIT {}", filter.patterns ? -1 : most);
  NW_TRY(Query statement, connection.prepareOnce(sql));
  bindValues(statement, filter, 1);
  bindCursor(statement, query, static_cast<int>(filter.values.size()) + 1);
  for (;;) {
    NW_TRY(const bool more, statement.step());
    if (!more) return {};
    NW_TRY(const bool wanted, takeMatching(statement));
    if (!wanted) return {};
  }
}

} // namespace

std::string_view entryColumnSql(EntryColumn column) { return kColumnSql[static_cast<size_t>(column)]; }

std::optional<CellValue> readCell(const Query& query, int column) {
  if (const auto number = query.integer(column)) return CellValue(*number);
  if (const auto real = query.real(column)) return CellValue(*real);
  if (const auto text = query.text(column)) return CellValue(std::string(*text));
  if (const auto blob = query.blob(column))
    return CellValue(std::vector<std::byte>(blob->begin(), blob->end()));
  return std::nullopt;
}

void bindCell(Query& query, int parameter, const CellValue& value) {
  const auto bind = [&](const auto& held) {
    if constexpr (std::is_same_v<std::decay_t<decltype(held)>, std::vector<std::byte>>)
      query.bindOne(parameter, Bytes(held));
    else
      query.bindOne(parameter, held);
  };
  std::visit(bind, value);
}

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
  using Clock = std::chrono::steady_clock;
  constexpr int64_t kBetweenLooks = 256; // rows between looks at the clock
  return onStore(store, [&](Connection& connection) -> Result<EntryPage> {
    EntryPage page;
    EntryCursor last;
    const Clock::time_point end = Clock::now() + std::chrono::milliseconds(query.budgetMs);
    Takers takers;
    takers.matching = [&](const EntryRow& row, const Query& statement) {
      if (static_cast<int64_t>(page.rows.size()) >= query.limit) {
        page.next = last;
        return false;
      }
      page.rows.push_back(row);
      last = cursorAt(statement);
      return true;
    };
    takers.looked = [&](const Query& statement) {
      ++page.looked;
      if (query.budgetMs == 0 || page.looked % kBetweenLooks != 0 || Clock::now() < end) return true;
      page.partial = true;
      page.next = cursorAt(statement);
      return false;
    };
    NW_CHECK(scan(connection, query, query.limit + 1, takers));
    return page;
  });
}

Result<void> eachEntry(Store& store, const EntryQuery& query,
                       const std::function<bool(const EntryRow&)>& row) {
  return onStore(store, [&](Connection& connection) -> Result<void> {
    return scan(connection, query, -1, {[&](const EntryRow& entry, const Query&) { return row(entry); }, {}});
  });
}

} // namespace nodewise
