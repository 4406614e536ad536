#include "session/break_even.h"

#include <algorithm>
#include <map>

namespace nodewise {

std::optional<double> LevelMeasure::callsForCompile() const {
  if (calls == 0 || eachNs <= 0) return {};
  return static_cast<double>(compileNs) / eachNs;
}

std::vector<Seal> structuresOf(const RunRecord& record) {
  std::vector<Seal> structures;
  for (const RunNode& node : record.nodes)
    if (node.structure) structures.push_back(*node.structure);
  std::ranges::sort(structures);
  const auto [same, end] = std::ranges::unique(structures);
  structures.erase(same, end);
  return structures;
}

std::vector<BreakEven> breakEven(const RunRecord& record, const std::vector<LevelCost>& costs) {
  std::map<Seal, std::vector<LevelMeasure>> measured;
  for (const LevelCost& cost : costs) {
    LevelMeasure measure{cost.level, cost.compileNs, cost.calls, 0};
    if (cost.calls > 0) measure.eachNs = static_cast<double>(cost.runNs) / static_cast<double>(cost.calls);
    measured[cost.structure].push_back(measure);
  }
  std::vector<BreakEven> all;
  for (size_t n = 0; n < record.nodes.size(); ++n) {
    const RunNode& node = record.nodes[n];
    if (!node.structure) continue;
    const auto found = measured.find(*node.structure);
    if (found == measured.end()) continue;
    BreakEven even{n, found->second, {}};
    std::ranges::sort(even.levels, {}, &LevelMeasure::level);
    const LevelMeasure* last = nullptr;
    for (const LevelMeasure& level : even.levels) {
      if (level.calls == 0 || level.compileNs == 0) continue;
      if (last) {
        BreakEven::Crossing crossing{last->level, level.level, {}};
        const auto more = static_cast<double>(level.compileNs - last->compileNs);
        const double gain = last->eachNs - level.eachNs;
        if (gain > 0) crossing.calls = std::max(0.0, more / gain);
        even.crossings.push_back(crossing);
      }
      last = &level;
    }
    all.push_back(std::move(even));
  }
  return all;
}

} // namespace nodewise
