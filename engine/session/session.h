// The use case: open a graph, plan it, look its nodes up, compile what is missing, run it, and keep what
// happened. The window and the command line both call this and nothing below it but the cache's own functions
// (cache/*.h).
//
// What happens on a hit, read from top to bottom: open() lowers every node; compile() makes keys, asks the
// store for all of them in one query, links the objects of the hits in one lookup; run() hands the addresses
// to the VM.
#pragma once

#include "base/result.h"
#include "cache/key.h"
#include "cache/store.h"
#include "graph/graph.h"
#include "ops/op.h"

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

namespace nodewise {

class Engine;
class Machine;
struct NodePasses;
struct RunRecord;
struct ValueReport;

/// Index of a node in Session::nodes(): all nodes of the file, inner graphs included, outer graph first.
using NodeIndex = int32_t;

/// A node as it stands in the file; does not change after open().
struct NodeInfo {
  NodeIndex index = 0;
  NodeIndex parent = -1;        ///< the node whose inner graph this one stands in; -1: the outer graph
  size_t indexInGraph = 0;      ///< position in that graph's `nodes`
  const Graph* graph = nullptr; ///< the graph it stands in
  std::string path;             ///< JSON path: "$.graph.nodes[3]"
  std::string op;               ///< "Elemwise"
  std::string detail;           ///< quiet line: "composite: exp, mul, add", "axis 0"; may be empty
  std::string name, scope, origin;
  NodeKind kind = NodeKind::Unsupported;
  std::string reason; ///< why it is unsupported
  std::string dtype;  ///< of output 0: "float64"; "rng", ... for other kinds
  Hash key;           ///< kernels only
  const Node& node() const { return graph->nodes[indexInGraph]; }
};

/// What is known of a node now.
struct NodeState {
  std::optional<Outcome> outcome; ///< none: not looked up yet, or nothing to look up
  std::string reason;             ///< one sentence for anything but a hit
  std::string changedPart, oldValue, newValue;
  std::optional<Hash> nearest;
  int64_t nearestCreatedUnix = 0;
  std::string storeResult;       ///< "stored", "not stored: disk full", ...
  Phases phases;                 ///< of this session's last compile
  Phases starts;                 ///< of its phases, from the beginning of that compile
  int worker = -1;               ///< that compiled it, from 0; -1: nobody, or an equal node's
  int64_t recordedCompileNs = 0; ///< what compiling cost when the entry was made (hit or miss)
  int64_t objectBytes = 0;
  int64_t hits = 0;                ///< of its entry, this one included; 0 if it did not hit
  int64_t runCalls = 0, runNs = 0; ///< filled by runs with profile
  bool linked = false;
};

struct SessionSettings {
  CacheOptions cache; ///< what the command line says of the cache; the rest is resolved as settings.h has it
  bool useCache = true;
  CodeOptions options;
  int threads = 0;                               ///< compile workers; 0: as many as cores
  std::optional<TargetSpec> pretendTarget;       ///< explain only: keys as if on another CPU
  std::optional<std::string> pretendLlvmVersion; ///< explain only
  std::map<std::string, int> pretendVersions;    ///< explain only: versions of ops and scalar ops
  std::string command;                           ///< for the run's row: "compile", "window", ...
  bool recordRuns = true; ///< no: another process records what this one is a part of (session/guarded_run.h)
};

struct Progress {
  int64_t done = 0, total = 0;
  std::string text;    ///< "compiling Elemwise{exp} (12 of 62)"
  NodeIndex node = -1; ///< a node whose state changed just now, or -1
};
using ProgressFn = std::function<void(const Progress&)>; ///< called on any thread

struct CompileRequest {
  std::vector<NodeIndex> nodes; ///< empty: all
  bool ignoreCache = false;     ///< compile again even what would hit
};

struct CompileSummary {
  int64_t runId = 0;
  int64_t nodes = 0, hits = 0, misses = 0, stale = 0, uncacheable = 0, failed = 0, lookupErrors = 0;
  int64_t views = 0, prebuilt = 0, unsupported = 0;
  int64_t compiled = 0;              ///< contents that went through LLVM
  int64_t shared = 0;                ///< nodes whose key was new and whose content was there already
  Phases phases;                     ///< sums over nodes
  int64_t wallNs = 0, savedNs = 0;   ///< saved: recorded compile time of the hits
  std::vector<std::string> warnings; ///< about the cache, said once
};

struct RunResult {
  std::vector<Data> outputs;
  int64_t wallNs = 0; ///< of the last call
};

/// What a lookup is to suppose: another machine, another LLVM, other versions of ops, another way to make
/// code.
struct Pretend {
  std::optional<TargetSpec> target;
  std::optional<std::string> llvmVersion;
  std::map<std::string, int> versions; ///< of ops and scalar ops
  std::optional<int> optLevel;
  bool anything() const { return target || llvmVersion || !versions.empty() || optLevel; }
};

/// Why a node would hit or miss if it were looked up now. Compiles nothing and changes nothing.
struct Explanation {
  Key key;
  LookupAnswer answer;               ///< without the object
  std::vector<KeyPart> nearestParts; ///< parts of the nearest entry (of the entry itself on a hit)
  std::vector<PartDiff> differences; ///< from the nearest entry to this key
  int64_t nearestCompileNs = 0; ///< what the nearest entry cost when it was made (the entry itself on a hit)
};

/// Profiled calls of a node.
struct NodeRunTime {
  int64_t calls = 0, ns = 0;
};

/// IR and machine code of a node, made on request whether it hit or not.
struct NodeCode {
  std::string ir, optimisedIr, assembly;
};

class Session {
public:
  /// Reads and lowers a graph. Unsupported nodes are not errors; a malformed file is.
  /// Sessions that share an engine share linked code and workers; without one a session makes its own.
  static Result<std::unique_ptr<Session>> open(const std::string& path, SessionSettings settings,
                                               std::shared_ptr<Engine> engine = nullptr);
  /// The same for a graph in memory.
  static Result<std::unique_ptr<Session>> open(GraphFile file, SessionSettings settings,
                                               std::shared_ptr<Engine> engine = nullptr);
  ~Session();

  const GraphFile& file() const;
  const std::vector<NodeInfo>& nodes() const;
  /// A snapshot; may be called while a worker compiles.
  NodeState state(NodeIndex node) const;
  const SessionSettings& settings() const;
  /// Why the graph as a whole cannot be run ("unsupported: Scan ..."); empty if it can.
  std::string whyNotRunnable() const;

  /// Looks up, compiles, stores, links; blocking: call it on a worker thread. Cancel through `stop`.
  Result<CompileSummary> compile(const CompileRequest& request, const ProgressFn& progress,
                                 std::stop_token stop);
  /// Runs the graph on these inputs, compiling first what is not linked. `calls`: how often. `profile`: run
  /// time per node (see NodeState). The error of a run has a `type`: "ValueError", ...
  Result<RunResult> run(const std::vector<Data>& inputs, int calls, bool profile, std::stop_token stop);
  /// Runs once and looks at every value on the way (session/values.h). An error of the run is part of the
  /// report.
  Result<ValueReport> values(const std::vector<Data>& inputs, std::stop_token stop);
  /// From the next run on, `watch` is told of each node before it runs, on the running thread; null: nobody
  /// is.
  void watchSteps(std::function<void(NodeIndex)> watch);
  /// For runs in another process (session/guarded_run.h): the run times of nodes, those of others become 0;
  /// and a node whose code must not run again until it is compiled anew.
  void setRunTimes(std::span<const std::pair<NodeIndex, NodeRunTime>> times);
  void setFailed(NodeIndex node, const std::string& reason);
  /// What the last compile and the runs since were: every node that took part, with costs and times. Nothing
  /// took part before the first compile. It is recorded in the cache too, if there is one
  /// (cache/run_history.h).
  RunRecord record() const;
  /// What a lookup would say now.
  Result<Explanation> explain(NodeIndex node);
  /// The same under a supposition.
  Result<Explanation> explain(NodeIndex node, const Pretend& pretend);
  Result<NodeCode> code(NodeIndex node);
  /// Compiles a node again and keeps what each LLVM pass did (session/passes.h). Nothing is stored.
  Result<NodePasses> passes(NodeIndex node);

  /// A machine on this session's compiled nodes, for measuring calls; compiles first what is not linked.
  Result<Machine*> machine(std::stop_token stop = {});

private:
  Session();
  struct Impl;
  std::unique_ptr<Impl> m_impl;
};

} // namespace nodewise
