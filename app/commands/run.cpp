// nodewise run: run a recorded case (or invented inputs) of a graph.
#include "cache/words.h"
#include "command.h"
#include "session_json.h"
#include "text.h"

#include "graph/generate.h"
#include "graph/writer.h"
#include "session/child_process.h"
#include "session/compare.h"
#include "session/guarded_run.h"
#include "session/values.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <optional>
#include <sys/resource.h>

namespace nodewise {

namespace {

struct RunOptions {
  std::string file, mark;
  int caseIndex = 0, calls = 1, timeout = 0;
  bool profile = false, values = false, guarded = false;
};

std::string valueText(const Data& data) {
  const Tensor* t = data.tensor();
  if (!t) return toJson(data).dump().substr(0, 100);
  std::string text = fmt::format("{}({})", dtypeName(t->dtype), fmt::join(t->shape, ", "));
  if (elementCount(t->shape) <= 8) text += " " + toJson(data)["data"].dump();
  return text;
}

void printProfile(const Session& session) {
  std::vector<NodeIndex> order;
  int64_t total = 0;
  for (const NodeInfo& info : session.nodes()) {
    if (session.state(info.index).runCalls > 0) order.push_back(info.index);
    if (info.parent < 0) total += session.state(info.index).runNs;
  }
  std::ranges::sort(
      order, [&](NodeIndex a, NodeIndex b) { return session.state(a).runNs > session.state(b).runNs; });
  TextTable table({"node", "what", "kind", "calls", "total", "each", "share"},
                  {false, false, false, true, true, true, true});
  for (NodeIndex n : order) {
    const NodeInfo& info = session.nodes()[static_cast<size_t>(n)];
    const NodeState s = session.state(n);
    table.add({info.path, nodeTitle(info.op, info.detail), std::string(nodeKindName(info.kind)),
               countText(s.runCalls), timeText(s.runNs), timeText(s.runNs / s.runCalls),
               fmt::format("{:.1f}%", 100.0 * static_cast<double>(s.runNs) /
                                          static_cast<double>(std::max<int64_t>(total, 1)))});
  }
  fmt::print("{}\n", table.text(60));
}

std::string statsText(const ValueStats& v) {
  std::string text =
      fmt::format("{}{}", v.dtype, v.numeric ? fmt::format("[{}]", fmt::join(v.shape, ",")) : "");
  if (v.finite > 0) text += fmt::format(" {:.4g} .. {:.4g}, mean {:.4g}", v.min, v.max, v.mean);
  if (v.nans > 0) text += fmt::format(", {} nan", countText(v.nans));
  if (v.infs > 0) text += fmt::format(", {} inf", countText(v.infs));
  return text;
}

nlohmann::json numberJson(double value) {
  return std::isfinite(value) ? nlohmann::json(value) : nlohmann::json(nullptr);
}

nlohmann::json statsJson(const std::vector<ValueStats>& values) {
  nlohmann::json out = nlohmann::json::array();
  for (const ValueStats& v : values) {
    nlohmann::json one{{"dtype", v.dtype}};
    if (v.numeric) {
      one["shape"] = v.shape;
      one["elements"] = v.elements;
      one["nan"] = v.nans;
      one["inf"] = v.infs;
      if (v.finite > 0)
        for (const auto& [name, number] : {std::pair{"min", v.min}, {"max", v.max}, {"mean", v.mean}})
          one[name] = numberJson(number);
    }
    out.push_back(std::move(one));
  }
  return out;
}

Exit showValues(const CommonOptions& common, Session& session, const std::vector<Data>& inputs) {
  Result<ValueReport> report = session.values(inputs, {});
  if (!report) return fail(report.error(), Exit::Found);
  const auto pathOf = [&](NodeIndex n) { return session.nodes()[static_cast<size_t>(n)].path; };
  if (common.json) {
    nlohmann::json nodes = nlohmann::json::array();
    for (const NodeValues& v : report->nodes)
      nodes.push_back({{"path", pathOf(v.node)},
                       {"calls", v.calls},
                       {"in", statsJson(v.in)},
                       {"out", statsJson(v.out)},
                       {"makes nan", v.makesNan},
                       {"makes inf", v.makesInf}});
    nlohmann::json out{{"version", 1}, {"nodes", std::move(nodes)}};
    if (report->firstNan) out["first nan"] = pathOf(*report->firstNan);
    if (report->firstInf) out["first inf"] = pathOf(*report->firstInf);
    if (report->error) out["error"] = report->error->text();
    fmt::print("{}\n", out.dump(1));
  } else {
    TextTable table({"", "node", "what", "value", "numbers"}, {});
    for (const NodeValues& v : report->nodes) {
      const NodeInfo& info = session.nodes()[static_cast<size_t>(v.node)];
      const char* mark = report->firstNan == v.node ? "nan" : report->firstInf == v.node ? "inf" : "";
      for (size_t k = 0; k < v.in.size(); ++k)
        table.add({"", k == 0 ? info.path : "", k == 0 ? nodeTitle(info.op, info.detail) : "",
                   fmt::format("in {}", k), statsText(v.in[k])});
      for (size_t k = 0; k < v.out.size(); ++k)
        table.add({mark, v.in.empty() && k == 0 ? info.path : "", v.in.empty() && k == 0 ? info.op : "",
                   fmt::format("out {}", k), statsText(v.out[k])});
    }
    fmt::print("{}\n", table.text(70));
    if (report->firstNan)
      fmt::print("the first nan comes from {}: its inputs have none\n", pathOf(*report->firstNan));
    if (report->firstInf)
      fmt::print("the first inf comes from {}: its inputs have none\n", pathOf(*report->firstInf));
    if (!report->firstNan && !report->firstInf) fmt::print("no node makes nan or inf\n");
  }
  return report->error ? fail(*report->error, Exit::Found) : Exit::Fine;
}

/// In a child process: what kills it is said of the node that it ran.
Exit runInChild(const CommonOptions& common, Session& session, const RunOptions& options) {
  GuardedOptions guarded;
  std::error_code ignored;
  guarded.program = std::filesystem::read_symlink("/proc/self/exe", ignored).string();
  guarded.caseIndex = options.caseIndex;
  guarded.calls = options.calls;
  guarded.timeout = std::chrono::seconds(options.timeout);
  Result<GuardedResult> result = runGuarded(session, guarded, {}, {});
  if (!result)
    return fail(result.error(), result.error().type == "Environment" ? Exit::NoEnvironment : Exit::Found);
  const std::string node =
      result->failedNode ? session.nodes()[static_cast<size_t>(*result->failedNode)].path : "";
  if (common.json) {
    nlohmann::json out{{"version", 1}, {"wall ns", result->wallNs}, {"differences", result->differences}};
    if (result->died()) out["failure"] = {{"what", result->failure}, {"path", node}};
    for (const NodeInfo& info : session.nodes())
      out["nodes"].push_back(nodeJson(info, session.state(info.index)));
    fmt::print("{}\n", out.dump(1));
  } else if (result->died()) {
    fmt::print("the run was ended: {}{}\n", result->failure, node.empty() ? "" : " in " + node);
    if (result->failedNode) fmt::print("{} {}\n", node, session.state(*result->failedNode).reason);
  } else {
    if (options.profile) printProfile(session);
    for (const std::string& d : result->differences) fmt::print("differs from the recorded case: {}\n", d);
    if (!result->raised.empty()) fmt::print("raised as recorded: {}\n", result->raised);
    fmt::print("{} output{} by a process of its own; last of {} call{}: {}\n", result->outputs,
               result->outputs == 1 ? "" : "s", options.calls, options.calls == 1 ? "" : "s",
               timeText(result->wallNs));
  }
  return result->died() || !result->differences.empty() ? Exit::Found : Exit::Fine;
}

Exit runRun(const CommonOptions& common, const RunOptions& options) {
  auto opened = Session::open(options.file, common.settings);
  if (!opened) return fail(opened.error(), Exit::Usage);
  Session& session = **opened;
  if (options.guarded || options.timeout > 0) return runInChild(common, session, options);
  std::optional<StepMark> mark;
  if (!options.mark.empty()) {
    Result<StepMark> open = StepMark::open(options.mark);
    if (!open) return fail(open.error(), Exit::NoEnvironment);
    mark.emplace(std::move(*open));
    session.watchSteps([&mark](NodeIndex node) { mark->set(node); });
    // The parent says what happened; a core file of every crash helps nobody.
    const rlimit none{0, 0};
    ::setrlimit(RLIMIT_CORE, &none);
  }
  const std::vector<Case>& cases = session.file().cases;
  std::vector<Data> inputs;
  const Case* recorded = nullptr;
  if (!cases.empty()) {
    if (options.caseIndex < 0 || static_cast<size_t>(options.caseIndex) >= cases.size())
      return fail({fmt::format("no case {}: it has {}, from 0", options.caseIndex, cases.size()),
                   options.file,
                   {},
                   {}},
                  Exit::Usage);
    recorded = &cases[static_cast<size_t>(options.caseIndex)];
    inputs = recorded->inputs;
  } else {
    Result<std::vector<Data>> invented = exampleInputs(session.file().graph);
    if (!invented) return fail(within(options.file, invented.error()), Exit::Usage);
    inputs = std::move(*invented);
    fmt::print(stderr, "nodewise: {}: no recorded case; running on invented inputs\n", options.file);
  }
  if (options.values) return showValues(common, session, inputs);
  Result<RunResult> result = session.run(inputs, options.calls, options.profile, {});
  if (!result && recorded && result.error().type == recorded->raisesType) {
    const std::string text = result.error().text();
    if (common.json)
      fmt::print("{}\n", nlohmann::json{{"version", 1},
                                        {"file", options.file},
                                        {"wall ns", 0},
                                        {"outputs", nlohmann::json::array()},
                                        {"differences", nlohmann::json::array()},
                                        {"raised", text}}
                             .dump(1));
    else
      fmt::print("raised {}, as recorded: {}\n", recorded->raisesType, text);
    return Exit::Fine;
  }
  if (!result) return fail(result.error(), Exit::Found);
  std::vector<std::string> differences;
  if (recorded && !recorded->raisesType.empty()) differences.push_back("expected " + recorded->raisesType);
  if (recorded)
    for (size_t k = 0; k < recorded->outputs.size(); ++k)
      if (std::string why = difference(result->outputs[k], recorded->outputs[k], *recorded); !why.empty())
        differences.push_back(fmt::format("output {}: {}", k, why));
  if (common.json) {
    nlohmann::json out{
        {"version", 1}, {"file", options.file}, {"wall ns", result->wallNs}, {"differences", differences}};
    for (const Data& data : result->outputs) out["outputs"].push_back(toJson(data));
    if (options.profile)
      for (const NodeInfo& info : session.nodes())
        out["nodes"].push_back(nodeJson(info, session.state(info.index)));
    fmt::print("{}\n", out.dump(1));
  } else {
    if (options.profile) printProfile(session);
    for (size_t k = 0; k < result->outputs.size(); ++k)
      fmt::print("output {}: {}\n", k, valueText(result->outputs[k]));
    for (const std::string& d : differences) fmt::print("differs from the recorded case: {}\n", d);
    if (recorded && differences.empty()) fmt::print("all outputs are as recorded\n");
    fmt::print("last of {} call{}: {}\n", options.calls, options.calls == 1 ? "" : "s",
               timeText(result->wallNs));
  }
  return differences.empty() ? Exit::Fine : Exit::Found;
}

} // namespace

void addRun(CLI::App& app, CommonOptions& common, Invocation& invocation) {
  CLI::App* command = app.add_subcommand(
      "run", "Run a recorded case of a graph, and compare with its recorded results.\n"
             "Example: nodewise run resources/samples/gaussian_process.nwg.json --profile");
  auto o = std::make_shared<RunOptions>();
  command->add_option("FILE", o->file, "Graph file")->required();
  command->add_option("--case", o->caseIndex, "Which recorded case, from 0")->type_name("N");
  command->add_option("--calls", o->calls, "How often")->check(CLI::Range(1, 1'000'000))->type_name("N");
  command->add_flag(
      "--guarded", o->guarded,
      "Run in a process of its own: a crash is said of its node, and the node's entry is quarantined");
  command->add_option("--timeout", o->timeout, "Guarded, and ended after so many seconds")
      ->check(CLI::Range(1, 1'000'000))
      ->type_name("SECONDS");
  command->add_option("--mark", o->mark, "File into which the number of each node is written before it runs")
      ->group(""); // for the parent of a guarded run
  command->add_flag("--values", o->values,
                    "Shape, least, greatest, mean, nan and inf of each node's inputs and outputs");
  command->add_flag("--profile", o->profile, "Time each node");
  command->add_flag("--json", common.json, "Machine-readable output");
  addCacheOptions(*command, common);
  addCodeOptions(*command, common);
  command->callback([&, o] {
    common.settings.command = "run";
    common.settings.recordRuns = o->mark.empty(); // else the parent does
    invocation.run = [&, o] { return runRun(common, *o); };
  });
}

} // namespace nodewise
