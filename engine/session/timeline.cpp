#include "session/timeline.h"

#include "session/phase_table.h"

#include <algorithm>

namespace nodewise {

Timeline makeTimeline(const RunRecord& record) {
  Timeline timeline;
  if (!record.timed) return timeline;
  timeline.length = record.run.wallNs;
  int workers = 0;
  for (size_t n = 0; n < record.nodes.size(); ++n) {
    const RunNode& node = record.nodes[n];
    for (size_t p = 0; p < kPhaseTable.size(); ++p) {
      const PhaseRow& phase = kPhaseTable[p];
      const int64_t duration = node.phases.*phase.time;
      if (duration <= 0) continue;
      const int worker = phase.onWorker ? std::max(node.worker, 0) + 1 : 0;
      workers = std::max(workers, worker);
      timeline.spans.push_back({n, p, static_cast<size_t>(worker), node.starts.*phase.time, duration});
      timeline.length = std::max(timeline.length, timeline.spans.back().end());
    }
  }
  timeline.lanes.emplace_back("session");
  for (int w = 1; w <= workers; ++w) timeline.lanes.push_back("worker " + std::to_string(w));
  std::ranges::sort(timeline.spans, {}, [](const TimelineSpan& s) { return std::pair(s.lane, s.start); });
  return timeline;
}

std::vector<bool> nodesIn(const Timeline& timeline, size_t nodes, int64_t from, int64_t to, int lane) {
  std::vector<bool> found(nodes, false);
  for (const TimelineSpan& span : timeline.spans)
    if (span.start <= to && span.end() >= from && (lane < 0 || span.lane == static_cast<size_t>(lane)) &&
        span.node < nodes)
      found[span.node] = true;
  return found;
}

} // namespace nodewise
