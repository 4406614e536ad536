#include "runtime/lazy_branches.h"

#include "graph/aliasing.h"
#include "ops/control.h"

#include <algorithm>
#include <functional>
#include <optional>

namespace nodewise {

namespace {

bool isIfElse(const PlannedNode& node) {
  return node.lowered.control && node.lowered.control->kind == ControlParams::Kind::IfElse;
}

/// Branches from the outermost to the innermost.
using Path = std::vector<std::pair<int32_t, bool>>;

Path commonPrefix(const Path& a, const Path& b) {
  size_t n = 0;
  while (n < a.size() && n < b.size() && a[n] == b[n]) ++n;
  return Path(a.begin(), a.begin() + static_cast<std::ptrdiff_t>(n));
}

} // namespace

RunOrder runOrder(const GraphPlan& plan) {
  const Graph& graph = *plan.graph;
  const auto count = static_cast<int32_t>(graph.nodes.size());
  RunOrder result;
  result.guards.resize(graph.nodes.size());
  if (std::ranges::none_of(plan.nodes, isIfElse)) {
    for (int32_t n = 0; n < count; ++n) result.order.push_back(n);
    return result;
  }

  std::vector<std::vector<std::pair<int, int>>> destroys;
  for (const PlannedNode& node : plan.nodes) destroys.push_back(node.destroys);
  const std::vector<ValueId> root = storageRoots(graph, destroys);
  std::vector<bool> destroyed(graph.values.size(), false); // by root
  for (size_t n = 0; n < graph.nodes.size(); ++n)
    for (auto pair : destroys[n])
      destroyed[static_cast<size_t>(
          root[static_cast<size_t>(graph.nodes[n].in[static_cast<size_t>(pair.second)])])] = true;

  // Where each value is needed, from the last node to the first.
  std::vector<std::optional<Path>> need(graph.values.size());
  auto use = [&](ValueId v, const Path& path) {
    auto& known = need[static_cast<size_t>(v)];
    known = known ? commonPrefix(*known, path) : path;
  };
  for (ValueId v : graph.outputs) use(v, {});
  std::vector<Path> paths(graph.nodes.size());
  for (int32_t n = count - 1; n >= 0; --n) {
    const Node& node = graph.nodes[static_cast<size_t>(n)];
    Path& path = paths[static_cast<size_t>(n)];
    std::optional<Path> all;
    for (ValueId v : node.out)
      if (const auto& where = need[static_cast<size_t>(v)]) all = all ? commonPrefix(*all, *where) : *where;
    if (all) path = *all;
    for (ValueId v : node.in)
      if (destroyed[static_cast<size_t>(root[static_cast<size_t>(v)])]) path.clear();
    for (ValueId v : node.out)
      if (destroyed[static_cast<size_t>(root[static_cast<size_t>(v)])]) path.clear();
    const bool branches = isIfElse(plan.nodes[static_cast<size_t>(n)]);
    const size_t half =
        branches ? static_cast<size_t>(plan.nodes[static_cast<size_t>(n)].lowered.control->branches) : 0;
    for (size_t k = 0; k < node.in.size(); ++k) {
      Path here = path;
      if (branches && k > 0) here.emplace_back(n, k <= half);
      use(node.in[k], here);
    }
  }

  // A branch's nodes wait for their IfElse.
  std::vector<std::vector<int32_t>> waiting(graph.nodes.size());
  std::function<void(int32_t)> emit = [&](int32_t n) {
    for (int32_t before : waiting[static_cast<size_t>(n)]) emit(before);
    result.order.push_back(n);
  };
  for (int32_t n = 0; n < count; ++n) {
    const Path& path = paths[static_cast<size_t>(n)];
    if (path.empty()) {
      emit(n);
      continue;
    }
    result.guards[static_cast<size_t>(n)] = {path.back().first, path.back().second};
    waiting[static_cast<size_t>(path.back().first)].push_back(n);
  }
  return result;
}

} // namespace nodewise
