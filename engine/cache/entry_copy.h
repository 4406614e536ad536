// Entries from one database to another: bundles, and saving what a damaged file still holds.
#pragma once

#include "cache/doctor.h"
#include "cache/entries.h"
#include "cache/environments.h"

namespace nodewise {

/// All of an entry as it was stored; none if any of it is damaged or gone.
Result<std::optional<NewEntry>> loadEntry(Connection& connection, EnvironmentCache& environments, int64_t id);

/// Ids of live entries. Where the file is damaged: those before the damage, and those after it.
std::vector<int64_t> liveIds(Connection& connection);

struct CopyCount {
  int64_t stored = 0, already = 0;
  int64_t unsound = 0; ///< left out: damaged
  int64_t notStored = 0;
  std::string whyNot;     ///< of the first that was not
  std::vector<Hash> keys; ///< of those that were stored
};
/// What is damaged is left out; errors of the source are damage. Error: cancelled.
Result<CopyCount> copyEntries(Connection& source, std::span<const int64_t> ids, Store& target,
                              const StoreProgress& progress);

} // namespace nodewise
