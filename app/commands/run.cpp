// nodewise run: run a recorded case (or invented inputs) of a graph.
#include "command.h"
#include "session_json.h"
#include "text.h"

#include "graph/generate.h"
#include "graph/writer.h"
#include "session/compare.h"

#include <fmt/format.h>

#include <algorithm>

namespace nodewise {

namespace {

struct RunOptions {
  std::string file;
  int caseIndex = 0, calls = 1;
  bool profile = false;
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
    table.add({info.path, fmt::format("{} {}", info.op, info.detail), std::string(nodeKindName(info.kind)),
               countText(s.runCalls), timeText(s.runNs), timeText(s.runNs / s.runCalls),
               fmt::format("{:.1f}%", 100.0 * static_cast<double>(s.runNs) /
                                          static_cast<double>(std::max<int64_t>(total, 1)))});
  }
  fmt::print("{}\n", table.text(60));
}

Exit runRun(const CommonOptions& common, const RunOptions& options) {
  auto opened = Session::open(options.file, common.settings);
  if (!opened) return fail(opened.error(), Exit::Usage);
  Session& session = **opened;
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
  Result<RunResult> result = session.run(inputs, options.calls, options.profile, {});
  if (!result && recorded && result.error().type == recorded->raisesType) {
    fmt::print("raised {}, as recorded: {}\n", recorded->raisesType, result.error().text());
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
  command->add_flag("--profile", o->profile, "Time each node");
  command->add_flag("--json", common.json, "Machine-readable output");
  addCacheOptions(*command, common);
  addCodeOptions(*command, common);
  command->callback([&, o] {
    common.settings.command = "run";
    invocation.run = [&, o] { return runRun(common, *o); };
  });
}

} // namespace nodewise
