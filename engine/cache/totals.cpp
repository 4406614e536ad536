#include "cache/totals.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>

namespace nodewise {

namespace {

constexpr std::array<int64_t Totals::*, 10> kColumns{
    &Totals::entries, &Totals::ownBytes,    &Totals::compileNs, &Totals::hits,     &Totals::invalidated,
    &Totals::deleted, &Totals::quarantined, &Totals::pinned,    &Totals::contents, &Totals::objectBytes};

constexpr std::string_view kRead =
    "SELECT entries, own_bytes, compile_ns, hits, invalidated, deleted, quarantined, "
    "pinned, contents, object_bytes FROM total WHERE id = 1";

std::string soundSum(std::string_view column) {
  return fmt::format("ifnull(sum({}), 0)", soundNumber(column));
}

/// Reads one row into the columns from `first` on.
Result<void> readRow(Connection& connection, std::string_view sql, size_t first, size_t count,
                     Totals& totals) {
  NW_TRY(Query query, connection.prepare(sql));
  NW_TRY(const bool row, query.step());
  for (size_t k = 0; k < count; ++k) {
    const auto value = row ? query.integer(static_cast<int>(k)) : std::nullopt;
    if (!value) totals.readable = false;
    totals.*kColumns[first + k] = value.value_or(0);
  }
  return {};
}

} // namespace

std::string soundNumber(std::string_view column) {
  return fmt::format("iif(typeof({0}) = 'integer' AND {0} BETWEEN 0 AND 17592186044416, {0}, 0)", column);
}

bool Totals::sound() const {
  return readable && std::ranges::all_of(kColumns, [&](auto column) { return this->*column >= 0; });
}

Result<Totals> readTotals(Connection& connection) {
  Totals totals;
  NW_CHECK(readRow(connection, kRead, 0, kColumns.size(), totals));
  return totals;
}

Result<Totals> countTotals(Connection& connection) {
  static const std::string countEntries =
      fmt::format("SELECT count(*), {}, {}, {}, ifnull(sum(state IS 'invalidated'), 0), ifnull(sum(state IS "
                  "'deleted'), 0), "
                  "ifnull(sum(state IS 'quarantined'), 0), ifnull(sum(pinned IS 1), 0) FROM entry",
                  soundSum("own_bytes"), soundSum("compile_ns"), soundSum("hits"));
  static const std::string countObjects = fmt::format("SELECT count(*), {} FROM object", soundSum("size"));
  Totals totals;
  NW_CHECK(readRow(connection, countEntries, 0, 8, totals));
  NW_CHECK(readRow(connection, countObjects, 8, 2, totals));
  return totals;
}

Result<void> writeTotals(Connection& connection, const Totals& totals) {
  NW_TRY(Query query,
         connection.prepare(
             "INSERT INTO total (entries, own_bytes, compile_ns, hits, invalidated, deleted, quarantined, "
             "pinned, "
             "contents, object_bytes, id, use_counter) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 1, 0) "
             "ON CONFLICT (id) DO UPDATE SET entries = excluded.entries, own_bytes = excluded.own_bytes, "
             "compile_ns = excluded.compile_ns, hits = excluded.hits, invalidated = excluded.invalidated, "
             "deleted = excluded.deleted, quarantined = excluded.quarantined, pinned = excluded.pinned, "
             "contents = excluded.contents, object_bytes = excluded.object_bytes"));
  for (size_t k = 0; k < kColumns.size(); ++k) query.bindOne(static_cast<int>(k) + 1, totals.*kColumns[k]);
  return query.run();
}

} // namespace nodewise
