// Runs in full: every node with its outcome, its reason, and what each phase cost, when, and where. What the
// views of cost, of reasons and of time, the comparison of runs and the exports are made from.
#pragma once

#include "cache/seal.h"
#include "cache/store.h"

#include <span>

namespace nodewise {

/// A node as it went through one run.
struct RunNode {
  int64_t position = 0; ///< among the file's nodes, inner graphs included
  std::string path, op, label, name, scope;
  std::string kind = "kernel"; ///< "kernel", "view", "prebuilt", "unsupported"
  std::string dtype;
  std::optional<Seal> structure; ///< of its key; none for nodes without one
  // Of its lookup; none for nodes without one.
  std::optional<Hash> key;
  std::optional<Outcome> outcome;
  std::string reason, changedPart, oldValue, newValue;
  std::optional<Hash> nearest;
  int64_t nearestCreatedUnix = 0;
  // What it cost.
  Phases phases;          ///< in this run; 0 where a phase did not happen, or an equal node did it
  Phases starts;          ///< from the beginning of the run to that of each phase
  int worker = -1;        ///< that compiled it
  int64_t recordedNs = 0; ///< what compiling cost when its entry was made: on a hit, what was saved
  int64_t objectBytes = 0;
  int64_t calls = 0, runNs = 0; ///< by profiled calls
};

struct RunRecord {
  RunRow run;
  int level = -1; ///< optimisation level; -1: not known
  int workers = 0;
  std::string cpu, llvmVersion;
  std::vector<RunNode> nodes;
  bool timed = false; ///< phases have starts: the run was made since they are recorded
};

/// For each node the compile time that a hit on it saved; of nodes with one key the first alone counts, since
/// equal nodes are compiled once.
std::vector<int64_t> savedTimes(const RunRecord& record);

/// Adds nodes and environment to a run that is recorded. In one transaction; replaces what was there.
Result<void> recordRunNodes(Store& store, const RunRecord& record);

struct RunTime {
  int64_t position = 0, calls = 0, ns = 0;
};
/// The run times of a run's nodes; replaces what was there.
Result<void> recordRunTimes(Store& store, int64_t runId, std::span<const RunTime> times);

/// A run with all its nodes. Of runs made before nodes were recorded: what their lookups say. Error: no such
/// run.
Result<RunRecord> loadRun(Store& store, int64_t runId);

/// The newest run of the same graph (by its hash) in which nothing hit and nothing failed: what the graph
/// costs without a cache. None: there is no such run.
Result<std::optional<RunRow>> coldRunOf(Store& store, const RunRow& run);

/// What nodes of one structure took at one optimisation level, over all recorded runs.
struct LevelCost {
  Seal structure{};
  int level = 0;
  int64_t compileNs = 0;        ///< newest recorded cost of compiling
  int64_t calls = 0, runNs = 0; ///< sums over profiled runs
};
/// For these structures, of nodes with any cost, by structure and level.
Result<std::vector<LevelCost>> levelCosts(Store& store, std::span<const Seal> structures);

} // namespace nodewise
