// Cost of keys, lookups, compiles, links and of the VM.
#include "graphs.h"
#include "measure.h"
#include "rows.h"

#include "ops/graph_plan.h"
#include "runtime/machine.h"
#include "session/compile.h"
#include "session/engine.h"
#include "session/session.h"

#include <fmt/format.h>

#include <unistd.h>

#include <filesystem>

namespace nodewise::bench {

namespace {

/// A cache file of this measurement's own.
struct ScratchCache {
  std::filesystem::path folder =
      std::filesystem::temp_directory_path() / fmt::format("nodewise-bench-{}", ::getpid());
  ScratchCache() { std::filesystem::create_directories(folder); }
  ~ScratchCache() {
    std::error_code ignored;
    std::filesystem::remove_all(folder, ignored);
  }
  SessionSettings settings() const {
    SessionSettings s;
    s.cache.file = (folder / "cache.db").string();
    s.threads = 1;
    s.command = "bench";
    return s;
  }
};

constexpr int kNodes = 200;

/// The least of these many rounds counts: what disturbs a measurement only adds to it.
constexpr int kColdRounds = 5, kWarmRounds = 9;

/// One round of a cold compile: an empty cache, an engine that has made nothing yet. Nanoseconds a node.
Result<double> coldRound(const GraphFile& graph, const ScratchCache& cache, Phases& phases) {
  NW_TRY(auto session, Session::open(graph, cache.settings()));
  const int64_t begin = nowNs();
  NW_TRY(CompileSummary cold, session->compile({}, {}, {}));
  const double wall = static_cast<double>(nowNs() - begin) / kNodes;
  if (cold.compiled != kNodes)
    return Error{fmt::format("{} of {} nodes were compiled", cold.compiled, kNodes), "bench", {}, {}};
  phases = cold.phases;
  return wall;
}

Result<void> cold(const GraphFile& graph, std::vector<BenchRow>& rows) {
  double least = 1e300;
  Phases phases;
  for (int round = 0; round < kColdRounds; ++round) {
    const ScratchCache cache;
    Phases now;
    NW_TRY(const double wall, coldRound(graph, cache, now));
    if (wall >= least) continue;
    least = wall;
    phases = now;
  }
  rows.push_back(
      {"cold cost a node",
       least / 1e6,
       "ms",
       5.0,
       {},
       fmt::format("{} distinct fused nodes, one thread, level 2, stored and linked; least of {} rounds",
                   kNodes, kColdRounds)});
  const auto add = [&](const char* name, int64_t ns) {
    rows.push_back({name, static_cast<double>(ns) / kNodes / 1e6, "ms", {}, {}, {}});
  };
  add("  of it: build IR", phases.build);
  add("  of it: optimise", phases.optimise);
  add("  of it: emit", phases.emit);
  add("  of it: link", phases.link);
  add("  of it: store", phases.store);
  return {};
}

/// Nanoseconds a node for putting keys together and hashing them.
Result<double> keyCost(const GraphFile& graph) {
  NW_TRY(auto plan, planGraph(graph.graph));
  const Engine engine(1);
  const KeyEnvironment environment{{}, engine.target(), engine.toolchain()};
  return leastNs(20, 1,
                 [&] {
                   for (const PlannedNode& node : plan->nodes) (void)nodeKey(node.lowered, environment);
                 }) /
         kNodes;
}

Result<void> warm(const GraphFile& graph, std::vector<BenchRow>& rows) {
  const ScratchCache cache;
  Phases ignored;
  NW_CHECK(coldRound(graph, cache, ignored));
  double whole = 1e300, lookup = 1e300, link = 1e300;
  for (int round = 0; round < kWarmRounds; ++round) {
    NW_TRY(auto session, Session::open(graph, cache.settings()));
    const int64_t begin = nowNs();
    NW_TRY(CompileSummary hits, session->compile({}, {}, {}));
    whole = std::min(whole, static_cast<double>(nowNs() - begin) / kNodes);
    if (hits.hits != kNodes)
      return Error{fmt::format("{} of {} nodes hit", hits.hits, kNodes), "bench", {}, {}};
    lookup = std::min(lookup, static_cast<double>(hits.phases.lookup) / kNodes);
    link = std::min(link, static_cast<double>(hits.phases.link) / kNodes);
  }
  NW_TRY(const double key, keyCost(graph));
  rows.push_back({"warm cost a node",
                  (key + lookup + link) / 1e3,
                  "µs",
                  50.0,
                  {},
                  "key, lookup, verify and link; a new linker, the database opened anew"});
  rows.push_back(
      {"  of it: key", key / 1e3, "µs", 10.0, {}, "fused node of two ops: parts put together and hashed"});
  rows.push_back({"  of it: lookup and verify", lookup / 1e3, "µs", {}, {}, {}});
  rows.push_back({"  of it: link", link / 1e3, "µs", {}, {}, {}});
  rows.push_back({"  with its row in the run's record",
                  whole / 1e3,
                  "µs",
                  {},
                  {},
                  "all that compiling a warm graph does"});
  return {};
}

Result<void> vmOverhead(std::vector<BenchRow>& rows) {
  constexpr int kChain = 1000;
  SessionSettings settings;
  settings.useCache = false;
  settings.threads = 1;
  NW_TRY(auto session, Session::open(chain(kChain), settings));
  NW_TRY(Machine * machine, session->machine());
  double x = 1e-300;
  Array input;
  input.data = reinterpret_cast<std::byte*>(&x);
  machine->setInput(0, input);
  if (!machine->run()) return machine->error();
  const double ns = leastNs(20, 200, [&] { (void)machine->run(); });
  rows.push_back(
      {"VM overhead a node and call",
       ns / kChain,
       "ns",
       60.0,
       {},
       fmt::format("{} chained additions of one number, the additions themselves included", kChain)});
  return {};
}

} // namespace

Result<std::vector<BenchRow>> engineRows() {
  std::vector<BenchRow> rows;
  const GraphFile graph = distinctNodes(kNodes);
  NW_CHECK(cold(graph, rows));
  NW_CHECK(warm(graph, rows));
  NW_CHECK(vmOverhead(rows));
  return rows;
}

} // namespace nodewise::bench
