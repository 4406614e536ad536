// Looking up, compiling and storing a session's nodes, and the record of it.
#include "cache/run_history.h"
#include "cache/seal.h"
#include "cache/words.h"
#include "session/compile_group.h"
#include "session/session_impl.h"

#include <algorithm>

namespace nodewise {

Result<CompileSummary> Session::Impl::compile(const CompileRequest& request, const ProgressFn& progress,
                                              std::stop_token stop) {
  std::vector<CompileItem> items;
  auto add = [&](size_t node) {
    if (isKernel(node)) items.push_back({static_cast<NodeIndex>(node), &nodes[node], planned[node]});
  };
  if (request.nodes.empty())
    for (size_t n = 0; n < nodes.size(); ++n) add(n);
  for (NodeIndex n : request.nodes)
    if (n >= 0 && static_cast<size_t>(n) < nodes.size()) add(static_cast<size_t>(n));

  RunRow run;
  run.file = file.path.empty() ? file.name : file.path;
  run.command = settings.command;
  run.graphHash = graphHash.hex();
  auto report = [&](const CompileItem& item, const NodeState& now) {
    std::lock_guard lock(mutex);
    NodeState& state = states[static_cast<size_t>(item.index)];
    const int64_t calls = state.runCalls, ns = state.runNs;
    state = now;
    state.runCalls = calls;
    state.runNs = ns;
  };
  machine.reset(); // kernels may change
  NW_TRY(CompileSummary summary, compileItems({*engine, environment(), settings, run}, items,
                                              request.ignoreCache, report, progress, stop));
  for (const NodeInfo& info : nodes) {
    if (info.kind == NodeKind::View) ++summary.views;
    if (info.kind == NodeKind::Prebuilt) ++summary.prebuilt;
    if (info.kind == NodeKind::Unsupported) ++summary.unsupported;
  }
  if (stop.stop_requested()) return Error{"cancelled", {}, {}, "Cancelled"};
  keepRecord(summary, std::move(run), request);
  return summary;
}

RunRecord Session::Impl::record() const {
  RunRecord record;
  record.level = settings.options.optLevel;
  record.workers = engine->workers().threads();
  record.cpu = engine->target().cpu;
  record.llvmVersion = engine->toolchain().llvmVersion;
  record.timed = true;
  std::lock_guard lock(mutex);
  record.run = lastRun;
  for (const NodeIndex n : tookPart) {
    const NodeInfo& info = nodes[static_cast<size_t>(n)];
    const NodeState& state = states[static_cast<size_t>(n)];
    RunNode node;
    node.position = n;
    node.path = info.path;
    node.op = info.op;
    node.label = info.detail;
    node.name = info.name;
    node.scope = info.scope;
    node.kind = nodeKindName(info.kind);
    node.dtype = info.dtype;
    if (info.kind == NodeKind::Kernel) {
      node.structure = structureOf(planned[static_cast<size_t>(n)]->lowered.keyParts);
      node.key = info.key;
    }
    node.outcome = state.outcome;
    node.reason = state.reason;
    node.changedPart = state.changedPart;
    node.oldValue = state.oldValue;
    node.newValue = state.newValue;
    node.nearest = state.nearest;
    node.nearestCreatedUnix = state.nearestCreatedUnix;
    node.phases = state.phases;
    node.starts = state.starts;
    node.worker = state.worker;
    node.recordedNs = state.recordedCompileNs;
    node.objectBytes = state.objectBytes;
    node.calls = state.runCalls;
    node.runNs = state.runNs;
    record.nodes.push_back(std::move(node));
  }
  return record;
}

void Session::Impl::keepRecord(CompileSummary& summary, RunRow run, const CompileRequest& request) {
  run.id = summary.runId;
  run.startedUnix = nowUnix() - summary.wallNs / 1'000'000'000;
  run = summedUp(std::move(run), summary);
  {
    std::lock_guard lock(mutex);
    lastRun = std::move(run);
    tookPart = request.nodes;
    if (tookPart.empty())
      for (const NodeInfo& info : nodes) tookPart.push_back(info.index);
    std::ranges::sort(tookPart);
    const auto [same, end] = std::ranges::unique(tookPart);
    tookPart.erase(same, end);
    std::erase_if(tookPart, [&](NodeIndex n) { return n < 0 || static_cast<size_t>(n) >= nodes.size(); });
  }
  if (summary.runId == 0 || !settings.useCache) return;
  Result<Engine::LockedStore> locked = engine->store(settings.cache);
  if (!locked) return; // said by the compile
  if (Result<void> kept = recordRunNodes(*locked->store, record()); !kept)
    summary.warnings.push_back("the nodes of the run were not recorded: " + kept.error().text());
}

void Session::Impl::keepRunTimes() {
  std::vector<RunTime> times;
  int64_t runId = 0;
  {
    std::lock_guard lock(mutex);
    runId = lastRun.id;
    for (size_t n = 0; n < states.size(); ++n)
      if (states[n].runCalls > 0)
        times.push_back({static_cast<int64_t>(n), states[n].runCalls, states[n].runNs});
  }
  if (runId == 0 || !settings.useCache) return;
  // A run's result does not depend on its times being kept; a cache that cannot be written was said
  // elsewhere.
  if (Result<Engine::LockedStore> locked = engine->store(settings.cache))
    static_cast<void>(recordRunTimes(*locked->store, runId, times).ok());
}

RunRecord Session::record() const { return m_impl->record(); }

Result<CompileSummary> Session::compile(const CompileRequest& request, const ProgressFn& progress,
                                        std::stop_token stop) {
  std::lock_guard lock(m_impl->working);
  return m_impl->compile(request, progress, std::move(stop));
}

} // namespace nodewise
