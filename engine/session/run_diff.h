// Two runs, node by node: which node of one is which of the other, and what became of it.
#pragma once

#include "cache/run_history.h"

#include <optional>
#include <string_view>
#include <vector>

namespace nodewise {

/// What tells that two nodes are the same one, the strongest first.
enum class MatchedBy : uint8_t {
  Nothing,   ///< only one of the runs has it
  Name,      ///< the same name and op, once in each run
  Structure, ///< the same key but for versions, options, target and toolchain; the same place where it can be
  Place      ///< the same op at the same place, or the next of its op: what it computes has changed
};
std::string_view matchedByName(MatchedBy matched); ///< "name", "structure", "place", ""

/// What became of a node. The first that holds.
enum class NodeChange : uint8_t { Gone, New, Outcome, Key, Same };
struct NodeChangeRow {
  NodeChange change;
  char mark;             ///< - + * ~ =; no letter of an outcome
  std::string_view name; ///< "gone", "new", "outcome", "key", "same"
  std::string_view doc;
};
std::span<const NodeChangeRow> nodeChangeTable();
const NodeChangeRow& nodeChangeRow(NodeChange change);

struct NodeDiff {
  std::optional<size_t> before, after; ///< positions in the records' nodes; one at least
  MatchedBy matched = MatchedBy::Nothing;
  NodeChange change = NodeChange::Same;
  int64_t compileDiff = 0; ///< after less before: build, optimise and emit
  int64_t totalDiff = 0;   ///< all phases
  int64_t runDiff = 0;     ///< each call, where both were timed
};

struct RunDiff {
  std::vector<NodeDiff> nodes;     ///< in the order of the later run; what is gone stands after its neighbour
  std::array<int64_t, 5> counts{}; ///< by NodeChange
  int64_t compileDiff = 0, totalDiff = 0, wallDiff = 0, savedDiff = 0;
  int64_t count(NodeChange change) const { return counts[static_cast<size_t>(change)]; }
};

RunDiff diffRuns(const RunRecord& before, const RunRecord& after);

} // namespace nodewise
