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

Result<void> coldAndWarm(std::vector<BenchRow>& rows) {
  const ScratchCache cache;
  const GraphFile graph = distinctNodes(kNodes);
  {
    NW_TRY(auto session, Session::open(graph, cache.settings()));
    const int64_t begin = nowNs();
    NW_TRY(CompileSummary cold, session->compile({}, {}, {}));
    const double wall = static_cast<double>(nowNs() - begin) / kNodes;
    if (cold.compiled != kNodes)
      return Error{fmt::format("{} of {} nodes were compiled", cold.compiled, kNodes), "bench", {}, {}};
    rows.push_back({"cold cost a node",
                    wall / 1e6,
                    "ms",
                    5.0,
                    {},
                    fmt::format("{} distinct fused nodes, one thread, level 2, stored and linked", kNodes)});
    const auto per = [&](int64_t ns) { return static_cast<double>(ns) / kNodes / 1e6; };
    rows.push_back({"  of it: build IR", per(cold.phases.build), "ms", {}, {}, {}});
    rows.push_back({"  of it: optimise", per(cold.phases.optimise), "ms", {}, {}, {}});
    rows.push_back({"  of it: emit", per(cold.phases.emit), "ms", {}, {}, {}});
    rows.push_back({"  of it: link", per(cold.phases.link), "ms", {}, {}, {}});
    rows.push_back({"  of it: store", per(cold.phases.store), "ms", {}, {}, {}});
  }
  double warm = 1e300, lookup = 0, link = 0;
  for (int round = 0; round < 5; ++round) {
    NW_TRY(auto session, Session::open(graph, cache.settings()));
    const int64_t begin = nowNs();
    NW_TRY(CompileSummary hits, session->compile({}, {}, {}));
    const double wall = static_cast<double>(nowNs() - begin) / kNodes;
    if (hits.hits != kNodes)
      return Error{fmt::format("{} of {} nodes hit", hits.hits, kNodes), "bench", {}, {}};
    if (wall < warm) {
      warm = wall;
      lookup = static_cast<double>(hits.phases.lookup) / kNodes;
      link = static_cast<double>(hits.phases.link) / kNodes;
    }
  }
  rows.push_back({"warm cost a node",
                  warm / 1e3,
                  "µs",
                  50.0,
                  {},
                  "key, lookup, verify, link and record; a new linker, the database opened anew"});
  rows.push_back({"  of it: lookup and verify", lookup / 1e3, "µs", {}, {}, {}});
  rows.push_back({"  of it: link", link / 1e3, "µs", {}, {}, {}});
  return {};
}

Result<void> keys(std::vector<BenchRow>& rows) {
  const GraphFile graph = distinctNodes(kNodes);
  NW_TRY(auto plan, planGraph(graph.graph));
  const Engine engine(1);
  const KeyEnvironment environment{{}, engine.target(), engine.toolchain()};
  const double ns = leastNs(20, 1, [&] {
    for (const PlannedNode& node : plan->nodes) (void)nodeKey(node.lowered, environment);
  });
  rows.push_back({"key cost a node",
                  ns / kNodes / 1e3,
                  "µs",
                  10.0,
                  {},
                  "fused node of two ops: parts put together and hashed"});
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
  NW_CHECK(coldAndWarm(rows));
  NW_CHECK(keys(rows));
  NW_CHECK(vmOverhead(rows));
  return rows;
}

} // namespace nodewise::bench
