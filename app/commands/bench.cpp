// nodewise bench: speeds as ratios taken in one run, and the limits they have to keep.
#include "bench/rows.h"
#include "command.h"
#include "text.h"

#include <fmt/format.h>

namespace nodewise {

namespace {

using bench::BenchRow;

/// What is measured, by the option that asks for it; "" without one.
struct Group {
  std::string_view option;
  std::function<Result<std::vector<BenchRow>>()> rows;
};

Exit runBench(bool json, bool limitsOnly, std::string_view option, const std::string& only) {
  const Group groups[] = {{"", bench::engineRows},
                          {"", bench::kernelRows},
                          {"", bench::storeRows},
                          {"", bench::startRows},
                          {"ops", [&] { return bench::opRows(only); }},
                          {"ui", bench::uiRows}};
  std::vector<BenchRow> rows;
  for (const Group& group : groups) {
    if (group.option != option) continue;
    Result<std::vector<BenchRow>> part = group.rows();
    if (!part) return fail(part.error(), Exit::NoEnvironment);
    rows.insert(rows.end(), part->begin(), part->end());
  }
  bool over = false;
  nlohmann::json out = nlohmann::json::array();
  TextTable table({"what", "value", "", "limit", "", "measured on"},
                  {false, true, false, true, false, false});
  for (const BenchRow& row : rows) {
    const bool limited = row.atMost || row.atLeast;
    if (limitsOnly && !limited) continue;
    over = over || !row.within();
    nlohmann::json one{{"name", row.name}, {"value", row.value}, {"unit", row.unit}, {"note", row.note}};
    if (row.atMost) one["at most"] = *row.atMost;
    if (row.atLeast) one["at least"] = *row.atLeast;
    if (limited) one["within"] = row.within();
    out.push_back(std::move(one));
    const std::string limit = row.atMost                        ? fmt::format("≤ {:g}", *row.atMost)
                              : row.atLeast && *row.atLeast > 0 ? fmt::format("≥ {:g}", *row.atLeast)
                                                                : "";
    table.add({row.name, fmt::format("{:.3g}", row.value), row.unit, limit,
               limit.empty()  ? ""
               : row.within() ? "within"
                              : "OVER",
               row.note});
  }
  if (json)
    fmt::print("{}\n", nlohmann::json{{"version", 1}, {"rows", out}, {"within", !over}}.dump(1));
  else
    fmt::print("{}", table.text(90));
  return limitsOnly && over ? Exit::Found : Exit::Fine;
}

} // namespace

void addBench(CLI::App& app, CommonOptions& common, Invocation& invocation) {
  CLI::App* command = app.add_subcommand(
      "bench",
      "Measure this build on this machine: costs a node, and kernels as ratios to hand-written loops.\n"
      "Example: nodewise bench --limits");
  auto limits = std::make_shared<bool>(false);
  command->add_flag("--limits", *limits, "Only rows with a limit; exit 1 if one is over");
  auto ops = std::make_shared<bool>(false);
  command->add_flag("--ops", *ops, "Each family of ops, at sizes 10 to 10^7, instead");
  auto window = std::make_shared<bool>(false);
  command->add_flag("--ui", *window, "The window instead: opening, moving, cancelling; needs no display");
  auto only = std::make_shared<std::string>();
  command->add_option("--only", *only, "With --ops: families whose name contains this");
  command->add_flag("--json", common.json, "Machine-readable output");
  command->callback([&, limits, ops, window, only] {
    invocation.run = [&, limits, ops, window, only] {
      return runBench(common.json, *limits, *ops ? "ops" : *window ? "ui" : "", *only);
    };
  });
}

} // namespace nodewise
