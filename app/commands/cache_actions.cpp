// nodewise cache: what changes entries, and takes it back.
#include "cache_commands.h"
#include "text.h"

#include "cache/bundle.h"

#include <fmt/format.h>

namespace nodewise::cache_command {

using nlohmann::json;

Result<Exit> reportAction(const CommonOptions& common, const Line& line, const Result<ActionReport>& result) {
  if (!result) return result.error();
  if (common.json) {
    fmt::print("{}\n", json{{"version", 1},
                            {"dry run", line.dryRun},
                            {"operation", result->operation},
                            {"entries", result->entries},
                            {"bytes", result->bytes},
                            {"compile ns", result->compileNs},
                            {"kept", result->kept},
                            {"summary", result->summary}}
                           .dump(1));
    return Exit::Fine;
  }
  fmt::print("{}{}\n", line.dryRun ? "dry run: " : "", result->summary);
  if (result->operation > 0 && !line.dryRun)
    fmt::print("undo: nodewise cache restore --operation {}\n", result->operation);
  return Exit::Fine;
}

Result<Exit> invalidateEntries(const CommonOptions& common, const Line& line) {
  NW_TRY(Selection selection, selected(line, "invalidate"));
  NW_TRY(Store store, openStore(common));
  return reportAction(common, line, invalidate(store, selection, line.dry(), "by the command line"));
}

Result<Exit> deleteEntries(const CommonOptions& common, const Line& line) {
  NW_TRY(Selection selection, selected(line, "delete"));
  NW_TRY(Store store, openStore(common));
  return reportAction(common, line, remove(store, selection, line.dry()));
}

Result<Exit> restoreEntries(const CommonOptions& common, const Line& line) {
  NW_TRY(Store store, openStore(common));
  if (line.operation > 0) return reportAction(common, line, undo(store, line.operation, line.dry()));
  if (!line.terms.empty()) {
    NW_TRY(Filter filter, parseFilter(line.filterText()));
    return reportAction(common, line, restore(store, Selection::matching(std::move(filter)), line.dry()));
  }
  NW_TRY(const std::optional<OperationRow> last, nextUndo(store));
  if (last) return reportAction(common, line, undo(store, last->id, line.dry()));
  return Error{"nothing to restore", "cache restore", {}, {}};
}

Result<Exit> pruneEntries(const CommonOptions& common, const Line& line) {
  PruneLimits limits;
  if (!line.unused.empty()) {
    NW_TRY(limits.unusedSeconds, parseAge(line.unused));
  }
  if (!line.toSize.empty()) {
    NW_TRY(limits.toBytes, parseBytes(line.toSize));
  }
  NW_TRY(Store store, openStore(common));
  return reportAction(common, line, prune(store, limits, line.dry()));
}

Result<Exit> clearEntries(const CommonOptions& common, const Line& line) {
  NW_TRY(Store store, openStore(common));
  return reportAction(common, line, clear(store, line.dry()));
}

Result<Exit> pinEntries(const CommonOptions& common, const Line& line) {
  NW_TRY(Selection selection, selected(line, "pin"));
  NW_TRY(Store store, openStore(common));
  return reportAction(common, line, pin(store, selection, true, line.dry()));
}

Result<Exit> unpinEntries(const CommonOptions& common, const Line& line) {
  NW_TRY(Selection selection, selected(line, "unpin"));
  NW_TRY(Store store, openStore(common));
  return reportAction(common, line, pin(store, selection, false, line.dry()));
}

Result<Exit> redoOperation(const CommonOptions& common, const Line& line) {
  NW_TRY(Store store, openStore(common));
  if (line.operation > 0) return reportAction(common, line, redo(store, line.operation, line.dry()));
  NW_TRY(const std::optional<OperationRow> next, nextRedo(store));
  if (next) return reportAction(common, line, redo(store, next->id, line.dry()));
  return Error{"nothing to do again", "cache redo", {}, {}};
}

Result<Exit> operations(const CommonOptions& common, const Line& line) {
  NW_TRY(Store store, openStore(common));
  NW_TRY(const std::vector<OperationRow> all, listOperations(store, line.limit));
  json rows = json::array();
  TextTable table({"operation", "command", "when", "entries", ""}, {true, false, false, true, false});
  for (const OperationRow& o : all) {
    rows.push_back({{"id", o.id},
                    {"command", o.command},
                    {"at", o.atUnix},
                    {"entries", o.entries},
                    {"undone", o.undone}});
    table.add(
        {std::to_string(o.id), o.command, ageText(o.atUnix), countText(o.entries), o.undone ? "undone" : ""});
  }
  if (common.json)
    fmt::print("{}\n", json{{"version", 1}, {"operations", rows}}.dump(1));
  else
    fmt::print("{}", table.empty() ? "nothing was done to entries\n" : table.text(48));
  return Exit::Fine;
}

Result<Exit> exportEntries(const CommonOptions& common, const Line& line) {
  NW_TRY(Filter filter, parseFilter(line.filterText()));
  NW_TRY(Store store, openStore(common));
  return reportAction(common, line,
                      exportBundle(store, Selection::matching(std::move(filter)), line.file, line.dry()));
}

Result<Exit> importEntries(const CommonOptions& common, const Line& line) {
  NW_TRY(Store store, openStore(common));
  return reportAction(common, line, importBundle(store, line.file, line.dry()));
}

} // namespace nodewise::cache_command
