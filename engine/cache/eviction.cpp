#include "cache/eviction.h"

#include "cache/entry_rows.h"
#include "cache/policy.h"
#include "cache/store_state.h"
#include "cache/totals.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <map>

namespace nodewise {

namespace {

constexpr int64_t kHeaviest = 4096;
constexpr std::array<std::string_view, 4> kOrder{"deleted", "quarantined", "invalidated", "live"};

/// What is to go, in the order of eviction, and what that frees.
struct Victims {
  std::vector<int64_t> ids;
  int64_t freed = 0;
  std::map<Hash, int64_t> picked; ///< of contents with several keys: how many of these go
};

/// Adds entries of a state until `missing` bytes are freed. Counts as the triggers do: a content goes with
/// the last entry that names it.
Result<void> pickVictims(Connection& connection, std::string_view state, int64_t keepFrom, int64_t missing,
                         Victims& victims) {
  static const std::string sql = fmt::format(
      "SELECT id, {}, ifnull((SELECT {} FROM object WHERE object.content = entry.content), 0), content, "
      "(SELECT count(*) FROM entry AS other WHERE other.content = entry.content) "
      "FROM entry INDEXED BY entry_eviction WHERE pinned = 0 AND state = ? AND id < ? ORDER BY priority, id",
      soundNumber("own_bytes"), soundNumber("size"));
  NW_TRY(Query query, connection.prepare(sql));
  query.bind(state, keepFrom);
  while (victims.freed < missing) {
    NW_TRY(const bool row, query.step());
    if (!row) return {};
    victims.ids.push_back(query.integerOr(0));
    victims.freed += query.integerOr(1);
    const int64_t keys = query.integerOr(4, 1);
    if (keys <= 1 || ++victims.picked[query.hash(3).value_or(Hash{})] == keys)
      victims.freed += query.integerOr(2);
  }
  return {};
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

Result<std::optional<int64_t>> makeRoom(Connection& connection, int64_t cap, Room room, int64_t keepFrom) {
  for (;;) {
    NW_TRY(const int64_t used, usedBytes(connection));
    const int64_t missing = used + room.needed - cap;
    if (missing <= 0) return std::optional(used);
    Victims victims;
    for (const std::string_view state : kOrder) {
      if (victims.freed < missing + room.ahead)
        NW_CHECK(pickVictims(connection, state, keepFrom, missing + room.ahead, victims));
    }
    if (victims.freed < missing) return std::optional<int64_t>(); // nothing is dropped in vain
    NW_TRY(Query remove, connection.prepare("DELETE FROM entry WHERE id = ?"));
    for (const int64_t id : victims.ids) {
      NW_CHECK(remove.bind(id).run());
      remove.reset();
    }
    // The totals have the last word, should damage have made the sum of the victims wrong.
  }
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
