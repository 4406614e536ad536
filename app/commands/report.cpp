// nodewise report: a run as one HTML file.
#include "command.h"
#include "dot_process.h"
#include "run_reference.h"

#include "base/file.h"
#include "graph/dot.h"
#include "graph/generate.h"
#include "session/report.h"
#include "session/run_of_graph.h"

#include <fmt/format.h>

#include <filesystem>

namespace nodewise {

namespace {

/// dot needs seconds for a thousand nodes and minutes for some thousands.
constexpr size_t kMostDrawn = 1000;

std::string drawn(const Session& session, const RunRecord& record, std::string& note) {
  const Graph& graph = session.file().graph;
  if (graph.nodes.size() > kMostDrawn) {
    note = fmt::format("{} nodes are too many to draw in one picture; the window shows them in groups.",
                       graph.nodes.size());
    return {};
  }
  const std::vector<NodeState> states = recordedStates(record, session.nodes());
  DotOptions options;
  options.nodeAttributes = [&](size_t n) {
    const NodeInfo& info = session.nodes()[n]; // the outer graph's nodes come first
    return fmt::format("style=filled, fillcolor=\"{}\"", statusColour(info, states[n]));
  };
  Result<std::string> svg = drawWithDot(toDot(graph, options), 60);
  if (svg) return *svg;
  note = "No drawing: " + svg.error().text();
  return {};
}

Exit write(const std::string& output, const std::string& html) {
  std::error_code ignored;
  std::filesystem::create_directories(std::filesystem::path(output).parent_path(), ignored);
  if (Result<void> written = writeFile(output, html); !written)
    return fail(written.error(), Exit::NoEnvironment);
  fmt::print("wrote {}\n", output);
  return Exit::Fine;
}

Exit runReport(const CommonOptions& common, const std::string& file, const std::string& output) {
  auto opened = Session::open(file, common.settings);
  if (!opened) return fail(opened.error(), Exit::Usage);
  Session& session = **opened;
  ReportParts parts;
  // Before the compile: afterwards everything hits.
  if (common.settings.useCache)
    if (Result<std::vector<ExplainedNode>> explained = explainNodes(session, {}); explained)
      parts.causes = cascade(session.nodes(), *explained);
  Result<CompileSummary> summary = session.compile({}, {}, {});
  if (!summary) return fail(summary.error(), Exit::Found);
  parts.warnings = summary->warnings;
  if (session.whyNotRunnable().empty()) {
    const auto& cases = session.file().cases;
    Result<std::vector<Data>> inputs =
        cases.empty() ? exampleInputs(session.file().graph) : Result<std::vector<Data>>(cases[0].inputs);
    if (inputs) {
      Result<RunResult> run = session.run(*inputs, 20, true, {});
      if (!run) parts.warnings.push_back("the run failed: " + run.error().text());
    }
  }
  const RunRecord record = session.record();
  parts.svg = drawn(session, record, parts.svgNote);
  addGraphParts(session, parts);
  std::optional<RunRow> cold;
  if (common.settings.useCache)
    if (Result<Store> store = openCache(common); store)
      if (Result<std::optional<RunRow>> found = coldRunOf(*store, record.run); found) cold = *found;
  parts.rates = hitRates(record, cold);
  return write(output, htmlReport(record, parts));
}

/// What the run's graph file adds, where it is still the graph that was run.
void addFromFile(const CommonOptions& common, Store& store, const RunRecord& record, ReportParts& parts) {
  auto opened = Session::open(record.run.file, common.settings);
  if (!opened || !isRunOf(record, (*opened)->nodes())) {
    parts.svgNote = opened ? "No drawing: " + record.run.file + " is another graph now."
                           : "No drawing: " + opened.error().text();
    return;
  }
  const Session& session = **opened;
  parts.svg = drawn(session, record, parts.svgNote);
  addGraphParts(session, parts);
  if (auto explained = explainRun(store, record); explained.ok())
    parts.causes = cascade(session.nodes(), *explained);
}

/// Of a recorded run: what the cache keeps of it, and its graph if that has not changed since.
Exit reportRun(const CommonOptions& common, const std::string& run, const std::string& output) {
  Result<Store> store = openCache(common);
  if (!store) return fail(store.error(), Exit::NoEnvironment);
  Result<RunRecord> record = findRun(*store, run);
  if (!record) return fail(record.error(), exitOf(record.error()));
  ReportParts parts;
  addFromFile(common, *store, *record, parts);
  Result<std::optional<RunRow>> cold = coldRunOf(*store, record->run);
  parts.rates = hitRates(*record, cold ? *cold : std::nullopt);
  return write(output, htmlReport(*record, parts));
}

} // namespace

void addReport(CLI::App& app, CommonOptions& common, Invocation& invocation) {
  CLI::App* command = app.add_subcommand(
      "report",
      "Compile and run a graph, and write what happened as one HTML file; or write a recorded run.\n"
      "Example: nodewise report resources/samples/hierarchical_normal.nwg.json -o report.html\n"
      "Example: nodewise report --run last -o report.html");
  struct Options {
    std::string file, run, output = "report.html";
  };
  auto o = std::make_shared<Options>();
  CLI::Option* file = command->add_option("FILE", o->file, "Graph file");
  command->add_option("--run", o->run, kRunHelp)->type_name("RUN")->excludes(file);
  command->add_option("-o,--output", o->output, "File to write")->type_name("FILE");
  addCacheOptions(*command, common);
  addCodeOptions(*command, common);
  command->callback([&, o] {
    if (o->file.empty() && o->run.empty()) throw CLI::RequiredError("FILE or --run");
    common.settings.command = "report";
    invocation.run = [&, o] {
      return o->run.empty() ? runReport(common, o->file, o->output) : reportRun(common, o->run, o->output);
    };
  });
}

} // namespace nodewise
