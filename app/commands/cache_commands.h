// The subcommands of `nodewise cache`: what their command lines hold, and what they do.
#pragma once

#include "command.h"

#include "cache/actions.h"

namespace nodewise::cache_command {

struct Line {
  std::vector<std::string> terms; ///< filter terms, as words of the command line
  std::string key, file, sort = "id", by = "op", unused, toSize, name, value;
  int64_t limit = 50, operation = 0;
  bool ascending = false, dryRun = false, repair = false, days = false;
  bool ir = false, optimisedIr = false, assembly = false;
  std::string filterText() const;
  DryRun dry() const { return dryRun ? DryRun::Yes : DryRun::No; }
};

using Command = Result<Exit> (*)(const CommonOptions&, const Line&);

/// Prints the store's notices. Errors have the type "Environment": not the caller's fault.
Result<Store> openStore(const CommonOptions& common);
/// Entries of the filter; a command that changes or exports wants one, so that no typing error means "all".
Result<Selection> selected(const Line& line, std::string_view command);

/// Prints what an action did, or would do.
Result<Exit> reportAction(const CommonOptions& common, const Line& line, const Result<ActionReport>& result);

// cache_views.cpp
Result<Exit> list(const CommonOptions& common, const Line& line);
Result<Exit> groups(const CommonOptions& common, const Line& line);
Result<Exit> show(const CommonOptions& common, const Line& line);
Result<Exit> stats(const CommonOptions& common, const Line& line);
Result<Exit> runs(const CommonOptions& common, const Line& line);
Result<Exit> evictions(const CommonOptions& common, const Line& line);

// cache_actions.cpp
Result<Exit> invalidateEntries(const CommonOptions& common, const Line& line);
Result<Exit> deleteEntries(const CommonOptions& common, const Line& line);
Result<Exit> pinEntries(const CommonOptions& common, const Line& line);
Result<Exit> unpinEntries(const CommonOptions& common, const Line& line);
Result<Exit> restoreEntries(const CommonOptions& common, const Line& line);
Result<Exit> redoOperation(const CommonOptions& common, const Line& line);
Result<Exit> operations(const CommonOptions& common, const Line& line);
Result<Exit> pruneEntries(const CommonOptions& common, const Line& line);
Result<Exit> clearEntries(const CommonOptions& common, const Line& line);
Result<Exit> exportEntries(const CommonOptions& common, const Line& line);
Result<Exit> importEntries(const CommonOptions& common, const Line& line);

// cache_care.cpp
Result<Exit> checkDatabase(const CommonOptions& common, const Line& line);
Result<Exit> vacuumDatabase(const CommonOptions& common, const Line& line);
Result<Exit> keepSetting(const CommonOptions& common, const Line& line);
Result<Exit> compileAgain(const CommonOptions& common, const Line& line);
Result<Exit> verify(const CommonOptions& common, const Line& line);

} // namespace nodewise::cache_command
