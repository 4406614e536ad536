#include "cache/eviction.h"

#include "cache/entry_rows.h"
#include "cache/policy.h"
#include "cache/store_state.h"
#include "cache/totals.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>

namespace nodewise {

namespace {

constexpr int64_t kHeaviest = 4096;
constexpr std::array<std::string_view, 4> kOrder{"deleted", "quarantined", "invalidated", "live"};

/// Drops the next entry of a state. False: there is none left.
Result<bool> evictNext(Connection& connection, std::string_view state, int64_t keepFrom) {
  int64_t id = 0;
  {
    NW_TRY(Query query,
           connection.prepare("SELECT id FROM entry INDEXED BY entry_eviction WHERE pinned = 0 AND "
                              "state = ? AND id < ? ORDER BY priority, id LIMIT 1"));
    NW_TRY(const bool row, query.bind(state, keepFrom).step());
    if (!row) return false;
    id = query.integerOr(0);
  }
  NW_TRY(Query remove, connection.prepare("DELETE FROM entry WHERE id = ?"));
  NW_CHECK(remove.bind(id).run());
  return true;
}

} // namespace

int64_t rebuildWeight(int64_t compileNs, int64_t bytes) {
  return std::clamp<int64_t>(compileNs / std::max<int64_t>(bytes, 1), 0, kHeaviest);
}

Result<int64_t> usedBytes(Connection& connection) {
  NW_TRY(Totals totals, readTotals(connection));
  NW_TRY(const int64_t pages, connection.queryInteger("PRAGMA page_count"));
  NW_TRY(const int64_t pageSize, connection.queryInteger("PRAGMA page_size"));
  // Entries cannot hold more than the file does. Acting on such a total would drop everything.
  if (!totals.sound() || totals.ownBytes + totals.objectBytes > pages * pageSize) {
    NW_TRY(totals, countTotals(connection));
    NW_CHECK(writeTotals(connection, totals));
  }
  return totals.ownBytes + totals.objectBytes;
}

namespace {

/// Drops until it fits or nothing is left to drop: never more than is needed.
Result<bool> evictUntil(Connection& connection, int64_t cap, int64_t needed, int64_t keepFrom) {
  for (const std::string_view state : kOrder) {
    for (;;) {
      NW_TRY(const int64_t used, usedBytes(connection));
      if (used + needed <= cap) return true;
      NW_TRY(const bool evicted, evictNext(connection, state, keepFrom));
      if (!evicted) break;
    }
  }
  return false;
}

} // namespace

Result<bool> makeRoom(Connection& connection, int64_t cap, int64_t needed, int64_t keepFrom) {
  NW_CHECK(connection.execute("SAVEPOINT room"));
  NW_TRY(const bool fits, evictUntil(connection, cap, needed, keepFrom));
  if (!fits) NW_CHECK(connection.execute("ROLLBACK TO room")); // nothing is dropped in vain
  NW_CHECK(connection.execute("RELEASE room"));
  return fits;
}

Result<std::vector<EntryRow>> evictionOrder(Store& store, int64_t limit) {
  static const std::string sql =
      fmt::format("SELECT {} FROM entry AS e INDEXED BY entry_eviction LEFT JOIN environment AS v ON v.id = "
                  "e.environment_id WHERE e.pinned = 0 AND e.state = ? ORDER BY e.priority, e.id LIMIT ?",
                  kEntryColumns);
  return onStore(store, [&](Connection& connection) -> Result<std::vector<EntryRow>> {
    std::vector<EntryRow> rows;
    for (const std::string_view state : kOrder) {
      NW_TRY(Query query, connection.prepare(sql));
      query.bind(state, limit - static_cast<int64_t>(rows.size()));
      NW_TRY(std::vector<EntryRow> some, readEntryRows(query));
      std::ranges::move(some, std::back_inserter(rows));
    }
    return rows;
  });
}

Result<int64_t> nextUse(Connection& connection) {
  // Whatever the counter says, entries were used before now; one that damage has put back would evict the
  // new.
  NW_TRY(Query query,
         connection.prepare(
             "INSERT INTO total (id, use_counter) SELECT 1, ifnull(max(last_use), 0) + 1 FROM entry "
             "WHERE last_use BETWEEN 0 AND 1099511627776 ON CONFLICT (id) DO UPDATE SET use_counter = "
             "max(excluded.use_counter, iif(typeof(use_counter) = 'integer' AND use_counter BETWEEN 0 AND "
             "1099511627776, use_counter + 1, 0)) RETURNING use_counter"));
  NW_TRY(const bool row, query.step());
  const int64_t value = row ? query.integerOr(0, 1) : 1;
  NW_CHECK(query.run());
  return value;
}

} // namespace nodewise
