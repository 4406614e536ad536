#include "cache/picked.h"

#include "cache/entry_rows.h"
#include "cache/filter_sql.h"
#include "cache/totals.h"
#include "cache/words.h"

#include <algorithm>
#include <fmt/format.h>

namespace nodewise {

namespace {

Result<void> addPicked(Connection& connection, int64_t id) {
  NW_TRY(Query add, connection.prepare("INSERT OR IGNORE INTO picked SELECT id FROM entry WHERE id = ?"));
  return add.bind(id).run();
}

Result<void> pickMatching(Connection& connection, const Filter& filter) {
  const int64_t now = nowUnix();
  const FilterSql sql = filterSql(filter, now);
  if (!sql.patterns) {
    const std::string text =
        fmt::format("INSERT INTO picked SELECT e.id FROM {} WHERE {}", kEntryTables, sql.where);
    NW_TRY(Query query, connection.prepareOnce(text));
    bindValues(query, sql, 1);
    return query.run();
  }
  const std::string text = fmt::format("SELECT {} FROM {} WHERE {}", kEntryColumns, kEntryTables, sql.where);
  NW_TRY(Query query, connection.prepareOnce(text));
  bindValues(query, sql, 1);
  EntryPatterns patterns(filter);
  for (;;) {
    NW_TRY(const bool more, query.step());
    if (!more) return {};
    if (patterns.hold(query)) NW_CHECK(addPicked(connection, query.integerOr(0)));
  }
}

} // namespace

Result<void> pick(Connection& connection, const Selection& selection) {
  NW_CHECK(connection.execute("CREATE TEMP TABLE IF NOT EXISTS picked (id INTEGER PRIMARY KEY)"));
  NW_CHECK(connection.execute("DELETE FROM picked"));
  if (selection.filter) NW_CHECK(pickMatching(connection, *selection.filter));
  for (const int64_t id : selection.ids) NW_CHECK(addPicked(connection, id));
  return {};
}

Result<int64_t> keepPicked(Connection& connection, std::string_view condition) {
  const std::string sql = fmt::format("DELETE FROM picked WHERE NOT EXISTS "
                                      "(SELECT 1 FROM entry WHERE entry.id = picked.id AND ({}))",
                                      condition);
  NW_TRY(Query query, connection.prepare(sql));
  NW_CHECK(query.run());
  return connection.changes();
}

Result<ActionReport> reportPicked(Connection& connection) {
  ActionReport report;
  {
    static const std::string sql = fmt::format(
        "SELECT count(*), ifnull(sum({}), 0), ifnull(sum({}), 0) FROM entry JOIN picked USING (id)",
        soundNumber("own_bytes"), soundNumber("compile_ns"));
    NW_TRY(Query query, connection.prepare(sql));
    NW_TRY(const bool row, query.step());
    if (row) report = {0, query.integerOr(0), query.integerOr(1), query.integerOr(2), 0, {}};
  }
  // All entries have all objects: of a million entries the sum below takes seconds.
  NW_TRY(const Totals totals, readTotals(connection));
  if (totals.readable && totals.entries == report.entries) {
    report.bytes += totals.objectBytes;
    return report;
  }
  static const std::string sql = fmt::format(
      "SELECT ifnull(sum(bytes), 0) FROM (SELECT max({}) AS bytes FROM entry JOIN picked USING (id) GROUP BY "
      "content HAVING count(*) = (SELECT count(*) FROM entry AS other WHERE other.content = entry.content))",
      soundNumber("object_bytes"));
  NW_TRY(Query query, connection.prepare(sql));
  NW_TRY(const bool row, query.step());
  if (row) report.bytes += query.integerOr(0);
  return report;
}

} // namespace nodewise
