// nodewise explain: why a node hits or misses, from its key alone.
#include "cache/words.h"
#include "command.h"
#include "node_reference.h"
#include "session_json.h"
#include "text.h"

#include "jit/host.h"
#include "session/cascade.h"
#include "session/passes.h"
#include "session/what_if.h"

#include <fmt/format.h>

namespace nodewise {

namespace {

struct ExplainOptions {
  std::string file, node, cpu, features, llvm;
  std::vector<std::string> versions;
  int level = -1;
  bool code = false, passes = false, everyPass = false;
};

void printOne(const NodeInfo& info, const Explanation& e) {
  const OutcomeRow& row = outcomeRow(e.answer.outcome);
  fmt::print("{}  {}\n{} {}{}{}\n", nodeTitle(info.op, info.detail), info.path, row.letter, row.name,
             e.answer.reason.empty() ? "" : ": ", e.answer.reason);
  if (e.answer.nearest)
    fmt::print("nearest entry {}, {}\n", e.answer.nearest->shortHex(), ageText(e.answer.nearestCreatedUnix));
  fmt::print("key {}\n\n", e.key.hash.hex());
  TextTable table({"", "part", "now", "nearest entry"}, {});
  auto differs = [&](const std::string& name) -> const PartDiff* {
    for (const PartDiff& d : e.differences)
      if (d.name == name) return &d;
    return nullptr;
  };
  for (const KeyPart& part : e.key.parts) {
    const PartDiff* d = differs(part.name);
    table.add({d ? "≠" : e.nearestParts.empty() ? "" : "=", part.name, part.value, d ? d->oldValue : ""});
  }
  for (const PartDiff& d : e.differences)
    if (d.newValue.empty()) table.add({"≠", d.name, "", d.oldValue});
  fmt::print("{}", table.text(100));
}

nlohmann::json causesJson(const std::vector<CascadeItem>& items, const Session& session) {
  nlohmann::json out = nlohmann::json::array();
  for (const CascadeItem& item : items) {
    nlohmann::json one{
        {"text", item.text}, {"parent", item.parent}, {"nodes", item.nodes}, {"recorded ns", item.costNs}};
    if (item.node) one["path"] = session.nodes()[static_cast<size_t>(*item.node)].path;
    out.push_back(std::move(one));
  }
  return out;
}

/// Causes with what follows from each; of many followers the dearest.
void printCauses(const std::vector<CascadeItem>& items) {
  constexpr int kShownBelow = 8;
  fmt::print("\nroot causes (nodes that miss; compile time as recorded):\n");
  std::vector<int> depth(items.size(), 0), shown(items.size(), 0);
  for (size_t i = 0; i < items.size(); ++i) {
    const CascadeItem& item = items[i];
    if (item.parent >= 0) {
      const auto parent = static_cast<size_t>(item.parent);
      depth[i] = depth[parent] + 1;
      shown[i] = shown[parent] == -1 ? -1 : 0;
      if (shown[parent] == -1) continue;
      if (shown[parent]++ >= kShownBelow) {
        if (shown[parent] == kShownBelow + 1)
          fmt::print("{:>{}}... and {} more\n", "", 2 * depth[i] + 2,
                     static_cast<int>(items[parent].children.size()) - kShownBelow);
        shown[i] = -1;
        continue;
      }
    }
    fmt::print("{:>{}}{}{}{}  ({} node{}, {})\n", "", 2 * depth[i] + 2, item.text,
               item.path.empty() ? "" : "  ", item.path, item.nodes, item.nodes == 1 ? "" : "s",
               item.costNs > 0 ? timeText(item.costNs) : "no cost of its own");
  }
}

Exit explainAll(const CommonOptions& common, Session& session, const Pretend& pretend) {
  nlohmann::json all = nlohmann::json::array();
  TextTable table({"", "node", "what", "outcome", "reason"}, {});
  int64_t counts[8] = {};
  std::vector<ExplainedNode> explained;
  FirstOfKey first; // equal nodes are compiled once
  for (const NodeInfo& info : session.nodes()) {
    const std::string what = nodeTitle(info.op, info.detail);
    if (info.kind != NodeKind::Kernel) {
      if (common.json) all.push_back(nodeJson(info, {}));
      if (info.kind == NodeKind::Unsupported) table.add({"x", info.path, what, "unsupported", info.reason});
      continue;
    }
    Result<Explanation> e = session.explain(info.index, pretend);
    if (!e) return fail(e.error(), Exit::NoEnvironment);
    const OutcomeRow& row = outcomeRow(e->answer.outcome);
    ++counts[static_cast<size_t>(row.outcome)];
    if (common.json) all.push_back(explanationJson(info, *e));
    table.add({std::string(1, row.letter), info.path, what, std::string(row.name), e->answer.reason});
    const std::optional<NodeIndex> sameAs = first.of(e->key.hash, info.index);
    explained.push_back({info.index, e->answer.outcome, e->answer.reason, std::move(e->differences),
                         sameAs ? 0 : e->nearestCompileNs, sameAs});
  }
  const std::vector<CascadeItem> causes = cascade(session.nodes(), explained);
  int64_t misses = 0, cost = 0;
  for (const CascadeItem& item : causes)
    if (item.parent < 0) {
      misses += item.nodes;
      cost += item.costNs;
    }
  if (common.json) {
    fmt::print("{}\n", nlohmann::json{{"version", 1},
                                      {"file", session.file().path},
                                      {"nodes", std::move(all)},
                                      {"causes", causesJson(causes, session)},
                                      {"would miss", misses},
                                      {"recorded ns", cost}}
                           .dump(1));
    return Exit::Fine;
  }
  fmt::print("{}", table.text(90));
  std::string line;
  for (const OutcomeRow& row : outcomeTable())
    if (const int64_t n = counts[static_cast<size_t>(row.outcome)])
      line += fmt::format("{}{} {}", line.empty() ? "" : ", ", n, row.name);
  fmt::print("{}{}\n",
             line.empty()         ? "no kernel nodes"
             : pretend.anything() ? "as pretended: "
                                  : "looked up now: ",
             line);
  if (misses > 0) {
    fmt::print("compiling what misses took {} when it was recorded (nearest entries, not measured now)\n",
               cost > 0 ? timeText(cost) : "an unknown time");
    printCauses(causes);
  }
  return Exit::Fine;
}

Exit showPasses(const CommonOptions& common, Session& session, NodeIndex node, bool all) {
  Result<NodePasses> passes = session.passes(node);
  if (!passes) return fail(passes.error(), Exit::Found);
  if (common.json) {
    nlohmann::json list = nlohmann::json::array(), code = nlohmann::json::array();
    for (const PassRecord& pass : passes->passes)
      list.push_back({{"pass", pass.name},
                      {"ns", pass.ns},
                      {"changed", pass.changed},
                      {"lines before", linesOf(pass.irBefore)},
                      {"lines after", linesOf(pass.irAfter)}});
    for (const InstructionCost& c : passes->costs.instructions)
      code.push_back({{"line", c.line},
                      {"latency", c.latency},
                      {"cycles each", c.throughput},
                      {"micro-ops", c.microOps}});
    fmt::print("{}\n", nlohmann::json{{"version", 1},
                                      {"build ns", passes->buildNs},
                                      {"passes", list},
                                      {"code generation ns", passes->codegenNs},
                                      {"instructions", code}}
                           .dump(1));
    return Exit::Fine;
  }
  TextTable table({"pass", "time", "changed", "lines of IR"}, {false, true, false, true});
  int64_t sum = 0, hidden = 0;
  for (const PassRecord& pass : passes->passes) {
    sum += pass.ns;
    hidden += !pass.changed;
    if (!pass.changed && !all) continue;
    const int64_t before = linesOf(pass.irBefore), after = linesOf(pass.irAfter);
    table.add({pass.name, timeText(pass.ns), pass.changed ? "changed" : "",
               before == after ? std::to_string(after) : fmt::format("{} -> {}", before, after)});
  }
  table.add({"code generation", timeText(passes->codegenNs), "", ""});
  fmt::print("{}\nbuild IR {}, IR passes {} ({}), code generation {}\n", table.text(60),
             timeText(passes->buildNs), timeText(sum),
             all ? fmt::format("{} in all", passes->passes.size())
                 : fmt::format("{} that changed nothing are not listed; --all lists them", hidden),
             timeText(passes->codegenNs));
  return Exit::Fine;
}

Exit runExplain(CommonOptions& common, const ExplainOptions& o) {
  const SessionSettings& settings = common.settings;
  Pretend pretend;
  for (const std::string& text : o.versions) {
    const size_t equals = text.find('=');
    const std::string number = equals == std::string::npos ? "" : text.substr(equals + 1);
    if (number.empty() || number.size() > 6 || number.find_first_not_of("0123456789") != std::string::npos)
      return fail({fmt::format("\"{}\" is not OP=VERSION", text),
                   "--pretend-version",
                   "as in --pretend-version exp=2",
                   {}},
                  Exit::Usage);
    pretend.versions[text.substr(0, equals)] = std::stoi(number);
  }
  if (!o.llvm.empty()) pretend.llvmVersion = o.llvm;
  if (o.level >= 0) pretend.optLevel = o.level;
  if (!o.cpu.empty() || !o.features.empty()) {
    TargetSpec target = hostTarget();
    if (!o.cpu.empty()) target.cpu = o.cpu;
    if (!o.features.empty()) target.features = o.features;
    pretend.target = target;
  }
  if (const auto known = checkPretend(pretend); !known.ok()) return fail(known.error(), Exit::Usage);
  auto opened = Session::open(o.file, settings);
  if (!opened) return fail(opened.error(), Exit::Usage);
  Session& session = **opened;
  if (o.node.empty()) return explainAll(common, session, pretend);
  Result<NodeIndex> node = findNode(session, o.node);
  if (!node) return fail(node.error(), Exit::Usage);
  const NodeInfo& info = session.nodes()[static_cast<size_t>(*node)];
  if (info.kind != NodeKind::Kernel) {
    fmt::print("{}  {}\n{}: nothing to compile, so it has no key{}\n", nodeTitle(info.op, info.detail),
               info.path, nodeKindName(info.kind), info.reason.empty() ? "" : ": " + info.reason);
    return Exit::Fine;
  }
  Result<Explanation> e = session.explain(*node, pretend);
  if (!e) return fail(e.error(), Exit::NoEnvironment);
  if (common.json)
    fmt::print("{}\n", explanationJson(info, *e).dump(1));
  else
    printOne(info, *e);
  if (o.passes) return showPasses(common, session, *node, o.everyPass);
  if (o.code) {
    Result<NodeCode> code = session.code(*node);
    if (!code) return fail(code.error(), Exit::Found);
    Result<AssemblyCosts> costs = instructionCosts(code->assembly, hostTarget());
    if (!costs) return fail(costs.error(), Exit::Found);
    fmt::print("\n; IR as emitted\n{}\n; optimised IR\n{}\n# assembly\n{}", code->ir, code->optimisedIr,
               annotatedAssembly(code->assembly, *costs));
  }
  return Exit::Fine;
}

} // namespace

void addExplain(CLI::App& app, CommonOptions& common, Invocation& invocation) {
  CLI::App* command = app.add_subcommand(
      "explain", "Say why nodes would hit or miss now, and what differs from the nearest entry.\n"
                 "Compiles nothing and changes nothing.\n"
                 "Example: nodewise explain resources/samples/hierarchical_normal.nwg.json 0 --level 3");
  auto o = std::make_shared<ExplainOptions>();
  command->add_option("FILE", o->file, "Graph file")->required();
  command->add_option("NODE", o->node, "Position, path or name of one node: all parts of its key");
  command->add_option("--pretend-cpu", o->cpu, "As if on this CPU")->type_name("NAME");
  command->add_option("--pretend-features", o->features, "As if with these CPU features, as +avx2,+fma")
      ->type_name("LIST");
  command->add_option("--pretend-llvm", o->llvm, "As if with this LLVM version")->type_name("VERSION");
  command->add_option("--pretend-version", o->versions, "As if an op or scalar op had this version, as exp=2")
      ->type_name("OP=N");
  command->add_option("--pretend-level", o->level, "As if at this optimisation level")
      ->check(CLI::Range(0, 3))
      ->type_name("N");
  command->add_flag("--code", o->code,
                    "Also print IR and assembly of the node, with what each instruction costs");
  command->add_flag("--passes", o->passes, "Of one node: time of each LLVM pass, and what it changed");
  command->add_flag("--all", o->everyPass, "With --passes: also passes that changed nothing");
  command->add_flag("--json", common.json, "Machine-readable output");
  addCacheOptions(*command, common);
  addCodeOptions(*command, common);
  command->callback([&, o] {
    common.settings.command = "explain";
    invocation.run = [&, o] { return runExplain(common, *o); };
  });
}

} // namespace nodewise
