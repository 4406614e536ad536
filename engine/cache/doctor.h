// Check and repair, and giving space back.
#pragma once

#include "cache/store.h"

#include <functional>

namespace nodewise {

enum class Repair : bool { No, Yes };

struct Finding {
  std::string what;   ///< "object 3f2a... is damaged: checksum", "totals differ: ..."
  std::string remedy; ///< what repair does, or did
  bool repaired = false;
  int64_t entryId = 0; ///< 0: not about one entry
};

struct DoctorReport {
  std::vector<Finding> findings; ///< empty: all is well
  int64_t entriesChecked = 0, objectsChecked = 0;
};

using StoreProgress = std::function<void(int64_t done, int64_t total, std::string_view what)>;

/// SQLite's own integrity check, checksums of every entry, object and recipe, keys against their parts,
/// orphans, totals, dates in the future. Repair quarantines what is damaged, removes orphans, counts anew; a
/// file that SQLite itself finds damaged is moved aside and what can be read of it is stored in a fresh one.
Result<DoctorReport> doctor(Store& store, Repair repair, const StoreProgress& progress = {});

struct VacuumReport {
  int64_t entries = 0; ///< invalidated, deleted and quarantined entries that are gone for good
  int64_t bytesBefore = 0,
          bytesAfter = 0; ///< of the file; on a dry run, after is before less what the entries hold
};
/// Drops everything that restore could bring back, and gives the space back to the file system.
Result<VacuumReport> vacuum(Store& store, DryRun dryRun, const StoreProgress& progress = {});

} // namespace nodewise
