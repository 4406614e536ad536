#include "cache/stats.h"

#include "cache/store_state.h"
#include "cache/totals.h"

namespace nodewise {

namespace {

Result<CacheStats> toStats(Connection& connection, const Store::State& state, const Totals& totals) {
  CacheStats stats;
  stats.entries = totals.entries;
  stats.contents = totals.contents;
  stats.objectBytes = totals.objectBytes;
  stats.ownBytes = totals.ownBytes;
  stats.capBytes = state.settings.capBytes.value;
  stats.invalidated = totals.invalidated;
  stats.deleted = totals.deleted;
  stats.quarantined = totals.quarantined;
  stats.pinned = totals.pinned;
  stats.hits = totals.hits;
  stats.compileNs = totals.compileNs;
  NW_TRY(const int64_t pageSize, connection.queryInteger("PRAGMA page_size"));
  NW_TRY(const int64_t freePages, connection.queryInteger("PRAGMA freelist_count"));
  stats.freeBytes = freePages * pageSize;
  if (state.identity) {
    stats.fileBytes = bytesOnDisk(state.path);
  } else {
    NW_TRY(const int64_t pages, connection.queryInteger("PRAGMA page_count"));
    stats.fileBytes = pages * pageSize;
  }
  return stats;
}

} // namespace

Result<CacheStats> cacheStats(Store& store) {
  return onStore(store, [&](Connection& connection) -> Result<CacheStats> {
    NW_TRY(Totals totals, readTotals(connection));
    if (!totals.sound()) {
      NW_TRY(totals, countTotals(connection)); // damaged; the next store writes it right
    }
    return toStats(connection, store.state(), totals);
  });
}

Result<CacheStats> recount(Store& store) {
  return onStore(store, [&](Connection& connection) -> Result<CacheStats> {
    NW_TRY(const Totals totals, countTotals(connection));
    return toStats(connection, store.state(), totals);
  });
}

Result<std::vector<DayStats>> statsByDay(Store& store) {
  return onStore(store, [](Connection& connection) -> Result<std::vector<DayStats>> {
    NW_TRY(Query query, connection.prepare("SELECT day, runs, hits, lookups, compile_ns, saved_ns, entries, "
                                           "bytes FROM day ORDER BY day"));
    std::vector<DayStats> days;
    for (;;) {
      NW_TRY(const bool row, query.step());
      if (!row) return days;
      days.push_back({query.textOr(0), query.integerOr(1), query.integerOr(2), query.integerOr(3),
                      query.integerOr(4), query.integerOr(5), query.integerOr(6), query.integerOr(7)});
    }
  });
}

} // namespace nodewise
