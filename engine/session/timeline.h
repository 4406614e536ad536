// What happened when, and on which thread, in a recorded run.
#pragma once

#include "cache/run_history.h"

#include <string>
#include <vector>

namespace nodewise {

struct TimelineSpan {
  size_t node = 0;  ///< position in the record's nodes
  size_t phase = 0; ///< row of kPhaseTable
  size_t lane = 0;
  int64_t start = 0, duration = 0; ///< nanoseconds from the beginning of the run
  int64_t end() const { return start + duration; }
};

struct Timeline {
  std::vector<std::string> lanes;  ///< "session", "worker 1", ...
  std::vector<TimelineSpan> spans; ///< by lane, then by start; those of one lane do not overlap
  int64_t length = 0;              ///< of the run
};

/// Empty where the run's phases have no starts (runs of before they were recorded). Lookup, link and store
/// are done for many nodes in one call; each node's span is its share of that call.
Timeline makeTimeline(const RunRecord& record);

/// Nodes with a span of `lane` (or of any: -1) that touches [from, to].
std::vector<bool> nodesIn(const Timeline& timeline, size_t nodes, int64_t from, int64_t to, int lane = -1);

} // namespace nodewise
