// nodewise cost: what a recorded run cost, by node, op or scope, and what the cache saved.
#include "cache/words.h"
#include "run_reference.h"
#include "session_json.h"
#include "text.h"

#include "session/break_even.h"
#include "session/cost_table.h"

#include <fmt/format.h>

#include <algorithm>

namespace nodewise {

namespace {

struct CostOptions {
  std::string run = "last", by = "node", sort;
  bool breakEven = false;
};

std::string cell(const CostColumn& column, int64_t value) {
  if (value == 0) return {};
  switch (column.unit) {
  case CostColumn::Unit::Time:
    return timeText(value);
  case CostColumn::Unit::Size:
    return bytesText(value);
  case CostColumn::Unit::Number:
    return countText(value);
  }
  return {};
}

std::string percent(const std::optional<double>& share) {
  return share ? fmt::format("{:.1f}%", *share * 100) : "not known";
}

nlohmann::json optionalJson(const std::optional<double>& value) {
  return value ? nlohmann::json(*value) : nlohmann::json(nullptr);
}

nlohmann::json rowJson(const CostRow& row) {
  nlohmann::json out{
      {"name", row.name}, {"nodes", row.nodes.size()}, {"lookups", row.lookups}, {"hits", row.hits}};
  if (!row.detail.empty()) out["detail"] = row.detail;
  for (const CostColumn& column : costColumns()) {
    const char* unit = column.unit == CostColumn::Unit::Time   ? " ns"
                       : column.unit == CostColumn::Unit::Size ? " bytes"
                                                               : "";
    out[fmt::format("{}{}", column.name, unit)] = column.value(row);
  }
  return out;
}

nlohmann::json evenJson(const RunRecord& record, const std::vector<BreakEven>& all) {
  nlohmann::json out = nlohmann::json::array();
  for (const BreakEven& even : all) {
    nlohmann::json levels = nlohmann::json::array(), crossings = nlohmann::json::array();
    for (const LevelMeasure& level : even.levels)
      levels.push_back({{"level", level.level},
                        {"compile ns", level.compileNs},
                        {"calls", level.calls},
                        {"each ns", level.calls > 0 ? nlohmann::json(level.eachNs) : nlohmann::json(nullptr)},
                        {"calls for compile", optionalJson(level.callsForCompile())}});
    for (const BreakEven::Crossing& c : even.crossings)
      crossings.push_back({{"from", c.from}, {"to", c.to}, {"calls", optionalJson(c.calls)}});
    out.push_back({{"path", record.nodes[even.node].path}, {"levels", levels}, {"crossings", crossings}});
  }
  return out;
}

std::string callsText(const std::optional<double>& calls) {
  return calls ? countText(static_cast<int64_t>(std::min(*calls, 9e15) + 0.5)) : "never";
}

void printBreakEven(const RunRecord& record, const std::vector<BreakEven>& all) {
  TextTable table({"node", "what", "level", "compile", "each call", "calls until run = compile",
                   "pays over the level below after"},
                  {false, false, false, true, true, true, true});
  for (const BreakEven& even : all)
    for (const LevelMeasure& level : even.levels) {
      const RunNode& node = record.nodes[even.node];
      const auto crossing = std::ranges::find(even.crossings, level.level, &BreakEven::Crossing::to);
      const bool timed = level.calls > 0;
      table.add({node.path, nodeTitle(node.op, node.label), fmt::format("O{}", level.level),
                 timeText(level.compileNs),
                 timed ? timeText(static_cast<int64_t>(level.eachNs + 0.5)) : "not run",
                 level.callsForCompile() ? callsText(level.callsForCompile()) : "",
                 crossing == even.crossings.end() ? "" : callsText(crossing->calls) + " calls"});
    }
  if (table.empty())
    fmt::print("nothing measured: compile, then `nodewise run FILE --profile`, at one level or several\n");
  else
    fmt::print("{}", table.text(50));
}

void printRates(const HitRates& rates, const RunRecord& record) {
  fmt::print("hit rate: {} by count ({} of {}), {} by compile time ({} saved, {} spent), {} by wall time{}\n",
             percent(rates.byCount()), rates.hits, rates.lookups, percent(rates.byCompileTime()),
             timeText(rates.savedNs), timeText(rates.compiledNs), percent(rates.byWallTime()),
             rates.coldRun ? fmt::format(" (run {} without a hit took {}, this one {})", rates.coldRun,
                                         timeText(rates.coldWallNs), timeText(record.run.wallNs))
                           : " (no run of this graph without a hit is recorded)");
}

Result<Exit> runCost(const CommonOptions& common, const CostOptions& o) {
  NW_TRY(Store store, openCache(common));
  NW_TRY(RunRecord record, findRun(store, o.run));
  CostGroup group = CostGroup::Node;
  for (const CostGroupRow& row : costGroupTable())
    if (row.name == o.by) group = row.group;
  CostTable table = costTable(record, group);
  for (const CostColumn& column : costColumns())
    if (column.name == o.sort)
      std::ranges::stable_sort(table.rows, std::greater{}, [&](const CostRow& r) { return column.value(r); });
  NW_TRY(std::optional<RunRow> cold, coldRunOf(store, record.run));
  const HitRates rates = hitRates(record, cold);
  std::vector<BreakEven> even;
  if (o.breakEven) {
    NW_TRY(std::vector<LevelCost> costs, levelCosts(store, structuresOf(record)));
    even = breakEven(record, costs);
  }
  if (common.json) {
    nlohmann::json rows = nlohmann::json::array();
    for (const CostRow& row : table.rows) rows.push_back(rowJson(row));
    nlohmann::json out{{"version", 1},
                       {"run", record.run.id},
                       {"by", o.by},
                       {"rows", std::move(rows)},
                       {"total", rowJson(table.total)},
                       {"hit rate",
                        {{"count", optionalJson(rates.byCount())},
                         {"compile time", optionalJson(rates.byCompileTime())},
                         {"wall time", optionalJson(rates.byWallTime())},
                         {"cold run", rates.coldRun}}}};
    if (o.breakEven) out["break-even"] = evenJson(record, even);
    fmt::print("{}\n", out.dump(1));
    return Exit::Fine;
  }
  if (o.breakEven) {
    printBreakEven(record, even);
    return Exit::Fine;
  }
  std::vector<std::string> heading{o.by, "what"};
  std::vector<bool> right{false, false};
  for (const CostColumn& column : costColumns()) {
    heading.emplace_back(column.name);
    right.push_back(true);
  }
  TextTable text(heading, right);
  const auto addRow = [&](const CostRow& row) {
    std::vector<std::string> cells{row.name, row.detail};
    for (const CostColumn& column : costColumns()) cells.push_back(cell(column, column.value(row)));
    text.add(std::move(cells));
  };
  for (const CostRow& row : table.rows) addRow(row);
  addRow(table.total);
  fmt::print("{}\nrun {}: wall {}\n", text.text(40), record.run.id, timeText(record.run.wallNs));
  printRates(rates, record);
  return Exit::Fine;
}

} // namespace

void addCost(CLI::App& app, CommonOptions& common, Invocation& invocation) {
  CLI::App* command = app.add_subcommand(
      "cost",
      "What a recorded run cost, phase by phase, with totals that add up; hit rates, and what the cache "
      "saved.\nExample: nodewise cost last --by op --sort all");
  auto o = std::make_shared<CostOptions>();
  command->add_option("RUN", o->run, kRunHelp);
  std::vector<std::string> groups, columns;
  for (const CostGroupRow& row : costGroupTable()) groups.emplace_back(row.name);
  for (const CostColumn& column : costColumns()) columns.emplace_back(column.name);
  command->add_option("--by", o->by, "Rows: node, op or scope")
      ->check(CLI::IsMember(groups))
      ->type_name("WHAT");
  command->add_option("--sort", o->sort, "Column to sort by, most first")
      ->check(CLI::IsMember(columns))
      ->type_name("COLUMN");
  command->add_flag("--break-even", o->breakEven,
                    "After how many calls a node's compile pays, at each level that was measured");
  command->add_flag("--json", common.json, "Machine-readable output");
  addCacheOptions(*command, common);
  command->callback([&, o] {
    invocation.run = [&, o] {
      Result<Exit> exit = runCost(common, *o);
      return exit ? *exit : fail(exit.error(), exitOf(exit.error()));
    };
  });
}

} // namespace nodewise
