// What doctor looks for in a file that SQLite itself finds whole.
#pragma once

#include "cache/doctor.h"
#include "cache/store_state.h"

namespace nodewise {

/// Every entry with its object, parts and recipe. Repair quarantines the damaged ones.
Result<void> checkEntries(Connection& connection, EnvironmentCache& environments, Repair repair,
                          const StoreProgress& progress, DoctorReport& report);
/// Rows that belong to nothing, counters, dates, and last the totals.
Result<void> checkRows(Connection& connection, Repair repair, DoctorReport& report);

} // namespace nodewise
