// nodewise diff: two recorded runs, node by node.
#include "cache/words.h"
#include "run_reference.h"
#include "session_json.h"
#include "text.h"

#include "session/run_diff.h"

#include <fmt/format.h>

namespace nodewise {

namespace {

std::string outcomeText(const RunNode* node) {
  if (!node) return {};
  if (!node->outcome) return node->kind;
  return std::string(outcomeRow(*node->outcome).name);
}

std::string signedTime(int64_t ns) {
  if (ns == 0) return {};
  return (ns > 0 ? "+" : "-") + timeText(ns > 0 ? ns : -ns);
}

struct Pair {
  const RunNode *before = nullptr, *after = nullptr;
  const RunNode& any() const { return after ? *after : *before; }
};
Pair pairOf(const RunRecord& before, const RunRecord& after, const NodeDiff& diff) {
  return {diff.before ? &before.nodes[*diff.before] : nullptr,
          diff.after ? &after.nodes[*diff.after] : nullptr};
}

nlohmann::json diffJson(const RunRecord& before, const RunRecord& after, const RunDiff& diff) {
  nlohmann::json nodes = nlohmann::json::array();
  const auto side = [](const RunNode* node) -> nlohmann::json {
    if (!node) return nullptr;
    nlohmann::json out{{"path", node->path}, {"kind", node->kind}, {"ns", phasesJson(node->phases)}};
    if (node->outcome) out["outcome"] = outcomeRow(*node->outcome).name;
    if (node->key) out["key"] = node->key->hex();
    if (!node->reason.empty()) out["reason"] = node->reason;
    if (node->calls > 0) out["run"] = {{"calls", node->calls}, {"ns", node->runNs}};
    return out;
  };
  for (const NodeDiff& d : diff.nodes) {
    const Pair pair = pairOf(before, after, d);
    nodes.push_back({{"change", nodeChangeRow(d.change).name},
                     {"matched by", matchedByName(d.matched)},
                     {"op", pair.any().op},
                     {"label", pair.any().label},
                     {"before", side(pair.before)},
                     {"after", side(pair.after)},
                     {"compile ns", d.compileDiff},
                     {"all phases ns", d.totalDiff},
                     {"run each ns", d.runDiff}});
  }
  nlohmann::json counts;
  for (const NodeChangeRow& row : nodeChangeTable()) counts[std::string(row.name)] = diff.count(row.change);
  return {{"version", 1},
          {"before", before.run.id},
          {"after", after.run.id},
          {"counts", counts},
          {"compile ns", diff.compileDiff},
          {"all phases ns", diff.totalDiff},
          {"wall ns", diff.wallDiff},
          {"saved ns", diff.savedDiff},
          {"nodes", std::move(nodes)}};
}

void printSummary(const RunRecord& record, const char* which) {
  const RunRow& run = record.run;
  fmt::print(
      "{} run {}: {} {}, {}{}: {} nodes, {} hit, {} miss, {} stale, {} failed; wall {}, compile {}, saved "
      "{}\n",
      which, run.id, run.command, run.file.substr(run.file.find_last_of('/') + 1), ageText(run.startedUnix),
      record.level >= 0 ? fmt::format(", O{}", record.level) : "", run.nodes, run.hits, run.misses, run.stale,
      run.failed, timeText(run.wallNs), timeText(run.compileNs), timeText(run.savedNs));
}

Result<Exit> runDiff(const CommonOptions& common, const std::string& first, const std::string& second,
                     bool all) {
  NW_TRY(Store store, openCache(common));
  NW_TRY(RunRecord before, findRun(store, first));
  NW_TRY(RunRecord after, findRun(store, second));
  const RunDiff diff = diffRuns(before, after);
  if (common.json) {
    fmt::print("{}\n", diffJson(before, after, diff).dump(1));
    return Exit::Fine;
  }
  printSummary(before, "before:");
  printSummary(after, "after: ");
  TextTable table(
      {"", "node", "what", "change", "was", "now", "compile", "all phases", "each call", "reason"},
      {false, false, false, false, false, false, true, true, true, false});
  for (const NodeDiff& d : diff.nodes) {
    if (!all && d.change == NodeChange::Same) continue;
    const Pair pair = pairOf(before, after, d);
    const RunNode& node = pair.any();
    const NodeChangeRow& row = nodeChangeRow(d.change);
    table.add({std::string(1, row.mark), node.path, nodeTitle(node.op, node.label), std::string(row.name),
               outcomeText(pair.before), outcomeText(pair.after), signedTime(d.compileDiff),
               signedTime(d.totalDiff), signedTime(d.runDiff), node.reason});
  }
  if (!table.empty()) fmt::print("\n{}", table.text(50));
  std::string line;
  for (const NodeChangeRow& row : nodeChangeTable())
    line += fmt::format("{}{} {}", line.empty() ? "" : ", ", diff.count(row.change), row.name);
  fmt::print("\n{}; compile {}, all phases {}, wall {}, saved {}\n", line,
             diff.compileDiff ? signedTime(diff.compileDiff) : "as before",
             diff.totalDiff ? signedTime(diff.totalDiff) : "as before", signedTime(diff.wallDiff),
             diff.savedDiff ? signedTime(diff.savedDiff) : "as before");
  return Exit::Fine;
}

} // namespace

void addDiff(CLI::App& app, CommonOptions& common, Invocation& invocation) {
  CLI::App* command = app.add_subcommand(
      "diff", "Compare two recorded runs node by node: new, gone, other outcomes, what costs more or less.\n"
              "Nodes are matched by name, then by structure, then by place.\n"
              "Example: nodewise diff last~1 last");
  struct Options {
    std::string before, after;
    bool all = false;
  };
  auto o = std::make_shared<Options>();
  command->add_option("BEFORE", o->before, kRunHelp)->required();
  command->add_option("AFTER", o->after, kRunHelp)->required();
  command->add_flag("--all", o->all, "List nodes that did not change too");
  command->add_flag("--json", common.json, "Machine-readable output");
  addCacheOptions(*command, common);
  command->callback([&, o] {
    invocation.run = [&, o] {
      Result<Exit> exit = runDiff(common, o->before, o->after, o->all);
      return exit ? *exit : fail(exit.error(), exitOf(exit.error()));
    };
  });
}

} // namespace nodewise
