#include "ui/models/group_summary.h"

#include "session/cascade.h"

#include <algorithm>

namespace nodewise::ui {
namespace {

void collect(const Grouping& grouping, GroupId id, std::vector<NodeIndex>& nodes) {
  const Group& group = grouping.groups[static_cast<size_t>(id)];
  for (const NodeIndex n : group.nodes) {
    nodes.push_back(n);
    const auto at = static_cast<size_t>(n);
    if (at < grouping.levelGroupInNode.size() && grouping.levelGroupInNode[at] >= 0)
      collect(grouping, grouping.levelGroupInNode[at], nodes);
  }
  for (const GroupId child : group.groups)
    if (grouping.groups[static_cast<size_t>(child)].kind != GroupKind::Level) // with its node
      collect(grouping, child, nodes);
}

void add(CostSum& sum, NodeIndex node, int64_t cost) {
  if (cost <= 0) return;
  sum.all += cost;
  if (cost <= sum.most) return;
  sum.most = cost;
  sum.dearest = node;
}

} // namespace

std::vector<NodeIndex> nodesIn(const Grouping& grouping, GroupId group) {
  std::vector<NodeIndex> nodes;
  collect(grouping, group, nodes);
  std::ranges::sort(nodes);
  return nodes;
}

std::vector<int64_t> ownCompileCosts(std::span<const NodeInfo> nodes, std::span<const NodeState> states) {
  std::vector<int64_t> costs(nodes.size(), 0);
  FirstOfKey first;
  for (const NodeInfo& info : nodes)
    if (info.kind == NodeKind::Kernel && !first.of(info.key, info.index))
      costs[static_cast<size_t>(info.index)] = states[static_cast<size_t>(info.index)].recordedCompileNs;
  return costs;
}

GroupSummary groupSummary(const Grouping& grouping, GroupId group, std::span<const NodeInfo> nodes,
                          std::span<const NodeState> states) {
  GroupSummary summary;
  FirstOfKey first;
  const std::vector<NodeIndex> inside = nodesIn(grouping, group);
  for (const NodeIndex n : inside) {
    const NodeInfo& info = nodes[static_cast<size_t>(n)];
    const NodeState& state = states[static_cast<size_t>(n)];
    ++summary.nodes;
    ++countOf(summary.counts, statusOf(info, state));
    if (info.kind == NodeKind::Kernel && !first.of(info.key, n)) {
      ++summary.keys;
      add(summary.compile, n, state.recordedCompileNs);
    }
    const bool inner = info.parent >= 0 && std::ranges::binary_search(inside, info.parent);
    if (inner)
      ++summary.inner;
    else
      add(summary.run, n, state.runNs);
  }
  return summary;
}

} // namespace nodewise::ui
