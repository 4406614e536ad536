// nodewise sample: a graph of any size, to try things out and to measure on.
#include "command.h"

#include "graph/generate.h"
#include "graph/writer.h"

#include <fmt/format.h>

namespace nodewise {

namespace {

struct SampleOptions {
  int nodes = 100;
  uint64_t seed = 1;
  std::string output;
};

Exit runSample(const SampleOptions& options, bool json) {
  const GraphFile file = generateNetwork(options.nodes, options.seed);
  if (options.output.empty()) {
    fmt::print("{}\n", toJson(file).dump());
    return Exit::Fine;
  }
  if (auto written = writeGraphFile(file, options.output); !written.ok())
    return fail(written.error(), Exit::NoEnvironment);
  if (json)
    fmt::print("{}\n", nlohmann::json{{"version", 1},
                                      {"file", options.output},
                                      {"nodes", file.graph.nodes.size()},
                                      {"values", file.graph.values.size()}}
                           .dump());
  else
    fmt::print("wrote {}: {} nodes\n", options.output, file.graph.nodes.size());
  return Exit::Fine;
}

} // namespace

void addSample(CLI::App& app, CommonOptions& common, Invocation& invocation) {
  CLI::App* command = app.add_subcommand(
      "sample", "Write a layered network with scopes, repeated blocks and inner graphs, which can be run.\n"
                "Example: nodewise sample --nodes 2000 -o network.nwg.json");
  auto o = std::make_shared<SampleOptions>();
  command->add_option("--nodes", o->nodes, "Nodes of the outer graph")
      ->check(CLI::Range(0, 1'000'000))
      ->type_name("N");
  command->add_option("--seed", o->seed, "Another number, another network")->type_name("N");
  command->add_option("-o,--output", o->output, "File to write (default: standard output)")
      ->type_name("FILE");
  command->add_flag("--json", common.json, "Machine-readable output");
  command->callback([&, o] { invocation.run = [&, o] { return runSample(*o, common.json); }; });
}

} // namespace nodewise
