// What happened: runs, their lookups, and the counters of use.
#pragma once

#include "cache/store.h"

#include <span>

namespace nodewise {

/// Makes a run's row so that entries can name it. `run.id` and counts are ignored; startedUnix 0 means now.
Result<int64_t> beginRun(Store& store, const RunRow& run);
/// In one transaction: the run's row (a new one if its id is 0; its id is given back), its lookups, and for
/// every hit among them the entry's counters. Runs beyond the setting are dropped, oldest first.
Result<int64_t> recordRun(Store& store, const RunRow& run, std::span<const LookupRow> lookups);
/// Counters only: one transaction for all keys.
Result<void> countHits(Store& store, std::span<const Hash> keys);

/// Newest first; `before`: only ids below it (0: all).
Result<std::vector<RunRow>> listRuns(Store& store, int64_t limit = 200, int64_t before = 0);
Result<RunRow> showRun(Store& store, int64_t runId);
/// In the order they were recorded.
Result<std::vector<LookupRow>> runLookups(Store& store, int64_t runId);

} // namespace nodewise
