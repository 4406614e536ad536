// Compiling entries again, whether or not the graph they came from is at hand: an entry keeps a one-node
// graph.
#pragma once

#include "session/engine.h"
#include "session/session.h"
#include "ui/jobs/job_tracker.h"

namespace nodewise::ui {

struct RerunReport {
  int64_t compiled = 0, failed = 0, compileNs = 0;
  std::string summary; ///< "compiled 3 entries again in 14 ms"
  std::vector<Hash> keys;
};

/// Each entry by itself; an entry that fails is counted and named, and stops nothing.
Result<RerunReport> rerunEntries(Store& store, std::span<const int64_t> entries,
                                 const SessionSettings& settings, const std::shared_ptr<Engine>& engine,
                                 JobContext& context);

} // namespace nodewise::ui
