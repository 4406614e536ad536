// What can be done to entries from the cache page: one row each, for buttons, menus, previews and command
// lines. Every action is first tried without effect, so that it can say what it would do.
#pragma once

#include "cache/actions.h"
#include "cache/doctor.h"

#include <QString>

#include <span>

namespace nodewise::ui {

enum class CacheAction : uint8_t {
  Invalidate,
  Restore,
  Rerun,
  Verify,
  Pin,
  Unpin,
  Export,
  Remove,
  Prune,
  Clear,
  Vacuum,
  Import
};

/// What an action is about.
enum class ActionScope : uint8_t {
  Entries,  ///< what is selected, else what matches the filter
  Whole,    ///< the cache as a whole
  FromFile, ///< a bundle
};

struct CacheActionRow {
  CacheAction action;
  ActionScope scope;
  const char* text;  ///< of its button
  const char* doing; ///< while it is done
  const char* keys;  ///< portable text; empty: none
  const char* help;  ///< one sentence for the tool tip
  const char* line;  ///< `nodewise cache LINE` does the same
  const char* idle;  ///< why there may be nothing to do
  bool careful;      ///< Enter does not do it before its button is chosen: all entries, or for good
};
std::span<const CacheActionRow> cacheActions();
const CacheActionRow& actionRow(CacheAction action);

/// One action on something, as it is previewed, done, and said as a command line.
struct CacheRequest {
  CacheAction action = CacheAction::Invalidate;
  Selection selection;    ///< of ActionScope::Entries
  std::vector<Hash> keys; ///< of selected entries
  QString about;          ///< "3 selected entries", "all that match op:Sum"
  std::string file;       ///< of Export and Import; without one an export is only previewed
};

/// What the store does of a request, or with DryRun would do, in the same numbers as the command line's.
/// Rerun and Verify take a compiler: here they are only previewed.
Result<ActionReport> performAction(Store& store, const CacheRequest& request, DryRun dryRun,
                                   const StoreProgress& progress);

/// A summary as the window says it: with a capital.
QString sentence(const std::string& summary);
/// The command line that does the same, without the cache's own option.
QString commandLineOf(const CacheRequest& request);

} // namespace nodewise::ui
