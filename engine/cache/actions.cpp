#include "cache/actions.h"

#include "base/units.h"
#include "cache/entry_check.h"
#include "cache/operations.h"
#include "cache/store_state.h"
#include "cache/words.h"

#include <fmt/format.h>

namespace nodewise {

namespace {

/// An action that gives entries a state.
struct Action {
  std::string_view command, past, state;
  std::string_view applies; ///< condition on `entry`: the others of the selection are left out
  bool sparesPinned = false;
  bool loses = true; ///< what it touches is no longer served, and would have to be compiled again
};

constexpr Action kInvalidate{"invalidate", "invalidated", "invalidated", "state IS 'live'"};
constexpr Action kRemove{"delete", "deleted", "deleted", "state IS NOT 'deleted'", true};
constexpr Action kClear{"clear", "cleared", "deleted", "state IS NOT 'deleted'", true};
constexpr Action kQuarantine{"quarantine", "quarantined", "quarantined", "state IS NOT 'quarantined'"};
constexpr Action kRestore{"restore", "restored", "live", "state IS NOT 'live'", false, false};

std::string summaryOf(const Action& action, const ActionReport& report, DryRun dryRun) {
  std::string text = fmt::format("{}{} {}, {}", dryRun == DryRun::Yes ? "would have " : "", action.past,
                                 units::counted(report.entries, "entry"), units::bytes(report.bytes));
  if (action.loses)
    text += fmt::format("; compiling them again costs {} (recorded)", units::duration(report.compileNs));
  if (report.kept > 0) text += fmt::format("; {} kept because pinned", report.kept);
  return text;
}

/// Takes out of `picked` the quarantined entries that are not sound: restoring them would serve damage.
Result<void> dropUnsound(Connection& connection, EnvironmentCache& environments) {
  static const std::string sql = fmt::format("SELECT {} FROM {} WHERE e.id IN (SELECT id FROM picked) AND "
                                             "e.state IS NOT 'deleted' AND e.state IS NOT 'invalidated'",
                                             kCheckedColumns, kCheckedTables);
  std::vector<int64_t> unsound;
  {
    NW_TRY(Query query, connection.prepare(sql));
    for (;;) {
      NW_TRY(const bool row, query.step());
      if (!row) break;
      NW_TRY(const CheckedEntry entry, readCheckedEntry(connection, environments, query, CheckObject::Yes));
      // An impossible state is what restoring mends; all else stays.
      if (!entry.damage.empty()) unsound.push_back(entry.id);
    }
  }
  for (const int64_t id : unsound) {
    NW_TRY(Query query, connection.prepare("DELETE FROM picked WHERE id = ?"));
    NW_CHECK(query.bind(id).run());
  }
  return {};
}

Result<ActionReport> act(Store& store, const Selection& selection, const Action& action,
                         std::string_view reason, DryRun dryRun) {
  return onStore(store, [&](Connection& connection) -> Result<ActionReport> {
    const auto kind = dryRun == DryRun::Yes ? TransactionKind::Read : TransactionKind::Write;
    NW_TRY(Transaction transaction, Transaction::begin(connection, kind));
    NW_CHECK(pick(connection, selection));
    NW_CHECK(keepPicked(connection, action.applies));
    int64_t kept = 0;
    if (action.sparesPinned) {
      NW_TRY(kept, keepPicked(connection, "pinned IS NOT 1"));
    }
    if (action.state == "live") NW_CHECK(dropUnsound(connection, store.state().environments));
    NW_TRY(ActionReport report, reportPicked(connection));
    report.kept = kept;
    report.summary = summaryOf(action, report, dryRun);
    if (dryRun == DryRun::Yes || report.entries == 0) return report;
    NW_TRY(report.operation, changePicked(connection, action.command, action.state, reason));
    NW_CHECK(transaction.commit());
    return report;
  });
}

} // namespace

Result<ActionReport> invalidate(Store& store, const Selection& selection, DryRun dryRun,
                                std::string_view reason) {
  return act(store, selection, kInvalidate, reason, dryRun);
}

Result<ActionReport> remove(Store& store, const Selection& selection, DryRun dryRun) {
  return act(store, selection, kRemove, "", dryRun);
}

Result<ActionReport> clear(Store& store, DryRun dryRun) {
  return act(store, Selection::all(), kClear, "", dryRun);
}

Result<ActionReport> restore(Store& store, const Selection& selection, DryRun dryRun,
                             std::string_view command) {
  Action action = kRestore;
  action.command = command;
  return act(store, selection, action, "", dryRun);
}

Result<ActionReport> quarantine(Store& store, const Selection& selection, std::string_view reason,
                                DryRun dryRun) {
  return act(store, selection, kQuarantine, reason, dryRun);
}

Result<ActionReport> pin(Store& store, const Selection& selection, bool pinned, DryRun dryRun) {
  return onStore(store, [&](Connection& connection) -> Result<ActionReport> {
    const auto kind = dryRun == DryRun::Yes ? TransactionKind::Read : TransactionKind::Write;
    NW_TRY(Transaction transaction, Transaction::begin(connection, kind));
    NW_CHECK(pick(connection, selection));
    NW_CHECK(keepPicked(connection, pinned ? "pinned IS NOT 1" : "pinned IS NOT 0"));
    NW_TRY(ActionReport report, reportPicked(connection));
    report.summary =
        fmt::format("{}{} {}, {}", dryRun == DryRun::Yes ? "would have " : "", pinned ? "pinned" : "unpinned",
                    units::counted(report.entries, "entry"), units::bytes(report.bytes));
    if (dryRun == DryRun::Yes || report.entries == 0) return report;
    NW_TRY(report.operation, pinPicked(connection, pinned));
    NW_CHECK(transaction.commit());
    return report;
  });
}

Result<ActionReport> measure(Store& store, const Selection& selection) {
  return onStore(store, [&](Connection& connection) -> Result<ActionReport> {
    NW_TRY(const Transaction transaction, Transaction::begin(connection, TransactionKind::Read));
    NW_CHECK(pick(connection, selection));
    return reportPicked(connection);
  });
}

} // namespace nodewise
