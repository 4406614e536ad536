// Root causes: of all nodes that miss, which miss only because another one does, or because of something that
// they all share.
#pragma once

#include "cache/hash_map.h"
#include "session/session.h"

#include <map>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

namespace nodewise {

/// A node with how its lookup came out, and in what its key differs from the nearest entry's.
struct ExplainedNode {
  NodeIndex node = 0;
  Outcome outcome = Outcome::Miss;
  std::string reason;
  std::vector<PartDiff> differences; ///< empty where nothing was comparable
  int64_t costNs = 0; ///< recorded compile time: its own, or else the nearest entry's; 0 with `sameAs`
  std::optional<NodeIndex> sameAs; ///< the first node of the same key: one compile makes both
};

/// Which node came first with a key.
class FirstOfKey {
public:
  /// None: this one is the first.
  std::optional<NodeIndex> of(const Hash& key, NodeIndex node);

private:
  HashMap<NodeIndex> m_first;
};

/// One line of the tree: a cause, or a node that misses because of what stands above it.
struct CascadeItem {
  std::string text;              ///< of a cause: "optimisation level: was 2, now 3"
  std::optional<NodeIndex> node; ///< none: a cause that is no node's
  int32_t parent = -1;           ///< -1: a root
  std::vector<int32_t> children;
  int64_t nodes = 0;  ///< that miss, here and below
  int64_t costNs = 0; ///< of them
  std::string path{};  ///< of the node
  bool ofKey = false; ///< what stands above is a node of the same key: one compile makes both
};

/// The tree of causes, dearest first; an item stands after its parent. Every node of `explained` that is no
/// hit stands in it once.
///
/// A node follows another one if it does the same op, or the same ops inside, and the type of one of its
/// inputs differs from the nearest entry's, and the node that makes this input (through views and library
/// routines) misses with another type of output. Nodes whose changed input comes from the graph's inputs
/// share that input as their cause; those that differ in versions, options, target or toolchain alone share
/// that difference; nodes of one key that have no other cause, or the same one, stand below the first of them;
/// any other is a root itself.
std::vector<CascadeItem> cascade(std::span<const NodeInfo> nodes, std::span<const ExplainedNode> explained);

/// Looks every kernel node up, without changing anything. Stops early with an error "cancelled".
Result<std::vector<ExplainedNode>> explainNodes(Session& session, const Pretend& pretend,
                                                std::stop_token stop = {});

struct RunRecord;
class Store;
/// What a recorded run says of nodes that did not hit: their keys against the nearest entries', as far as
/// both are still in the cache.
Result<std::vector<ExplainedNode>> explainRun(Store& store, const RunRecord& record);

} // namespace nodewise
