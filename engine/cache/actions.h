// What people do to entries. Nothing here is final: every action is an operation that undo() takes back until
// vacuum, or until the size cap needs the room.
#pragma once

#include "cache/filter.h"
#include "cache/store.h"

#include <span>

namespace nodewise {

/// Which entries.
struct Selection {
  std::vector<int64_t> ids;     ///< these, or
  std::optional<Filter> filter; ///< all that match; an empty filter is everything
  static Selection of(std::vector<int64_t> ids) { return {std::move(ids), {}}; }
  static Selection matching(Filter filter) { return {{}, std::move(filter)}; }
  static Selection all() { return {{}, Filter{}}; }
};

struct ActionReport {
  int64_t operation = 0; ///< for undo(); 0 on a dry run or where nothing changed
  int64_t entries = 0;   ///< changed
  int64_t bytes =
      0; ///< their objects (each content once, if no other entry keeps it), recipes, IR and key text
  int64_t compileNs = 0; ///< recorded compile time that making them again would cost
  int64_t kept = 0;      ///< selected but left alone because pinned
  std::string summary;   ///< "invalidated 12 entries, 31 kB; compiling them again costs 48 ms (recorded)"
};

/// Live entries become invalidated: looked up, they are stale.
Result<ActionReport> invalidate(Store& store, const Selection& selection, DryRun dryRun,
                                std::string_view reason = {});
/// Entries of any other state become deleted. Pinned ones are left alone.
Result<ActionReport> remove(Store& store, const Selection& selection, DryRun dryRun);
/// remove() of everything but pinned entries.
Result<ActionReport> clear(Store& store, DryRun dryRun);
/// Applies the caps now: the age cap, and with `toBytes` the order of eviction until live entries fit.
struct PruneLimits {
  std::optional<int64_t> unusedSeconds, toBytes; ///< none: the settings' caps
};
Result<ActionReport> prune(Store& store, const PruneLimits& limits, DryRun dryRun);
/// Invalidated, deleted and quarantined entries become live again (quarantined ones only if they are sound).
/// `command`: as which operation it is recorded.
Result<ActionReport> restore(Store& store, const Selection& selection, DryRun dryRun,
                             std::string_view command = "restore");
/// Entries that must not be served: a crash of their code, say. `reason` is shown on lookups.
Result<ActionReport> quarantine(Store& store, const Selection& selection, std::string_view reason,
                                DryRun dryRun);
/// Pinned entries are never evicted, pruned or cleared. Entries that are so already are left out.
Result<ActionReport> pin(Store& store, const Selection& selection, bool pinned, DryRun dryRun);

/// What a selection holds, whatever state its entries are in: for actions that are not the store's own. No
/// summary.
Result<ActionReport> measure(Store& store, const Selection& selection);

struct OperationRow {
  int64_t id = 0;
  std::string command; ///< "invalidate", ...
  int64_t atUnix = 0;
  int64_t entries = 0; ///< that it changed and that are still there
  bool undone = false;
};
/// Newest first.
Result<std::vector<OperationRow>> listOperations(Store& store, int64_t limit = 100);
/// What undo is about when no operation is named: the newest that is not undone and still has entries.
Result<std::optional<OperationRow>> nextUndo(Store& store);
/// What redo is about: of the undone operations after which nothing else was done, the one made first.
Result<std::optional<OperationRow>> nextRedo(Store& store);
/// Gives the entries of an operation back the state they had, where nothing else has changed them since.
Result<ActionReport> undo(Store& store, int64_t operation, DryRun dryRun);
/// Does an undone operation again, to the same entries.
Result<ActionReport> redo(Store& store, int64_t operation, DryRun dryRun);

} // namespace nodewise
