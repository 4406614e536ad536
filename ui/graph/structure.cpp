#include "ui/graph/structure.h"

#include <algorithm>
#include <map>

namespace nodewise::ui {
namespace {

/// Producer of each value of a level's graph: a node index, or -1.
std::vector<NodeIndex> producers(const Level& level, std::span<const NodeInfo> nodes) {
  std::vector<NodeIndex> of(level.graph->values.size(), -1);
  for (const NodeIndex n : level.nodes)
    for (const ValueId v : nodes[static_cast<size_t>(n)].node().out) of[static_cast<size_t>(v)] = n;
  return of;
}

void addEdges(Level& level, std::span<const NodeInfo> nodes) {
  const std::vector<NodeIndex> producer = producers(level, nodes);
  const auto add = [&](ValueId v, NodeIndex to, size_t position) {
    if (level.graph->values[static_cast<size_t>(v)].constant) return;
    level.edges.push_back({producer[static_cast<size_t>(v)], to, v, static_cast<int>(position)});
  };
  for (const NodeIndex n : level.nodes) {
    const Node& node = nodes[static_cast<size_t>(n)].node();
    for (size_t k = 0; k < node.in.size(); ++k) add(node.in[k], n, k);
  }
  for (size_t k = 0; k < level.graph->outputs.size(); ++k) add(level.graph->outputs[k], -1, k);
}

template <class Select> std::vector<NodeIndex> neighbours(const Structure& s, NodeIndex node, Select select) {
  std::vector<NodeIndex> found;
  for (const LevelEdge& edge :
       s.levels[static_cast<size_t>(s.levelOfNode[static_cast<size_t>(node)])].edges) {
    const NodeIndex other = select(edge);
    if (other >= 0 && std::ranges::find(found, other) == found.end()) found.push_back(other);
  }
  return found;
}

} // namespace

Structure makeStructure(std::span<const NodeInfo> nodes) {
  Structure s;
  s.levelOfNode.assign(nodes.size(), -1);
  s.levelInNode.assign(nodes.size(), -1);
  std::map<NodeIndex, int> levelOfOwner;
  for (const NodeInfo& info : nodes) {
    const auto [at, isNew] = levelOfOwner.try_emplace(info.parent, static_cast<int>(s.levels.size()));
    if (isNew) {
      s.levels.push_back({info.parent, info.graph, {}, {}});
      if (info.parent >= 0) s.levelInNode[static_cast<size_t>(info.parent)] = at->second;
    }
    s.levels[static_cast<size_t>(at->second)].nodes.push_back(info.index);
    s.levelOfNode[static_cast<size_t>(info.index)] = at->second;
    s.scopes.push_back(info.scope);
    s.titles.push_back(info.op);
  }
  for (Level& level : s.levels) addEdges(level, nodes);
  return s;
}

std::vector<NodeIndex> producersOf(const Structure& structure, NodeIndex node) {
  return neighbours(structure, node, [=](const LevelEdge& e) { return e.to == node ? e.from : -1; });
}

std::vector<NodeIndex> readersOf(const Structure& structure, NodeIndex node) {
  return neighbours(structure, node, [=](const LevelEdge& e) { return e.from == node ? e.to : -1; });
}

} // namespace nodewise::ui
