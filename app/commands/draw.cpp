// nodewise draw: the graph as a picture, as the window shows it.
#include "command.h"

#include "base/units.h"
#include "ui/graph/draw_file.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace nodewise {

namespace {

Exit runDraw(const CommonOptions& common, const ui::DrawRequest& request) {
  auto drawn = ui::drawFile(request, common.settings);
  if (!drawn.ok()) {
    // What has a type is the environment's fault: files that cannot be written.
    return fail(drawn.error(), drawn.error().type == "Environment" ? Exit::NoEnvironment : Exit::Usage);
  }
  for (const std::string& notice : drawn->notices) fmt::print(stderr, "nodewise: {}\n", notice);
  if (common.json) {
    nlohmann::json json{{"version", 1},
                        {"file", request.output},
                        {"boxes", drawn->boxes},
                        {"edges", drawn->edges},
                        {"legend", drawn->legend}};
    if (drawn->found) json["found"] = *drawn->found;
    if (request.edgeWidth == "bytes") {
      json["edge_widths"] = nlohmann::json::array();
      for (const auto& [bytes, width] : drawn->edgeWidths)
        json["edge_widths"].push_back({{"bytes", bytes}, {"pixels", width}});
      json["unknown_edges"] = drawn->unknownEdges;
    }
    fmt::print("{}\n", json.dump());
    return Exit::Fine;
  }
  fmt::print("wrote {}: {} boxes, {} edges\n", request.output, drawn->boxes, drawn->edges);
  if (drawn->found) fmt::print("  {} found; the others are dimmed\n", units::counted(*drawn->found, "node"));
  for (const auto& [bytes, width] : drawn->edgeWidths)
    fmt::print("  edge width {:.1f} px: {}\n", width, units::bytes(bytes));
  if (drawn->unknownEdges > 0)
    fmt::print("  thin and dashed: {} of unknown size\n", units::counted(drawn->unknownEdges, "edge"));
  return Exit::Fine;
}

} // namespace

void addDraw(CLI::App& app, CommonOptions& common, Invocation& invocation) {
  CLI::App* command = app.add_subcommand(
      "draw", "Draw a graph as SVG, PDF, PNG or DOT, coloured by what the cache says now.\n"
              "Example: nodewise draw resources/samples/kalman_filter.nwg.json -o out.svg "
              "--color cost");
  auto request = std::make_shared<ui::DrawRequest>();
  command->add_option("FILE", request->file, "Graph file")->required();
  command->add_option("-o,--output", request->output, "File to write; its ending is the format")
      ->type_name("FILE");
  command->add_option("--color,--colour", request->colour, "What nodes are coloured by")
      ->check(CLI::IsMember(ui::drawColours()))
      ->type_name("WHAT");
  command
      ->add_option("--edge-width", request->edgeWidth,
                   "bytes: edges are as wide as what goes along them, on a log scale")
      ->check(CLI::IsMember({"alike", "bytes"}))
      ->type_name("WHAT");
  command->add_option("--find", request->find, "Dim all nodes but those that a query finds")
      ->type_name("QUERY");
  command->add_flag("--open", request->openAll, "Open all groups and inner graphs");
  command->add_flag("--dark", request->dark, "On a dark ground");
  command->add_flag("--json", common.json, "Machine-readable output");
  addCacheOptions(*command, common);
  addCodeOptions(*command, common);
  command->callback([&, request] { invocation.run = [&, request] { return runDraw(common, *request); }; });
}

} // namespace nodewise
