// nodewise compile: look up and compile every node of a graph.
#include "cache/words.h"
#include "command.h"
#include "node_reference.h"
#include "session_json.h"
#include "text.h"

#include <fmt/format.h>

namespace nodewise {

namespace {

void printSummary(const Session& session, const CompileSummary& s, bool all) {
  TextTable table({"", "node", "what", "outcome", "compile", "size", "reason"},
                  {false, false, false, false, true, true, false});
  for (const NodeInfo& info : session.nodes()) {
    const NodeState state = session.state(info.index);
    if (!state.outcome) continue;
    if (!all && *state.outcome == Outcome::Hit) continue;
    const OutcomeRow& row = outcomeRow(*state.outcome);
    const int64_t ns = state.phases.compile();
    table.add({std::string(1, row.letter), info.path, nodeTitle(info.op, info.detail), std::string(row.name),
               ns ? timeText(ns) : "", bytesText(state.objectBytes), state.reason});
  }
  if (!table.empty()) fmt::print("{}\n", table.text(70));
  fmt::print("{} kernel nodes: {} hit, {} miss, {} stale, {} uncacheable, {} failed, {} lookup errors; {} "
             "view, {} prebuilt, {} unsupported\n",
             s.nodes, s.hits, s.misses, s.stale, s.uncacheable, s.failed, s.lookupErrors, s.views, s.prebuilt,
             s.unsupported);
  fmt::print("{} in all: lookup {}, build IR {}, optimise {}, emit {}, link {}, store {} (sums over nodes); "
             "{} contents compiled, {} saved by the cache\n",
             timeText(s.wallNs), timeText(s.phases.lookup), timeText(s.phases.build),
             timeText(s.phases.optimise), timeText(s.phases.emit), timeText(s.phases.link),
             timeText(s.phases.store), s.compiled, timeText(s.savedNs));
}

struct CompileOptions {
  std::string file;
  std::vector<std::string> nodes;
  bool ignoreCache = false, all = false;
};

Result<CompileRequest> requestOf(const Session& session, const CompileOptions& o) {
  CompileRequest request;
  request.ignoreCache = o.ignoreCache;
  for (const std::string& text : o.nodes) {
    NW_TRY(const NodeIndex node, findNode(session, text));
    const NodeInfo& info = session.nodes()[static_cast<size_t>(node)];
    if (info.kind != NodeKind::Kernel)
      return Error{fmt::format("node \"{}\" has nothing to compile: it is {}", text, nodeKindName(info.kind)),
                   session.file().path, "name a kernel node; `nodewise explain FILE` lists them", ""};
    request.nodes.push_back(node);
  }
  return request;
}

Exit runCompile(const CommonOptions& common, const CompileOptions& o) {
  auto session = Session::open(o.file, common.settings);
  if (!session) return fail(session.error(), Exit::Usage);
  Result<CompileRequest> request = requestOf(**session, o);
  if (!request) return fail(request.error(), Exit::Usage);
  Result<CompileSummary> summary = (*session)->compile(*request, {}, {});
  if (!summary) return fail(summary.error(), Exit::Found);
  for (const std::string& warning : summary->warnings) fmt::print(stderr, "nodewise: {}\n", warning);
  if (common.json)
    fmt::print("{}\n", compileJson(**session, *summary).dump(1));
  else
    printSummary(**session, *summary, o.all || !o.nodes.empty());
  return summary->failed > 0 ? Exit::Found : Exit::Fine;
}

} // namespace

void addCompile(CLI::App& app, CommonOptions& common, Invocation& invocation) {
  CLI::App* command = app.add_subcommand(
      "compile", "Look every node of a graph up in the cache, and compile what is missing.\n"
                 "Example: nodewise compile resources/samples/hierarchical_normal.nwg.json\n"
                 "Example: nodewise compile resources/samples/hierarchical_normal.nwg.json --node 3");
  auto o = std::make_shared<CompileOptions>();
  command->add_option("FILE", o->file, "Graph file")->required();
  command->add_option("--node", o->nodes, std::string(kNodeHelp) + ": only this one (may be repeated)")
      ->type_name("NODE");
  command->add_flag("--recompile", o->ignoreCache, "Compile again even what would hit");
  command->add_flag("--all", o->all, "List hits too");
  command->add_flag("--json", common.json, "Machine-readable output");
  addCacheOptions(*command, common);
  addCodeOptions(*command, common);
  command->callback([&, o] {
    common.settings.command = "compile";
    invocation.run = [&, o] { return runCompile(common, *o); };
  });
}

} // namespace nodewise
