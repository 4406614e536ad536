// After how many calls a node's compile pays, by what was measured.
#pragma once

#include "cache/run_history.h"

#include <optional>
#include <vector>

namespace nodewise {

/// A node at one optimisation level, as measured over all recorded runs.
struct LevelMeasure {
  int level = 0;
  int64_t compileNs = 0; ///< recorded
  int64_t calls = 0;     ///< profiled; 0: its run time is not known at this level
  double eachNs = 0;
  /// Calls after which running took as long as compiling did.
  std::optional<double> callsForCompile() const;
};

struct BreakEven {
  size_t node = 0;                  ///< position in the record's nodes
  std::vector<LevelMeasure> levels; ///< measured ones, lowest first
  /// From one level to another that compiles longer and runs faster: after so many calls it is the cheaper
  /// one.
  struct Crossing {
    int from = 0, to = 0;
    std::optional<double> calls; ///< none: it never pays, by what was measured
  };
  std::vector<Crossing> crossings; ///< between neighbouring levels with known run times
};

/// Of every node of the record that has a key; `costs` as levelCosts() gives them.
std::vector<BreakEven> breakEven(const RunRecord& record, const std::vector<LevelCost>& costs);
/// The structures to ask levelCosts() for.
std::vector<Seal> structuresOf(const RunRecord& record);

} // namespace nodewise
