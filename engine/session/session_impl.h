// What a Session holds; for session*.cpp only: session.cpp opens, session_compile.cpp compiles and records,
// session_explain.cpp tells of single nodes, session_run.cpp runs.
#pragma once

#include "cache/runs.h"
#include "ops/graph_plan.h"
#include "runtime/machine.h"
#include "session/engine.h"
#include "session/session.h"

#include <mutex>

namespace nodewise {

struct Session::Impl {
  GraphFile file;
  SessionSettings settings;
  std::shared_ptr<Engine> engine;
  std::unique_ptr<GraphPlan> plan;
  std::vector<NodeInfo> nodes;
  std::vector<PlannedNode*> planned; ///< by node index
  Hash graphHash;
  mutable std::mutex mutex; ///< of states
  std::vector<NodeState> states;
  std::mutex working; ///< one compile or run at a time
  std::unique_ptr<Machine> machine;
  RunRow lastRun;                       ///< of the last compile; guarded by mutex, as what follows
  std::vector<NodeIndex> tookPart;      ///< in it
  std::function<void(NodeIndex)> watch; ///< see watchSteps()

  KeyEnvironment environment() const { return {settings.options, engine->target(), engine->toolchain()}; }
  bool isKernel(size_t node) const { return nodes[node].kind == NodeKind::Kernel; }
  void listNodes(GraphPlan& graph, NodeIndex parent, std::string_view environmentBytes);
  void hashGraph();
  Result<CompileSummary> compile(const CompileRequest& request, const ProgressFn& progress,
                                 std::stop_token stop);
  /// Compiles what is not linked, and makes the machine.
  Result<void> makeRunnable(std::stop_token stop);
  /// The same, with the machine's inputs bound: they are read while it runs.
  Result<void> makeReady(const std::vector<Data>& inputs, bool profile, std::stop_token stop);
  RunRecord record() const;
  void keepRecord(CompileSummary& summary, RunRow run, const CompileRequest& request);
  void keepRunTimes();
};

} // namespace nodewise
