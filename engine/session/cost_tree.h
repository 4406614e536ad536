// Costs as a tree, from the graph down to the phases of one node: what the icicle graph shows, and folded
// stacks.
#pragma once

#include "cache/run_history.h"

#include <optional>
#include <string>
#include <vector>

namespace nodewise {

enum class CostKind : uint8_t { Compile, Run, Saved };
struct CostKindRow {
  CostKind kind;
  std::string_view name; ///< "compile", "run", "saved"
  std::string_view doc;
};
std::span<const CostKindRow> costKindTable();

struct CostTreeNode {
  std::string name;
  int32_t parent = -1;
  std::vector<int32_t> children; ///< dearest first
  int64_t cost = 0; ///< nanoseconds, of all below; children's costs add up to it unless it is a leaf
  std::optional<size_t> node; ///< position in the record's nodes, from a node down
  std::string path{};         ///< of a node, in the file; empty for what is none
};

/// graph, scopes (split at "/"), op, node, and for compile costs the phase. Element 0 is the root. What costs
/// nothing is left out; the nodes of inner graphs stand below their control node, whose run time is the part
/// that is its own.
std::vector<CostTreeNode> costTree(const RunRecord& record, CostKind kind,
                                   const std::vector<bool>* only = nullptr);

/// One line a leaf: "graph;scope;op;node;phase 12345", as flame graph tools read.
std::string foldedStacks(const std::vector<CostTreeNode>& tree);

} // namespace nodewise
