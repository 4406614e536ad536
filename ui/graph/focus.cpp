#include "ui/graph/focus.h"

#include <algorithm>

namespace nodewise::ui {
namespace {

/// Edges of a level as lists by node, in one direction.
std::vector<std::vector<NodeIndex>> nextOf(const Structure& structure, int level, bool down) {
  std::vector<std::vector<NodeIndex>> next(structure.levelOfNode.size());
  for (const LevelEdge& edge : structure.levels[static_cast<size_t>(level)].edges)
    if (edge.from >= 0 && edge.to >= 0)
      next[static_cast<size_t>(down ? edge.from : edge.to)].push_back(down ? edge.to : edge.from);
  return next;
}

int levelOf(const Structure& structure, NodeIndex node) {
  return structure.levelOfNode[static_cast<size_t>(node)];
}

/// Everything that is reached from a node within `hops` edges.
void reach(const std::vector<std::vector<NodeIndex>>& next, NodeIndex from, int hops,
           std::vector<bool>& reached) {
  std::vector<NodeIndex> now{from}, then;
  std::vector<bool> seen(next.size(), false); // `reached` may hold nodes of another walk
  seen[static_cast<size_t>(from)] = reached[static_cast<size_t>(from)] = true;
  for (int hop = 0; hop < hops && !now.empty(); ++hop) {
    then.clear();
    for (const NodeIndex n : now)
      for (const NodeIndex other : next[static_cast<size_t>(n)]) {
        if (seen[static_cast<size_t>(other)]) continue;
        seen[static_cast<size_t>(other)] = reached[static_cast<size_t>(other)] = true;
        then.push_back(other);
      }
    std::swap(now, then);
  }
}

Focus reachable(const Structure& structure, NodeIndex node, bool down) {
  Focus focus{levelOf(structure, node), std::vector<bool>(structure.levelOfNode.size(), false), {}};
  reach(nextOf(structure, focus.level, down), node, static_cast<int>(structure.levelOfNode.size()),
        focus.nodes);
  return focus;
}

} // namespace

Focus ancestorsOf(const Structure& structure, NodeIndex node) { return reachable(structure, node, false); }

Focus descendantsOf(const Structure& structure, NodeIndex node) { return reachable(structure, node, true); }

Focus neighbourhoodOf(const Structure& structure, NodeIndex node, int hops) {
  Focus focus{levelOf(structure, node), std::vector<bool>(structure.levelOfNode.size(), false), {}};
  auto both = nextOf(structure, focus.level, true);
  const auto up = nextOf(structure, focus.level, false);
  for (size_t n = 0; n < both.size(); ++n) both[n].insert(both[n].end(), up[n].begin(), up[n].end());
  reach(both, node, hops, focus.nodes);
  return focus;
}

std::optional<Focus> waysBetween(const Structure& structure, NodeIndex a, NodeIndex b) {
  if (levelOf(structure, a) != levelOf(structure, b)) return {};
  for (const auto& [from, to] : {std::pair(a, b), std::pair(b, a)}) {
    Focus focus = reachable(structure, from, true);
    if (!focus.nodes[static_cast<size_t>(to)]) continue;
    const Focus above = reachable(structure, to, false);
    for (size_t n = 0; n < focus.nodes.size(); ++n) focus.nodes[n] = focus.nodes[n] && above.nodes[n];
    return focus;
  }
  return {};
}

Focus criticalPath(const Structure& structure, int level, const std::function<int64_t(NodeIndex)>& cost) {
  Focus focus{level, std::vector<bool>(structure.levelOfNode.size(), false), {}};
  const auto up = nextOf(structure, level, false);
  std::vector<int64_t> sum(up.size(), 0);
  std::vector<NodeIndex> before(up.size(), -1);
  NodeIndex last = -1;
  // A level's nodes are in topological order.
  for (const NodeIndex n : structure.levels[static_cast<size_t>(level)].nodes) {
    const auto k = static_cast<size_t>(n);
    for (const NodeIndex producer : up[k])
      if (before[k] < 0 || sum[static_cast<size_t>(producer)] > sum[static_cast<size_t>(before[k])])
        before[k] = producer;
    sum[k] = cost(n) + (before[k] < 0 ? 0 : sum[static_cast<size_t>(before[k])]);
    if (last < 0 || sum[k] > sum[static_cast<size_t>(last)]) last = n;
  }
  for (; last >= 0; last = before[static_cast<size_t>(last)]) focus.nodes[static_cast<size_t>(last)] = true;
  return focus;
}

int64_t sizeOf(const Focus& focus) { return std::ranges::count(focus.nodes, true); }

} // namespace nodewise::ui
