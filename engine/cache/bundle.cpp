#include "cache/bundle.h"

#include "base/units.h"
#include "cache/entry_copy.h"
#include "cache/operations.h"
#include "cache/picked.h"
#include "cache/store_state.h"
#include "cache/totals.h"
#include "cache/words.h"

#include <fmt/format.h>
#include <limits>

namespace nodewise {

namespace {

struct Picked {
  std::vector<int64_t> ids;
  ActionReport report;
};

Result<Picked> pickLive(Store& store, const Selection& selection) {
  return onStore(store, [&](Connection& connection) -> Result<Picked> {
    Picked picked;
    NW_CHECK(pick(connection, selection));
    NW_CHECK(keepPicked(connection, "state IS 'live'"));
    NW_TRY(picked.report, reportPicked(connection));
    NW_TRY(Query query, connection.prepare("SELECT id FROM picked ORDER BY id"));
    for (;;) {
      NW_TRY(const bool row, query.step());
      if (!row) return picked;
      picked.ids.push_back(query.integerOr(0));
    }
  });
}

/// A bundle is one file, without a log beside it.
Result<void> makeSingleFile(Store& bundle) {
  return onStore(bundle, [](Connection& connection) -> Result<void> {
    NW_CHECK(connection.execute("PRAGMA wal_checkpoint(TRUNCATE)"));
    connection.keepLog(false);
    return connection.execute("PRAGMA journal_mode = DELETE");
  });
}

/// Live entries of the bundle whose keys are not live here.
Result<ActionReport> countNew(Connection& source, Store& store) {
  ActionReport report;
  static const std::string sql =
      fmt::format("SELECT key, {} + {}, {} FROM entry WHERE state = 'live'", soundNumber("object_bytes"),
                  soundNumber("own_bytes"), soundNumber("compile_ns"));
  NW_TRY(Query query, source.prepare(sql));
  return onStore(store, [&](Connection& connection) -> Result<ActionReport> {
    for (;;) {
      const auto row = query.step();
      if (!row.ok() || !*row) break; // damage behind: no more can be counted
      const auto key = query.hash(0);
      if (!key) continue;
      NW_TRY(Query find, connection.prepare("SELECT 1 FROM entry WHERE key = ? AND state = 'live'"));
      NW_TRY(const bool here, find.bind(*key).step());
      if (here) continue;
      ++report.entries;
      report.bytes += query.integerOr(1);
      report.compileNs += query.integerOr(2);
    }
    return report;
  });
}

} // namespace

Result<ActionReport> exportBundle(Store& store, const Selection& selection, const std::string& file,
                                  DryRun dryRun, const StoreProgress& progress) {
  if (fileIdentity(file))
    return Error{"there is such a file already", file, "name a new one, or remove it", ""};
  NW_TRY(Picked picked, pickLive(store, selection));
  ActionReport& report = picked.report;
  const std::string what =
      fmt::format("{}, {}", units::counted(report.entries, "entry"), units::bytes(report.bytes));
  report.summary = fmt::format("{}exported {} to {}", dryRun == DryRun::Yes ? "would have " : "", what, file);
  if (dryRun == DryRun::Yes) return report;
  CacheSettings settings;
  settings.file.set(file, Origin::CommandLine);
  settings.capBytes.set(std::numeric_limits<int64_t>::max() / 2, Origin::CommandLine);
  NW_TRY(Store bundle, Store::open(settings));
  bundle.setStop(store.state().stop);
  NW_TRY(const CopyCount count, copyEntries(*store.state().connection, picked.ids, bundle, progress));
  if (count.notStored > 0)
    return Error{count.whyNot, file, "free some space, or name a file on another disk", ""};
  NW_CHECK(makeSingleFile(bundle));
  report.entries = count.stored + count.already;
  report.kept = count.unsound;
  if (count.unsound > 0) report.summary += fmt::format("; {} left out because damaged", count.unsound);
  return report;
}

Result<ActionReport> importBundle(Store& store, const std::string& file, DryRun dryRun,
                                  const StoreProgress& progress) {
  NW_TRY(auto source, openForReading(file, store.settings().busyMs.value));
  source->setStop(store.state().stop);
  NW_TRY(ActionReport report, countNew(*source, store));
  const auto summarise = [&] {
    report.summary = fmt::format("{}imported {}, {}, from {}", dryRun == DryRun::Yes ? "would have " : "",
                                 units::counted(report.entries, "entry"), units::bytes(report.bytes), file);
    if (report.kept > 0) report.summary += fmt::format("; {} left out because damaged", report.kept);
  };
  summarise();
  if (dryRun == DryRun::Yes) return report;
  const std::vector<int64_t> ids = liveIds(*source);
  NW_TRY(const CopyCount count, copyEntries(*source, ids, store, progress));
  if (!count.keys.empty()) {
    NW_TRY(report.operation, onStore(store, [&](Connection& connection) -> Result<int64_t> {
             NW_TRY(Transaction transaction, Transaction::begin(connection, TransactionKind::Write));
             NW_TRY(const int64_t operation, recordArrived(connection, "import", count.keys));
             NW_CHECK(transaction.commit());
             return operation;
           }));
  }
  report.entries = count.stored;
  report.kept = count.unsound;
  summarise();
  if (count.notStored > 0) report.summary += fmt::format("; {} {}", count.notStored, count.whyNot);
  return report;
}

} // namespace nodewise
