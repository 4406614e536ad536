// Totals. They are kept up to date by triggers in the transaction that changes a row, so reading them reads
// one row.
#pragma once

#include "cache/store.h"

namespace nodewise {

Result<CacheStats> cacheStats(Store& store);
/// The same by reading every row: what cacheStats() must equal at any time.
Result<CacheStats> recount(Store& store);

/// One day's runs. Kept for longer than the runs themselves: some three years.
struct DayStats {
  std::string day; ///< "2025-03-31", UTC
  int64_t runs = 0, hits = 0, lookups = 0;
  int64_t compileNs = 0, savedNs = 0;
  int64_t entries = 0, bytes = 0; ///< that the cache held after the day's last run; 0: not recorded
};
/// Oldest first.
Result<std::vector<DayStats>> statsByDay(Store& store);

} // namespace nodewise
