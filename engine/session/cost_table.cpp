#include "session/cost_table.h"

#include "cache/words.h"

#include <map>

namespace nodewise {

namespace {

constexpr CostGroupRow kGroups[] = {
    {CostGroup::Node, "node"}, {CostGroup::Op, "op"}, {CostGroup::Scope, "scope"}};

using Unit = CostColumn::Unit;
constexpr CostColumn kColumns[] = {
    {"lookup", "asking the cache, and checking what it gave",
     [](const CostRow& r) { return r.phases.lookup; }, Unit::Time, true},
    {"build", "writing LLVM IR", [](const CostRow& r) { return r.phases.build; }, Unit::Time, true},
    {"optimise", "LLVM's passes over the IR", [](const CostRow& r) { return r.phases.optimise; }, Unit::Time,
     true},
    {"emit", "from IR to machine code", [](const CostRow& r) { return r.phases.emit; }, Unit::Time, true},
    {"link", "from object code to an address", [](const CostRow& r) { return r.phases.link; }, Unit::Time,
     true},
    {"store", "writing the entry to the cache", [](const CostRow& r) { return r.phases.store; }, Unit::Time,
     true},
    {"all", "all phases of this run", [](const CostRow& r) { return r.phases.total(); }, Unit::Time, true},
    {"saved", "compile time that the hits saved, as recorded when their entries were made",
     [](const CostRow& r) { return r.savedNs; }, Unit::Time, true},
    {"calls", "how often it was run, with profiling", [](const CostRow& r) { return r.calls; }, Unit::Number,
     true},
    {"run", "time of all calls", [](const CostRow& r) { return r.runNs; }, Unit::Time, true},
    {"each", "time of one call", [](const CostRow& r) { return r.eachNs(); }, Unit::Time, false},
    {"size", "bytes of object code", [](const CostRow& r) { return r.objectBytes; }, Unit::Size, true},
};

void add(CostRow& row, const RunNode& node, size_t at, int64_t savedNs) {
  row.nodes.push_back(at);
  for (const auto phase :
       {&Phases::lookup, &Phases::build, &Phases::optimise, &Phases::emit, &Phases::link, &Phases::store})
    row.phases.*phase += node.phases.*phase;
  row.calls += node.calls;
  row.runNs += node.runNs;
  row.recordedNs += node.recordedNs;
  row.objectBytes += node.objectBytes;
  row.lookups += node.outcome.has_value();
  row.hits += node.outcome == Outcome::Hit;
  row.savedNs += savedNs;
}

struct Named {
  std::string name, detail;
};
Named nameOf(const RunNode& node, CostGroup group) {
  switch (group) {
  case CostGroup::Node:
    return {node.path, nodeTitle(node.op, node.label)};
  case CostGroup::Op:
    return {node.op, {}};
  case CostGroup::Scope:
    return {node.scope.empty() ? "(no scope)" : node.scope, {}};
  }
  return {};
}

std::optional<double> share(int64_t part, int64_t whole) {
  if (whole <= 0) return {};
  return static_cast<double>(part) / static_cast<double>(whole);
}

} // namespace

std::span<const CostGroupRow> costGroupTable() { return kGroups; }
std::span<const CostColumn> costColumns() { return kColumns; }

CostTable costTable(const RunRecord& record, CostGroup group, const std::vector<bool>* only) {
  CostTable table;
  table.total.name = "total";
  const std::vector<int64_t> saved = savedTimes(record);
  std::map<std::string, size_t> rowOf;
  for (size_t n = 0; n < record.nodes.size(); ++n) {
    if (only && (n >= only->size() || !(*only)[n])) continue;
    const RunNode& node = record.nodes[n];
    Named named = nameOf(node, group);
    const auto [at, isNew] = rowOf.try_emplace(named.name, table.rows.size());
    if (isNew) {
      table.rows.emplace_back();
      table.rows.back().name = std::move(named.name);
      table.rows.back().detail = std::move(named.detail);
    }
    add(table.rows[at->second], node, n, saved[n]);
    add(table.total, node, n, saved[n]);
  }
  return table;
}

std::optional<double> HitRates::byCount() const { return share(hits, lookups); }
std::optional<double> HitRates::byCompileTime() const { return share(savedNs, savedNs + compiledNs); }
std::optional<double> HitRates::byWallTime() const {
  if (coldRun == 0) return {};
  return share(coldWallNs - wallNs, coldWallNs);
}

HitRates hitRates(const RunRecord& record, const std::optional<RunRow>& cold) {
  HitRates rates;
  for (const RunNode& node : record.nodes) {
    rates.lookups += node.outcome.has_value();
    rates.compiledNs += node.phases.compile();
    rates.hits += node.outcome == Outcome::Hit;
  }
  for (const int64_t ns : savedTimes(record)) rates.savedNs += ns;
  rates.wallNs = record.run.wallNs;
  if (cold) {
    rates.coldRun = cold->id;
    rates.coldWallNs = cold->wallNs;
  }
  return rates;
}

} // namespace nodewise
