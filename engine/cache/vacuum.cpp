#include "cache/doctor.h"
#include "cache/layouts.h"
#include "cache/picked.h"
#include "cache/store_state.h"

namespace nodewise {

namespace {

/// Entries in one transaction: others can write in between.
constexpr int64_t kBatch = 500;

Result<int64_t> dropBatch(Connection& connection) {
  NW_TRY(Query query,
         connection.prepare("DELETE FROM entry WHERE id IN (SELECT id FROM entry WHERE state IS NOT 'live' "
                            "AND pinned IS NOT 1 LIMIT ?)"));
  NW_CHECK(query.bind(kBatch).run());
  return connection.changes();
}

Result<void> pickDropped(Connection& connection) {
  NW_CHECK(pick(connection, Selection::all()));
  NW_CHECK(keepPicked(connection, "state IS NOT 'live' AND pinned IS NOT 1"));
  return {};
}

Result<void> shrink(Connection& connection) {
  NW_CHECK(connection.execute("DELETE FROM change"));
  NW_CHECK(connection.execute("DELETE FROM operation"));
  NW_CHECK(trimLayouts(connection));
  NW_CHECK(connection.execute("VACUUM"));
  return connection.execute("PRAGMA wal_checkpoint(TRUNCATE)");
}

int64_t sizeOf(const Store::State& state, Connection& connection) {
  if (state.identity) return bytesOnDisk(state.path);
  const auto pages = connection.queryInteger("PRAGMA page_count");
  const auto pageSize = connection.queryInteger("PRAGMA page_size");
  return pages.ok() && pageSize.ok() ? *pages * *pageSize : 0;
}

} // namespace

Result<VacuumReport> vacuum(Store& store, DryRun dryRun, const StoreProgress& progress) {
  return onStore(store, [&](Connection& connection) -> Result<VacuumReport> {
    VacuumReport report;
    report.bytesBefore = sizeOf(store.state(), connection);
    NW_CHECK(pickDropped(connection));
    NW_TRY(const ActionReport dropped, reportPicked(connection));
    if (dryRun == DryRun::Yes) {
      report.entries = dropped.entries;
      report.bytesAfter = report.bytesBefore - dropped.bytes;
      return report;
    }
    for (;;) {
      NW_TRY(const int64_t count, dropBatch(connection));
      report.entries += count;
      if (progress) progress(report.entries, dropped.entries, "dropping entries");
      if (count == 0) break;
    }
    if (progress) progress(report.entries, dropped.entries, "making the file smaller");
    NW_CHECK(shrink(connection));
    report.bytesAfter = sizeOf(store.state(), connection);
    return report;
  });
}

} // namespace nodewise
