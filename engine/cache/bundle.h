// Bundles: entries in a file of their own, to carry to another machine. A bundle is a cache database like any
// other.
#pragma once

#include "cache/actions.h"
#include "cache/doctor.h"

namespace nodewise {

/// Writes live entries of the selection to a new file. Errors: the file exists, cannot be written.
Result<ActionReport> exportBundle(Store& store, const Selection& selection, const std::string& file,
                                  DryRun dryRun, const StoreProgress& progress = {});
/// Stores every sound entry of the bundle that is not here; damaged ones are left out and counted as `kept`.
/// The bundle is only read. Entries for other machines are imported too: lookups refuse them where they
/// cannot run.
Result<ActionReport> importBundle(Store& store, const std::string& file, DryRun dryRun,
                                  const StoreProgress& progress = {});

} // namespace nodewise
