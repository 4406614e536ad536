#include "graph/aliasing.h"

#include <algorithm>

namespace nodewise {

namespace {

/// Roots by views alone.
std::vector<ValueId> viewRoots(const Graph& graph) {
  std::vector<ValueId> root(graph.values.size());
  for (size_t v = 0; v < root.size(); ++v) root[v] = static_cast<ValueId>(v);
  for (const Node& node : graph.nodes)
    for (auto [out, in] : node.views)
      root[static_cast<size_t>(node.out[static_cast<size_t>(out)])] =
          root[static_cast<size_t>(node.in[static_cast<size_t>(in)])];
  return root;
}

} // namespace

std::vector<std::vector<std::pair<int, int>>> safeDestroys(const Graph& graph) {
  const size_t count = graph.values.size();
  const std::vector<ValueId> root = viewRoots(graph);
  constexpr int64_t kAfterAll = INT64_MAX;
  std::vector<int64_t> lastRead(count, -1); // by root: the last node that reads any alias
  std::vector<bool> made(count, false);     // by value: made by a node
  for (size_t n = 0; n < graph.nodes.size(); ++n) {
    for (ValueId v : graph.nodes[n].in)
      lastRead[static_cast<size_t>(root[static_cast<size_t>(v)])] = static_cast<int64_t>(n);
    for (ValueId v : graph.nodes[n].out) made[static_cast<size_t>(v)] = true;
  }
  for (ValueId v : graph.outputs) lastRead[static_cast<size_t>(root[static_cast<size_t>(v)])] = kAfterAll;

  std::vector<std::vector<std::pair<int, int>>> safe(graph.nodes.size());
  for (size_t n = 0; n < graph.nodes.size(); ++n) {
    const Node& node = graph.nodes[n];
    for (const auto& pair : node.destroys) {
      const int out = pair.first, in = pair.second; // plain names: clang 14 captures no structured bindings
      const ValueId target = root[static_cast<size_t>(node.in[static_cast<size_t>(in)])];
      const auto readers =
          std::ranges::count_if(node.in, [&](ValueId v) { return root[static_cast<size_t>(v)] == target; });
      const auto uses = std::ranges::count_if(
          safe[n], [&](auto other) { return other.second == in || other.first == out; });
      if (made[static_cast<size_t>(target)] &&
          lastRead[static_cast<size_t>(target)] == static_cast<int64_t>(n) && readers == 1 && uses == 0)
        safe[n].emplace_back(out, in);
    }
  }
  return safe;
}

std::vector<ValueId> storageRoots(const Graph& graph,
                                  const std::vector<std::vector<std::pair<int, int>>>& destroys) {
  std::vector<ValueId> root(graph.values.size());
  for (size_t v = 0; v < root.size(); ++v) root[v] = static_cast<ValueId>(v);
  auto alias = [&](const Node& node, std::pair<int, int> pair) {
    root[static_cast<size_t>(node.out[static_cast<size_t>(pair.first)])] =
        root[static_cast<size_t>(node.in[static_cast<size_t>(pair.second)])];
  };
  for (size_t n = 0; n < graph.nodes.size(); ++n) {
    for (auto pair : graph.nodes[n].views) alias(graph.nodes[n], pair);
    for (auto pair : destroys[n]) alias(graph.nodes[n], pair);
  }
  return root;
}

} // namespace nodewise
