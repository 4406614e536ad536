#include "ui/graph/grouping.h"

#include "ui/graph/repeats.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <string_view>

namespace nodewise::ui {
namespace {

struct Builder {
  const Structure& structure;
  size_t groupAbove;
  Grouping grouping;

  GroupId add(Group group) {
    const auto id = static_cast<GroupId>(grouping.groups.size());
    if (group.parent >= 0) grouping.groups[static_cast<size_t>(group.parent)].groups.push_back(id);
    grouping.groups.push_back(std::move(group));
    return id;
  }
  Group& at(GroupId id) { return grouping.groups[static_cast<size_t>(id)]; }

  void place(GroupId id, std::vector<NodeIndex> nodes) {
    for (const NodeIndex n : nodes) grouping.groupOfNode[static_cast<size_t>(n)] = id;
    at(id).nodes = std::move(nodes);
  }

  void fill(GroupId id, std::vector<NodeIndex> nodes, size_t scopeFrom);
  bool fillByScope(GroupId id, const std::vector<NodeIndex>& nodes, size_t scopeFrom);
  bool fillByRepeat(GroupId id, const std::vector<NodeIndex>& nodes);
  void fillByStretch(GroupId id, const std::vector<NodeIndex>& nodes);
  void addStretch(GroupId id, std::vector<NodeIndex> part, std::string title);
};

/// Puts nodes into a group: directly if they are few, else through groups of its own. Their scopes agree up
/// to `scopeFrom` characters.
void Builder::fill(GroupId id, std::vector<NodeIndex> nodes, size_t scopeFrom) {
  if (nodes.size() <= groupAbove) return place(id, std::move(nodes));
  if (!fillByScope(id, nodes, scopeFrom) && !fillByRepeat(id, nodes)) fillByStretch(id, nodes);
}

bool Builder::fillByScope(GroupId id, const std::vector<NodeIndex>& nodes, size_t scopeFrom) {
  std::vector<std::string_view> order;
  std::map<std::string_view, std::vector<NodeIndex>> byScope;
  std::vector<NodeIndex> direct;
  for (const NodeIndex n : nodes) {
    const std::string_view scope = structure.scopes[static_cast<size_t>(n)];
    if (scope.size() <= scopeFrom) {
      direct.push_back(n);
      continue;
    }
    const std::string_view head = scope.substr(0, scope.find('/', scopeFrom));
    auto& members = byScope[head];
    if (members.empty()) order.push_back(head);
    members.push_back(n);
  }
  // Scopes help only where they make few boxes; one scope of all nodes is looked into further.
  if (order.empty() || direct.size() > groupAbove || order.size() > groupAbove) return false;
  if (order.size() == 1 && direct.empty()) {
    if (order[0].size() + 1 >= structure.scopes[static_cast<size_t>(nodes[0])].size() &&
        std::ranges::all_of(
            nodes, [&](NodeIndex n) { return structure.scopes[static_cast<size_t>(n)] == order[0]; }))
      return false;
    return fillByScope(id, nodes, order[0].size() + 1);
  }
  place(id, std::move(direct));
  for (const std::string_view head : order) {
    const GroupId child = add({GroupKind::Scope, id, at(id).level, -1, std::string(head), {}, {}, 0});
    fill(child, std::move(byScope[head]), head.size() + 1);
  }
  return true;
}

std::vector<NodeIndex> slice(const std::vector<NodeIndex>& nodes, size_t from, size_t to) {
  return {nodes.begin() + static_cast<std::ptrdiff_t>(from), nodes.begin() + static_cast<std::ptrdiff_t>(to)};
}

void Builder::addStretch(GroupId id, std::vector<NodeIndex> part, std::string title) {
  if (part.empty()) return;
  const GroupId child = add({GroupKind::Stretch, id, at(id).level, -1, std::move(title), {}, {}, 0});
  if (part.size() <= groupAbove)
    place(child, std::move(part));
  else
    fillByStretch(child, part);
}

/// Layers that follow each other, as their ops say: each is a group, so that they can be compared.
bool Builder::fillByRepeat(GroupId id, const std::vector<NodeIndex>& nodes) {
  constexpr size_t kLeastPeriod = 6, kMostGroups = 120;
  std::vector<uint64_t> sequence;
  for (const NodeIndex n : nodes)
    sequence.push_back(std::hash<std::string>()(structure.titles[static_cast<size_t>(n)]));
  const auto repeat = findRepeat(sequence, kLeastPeriod);
  if (!repeat) return false;
  const auto stretch = [&](size_t from, size_t to) {
    addStretch(id, slice(nodes, from, to), fmt::format("nodes {} to {}", nodes[from], nodes[to - 1]));
  };
  if (repeat->from > 0) stretch(0, repeat->from);
  const size_t atOnce = (repeat->count + kMostGroups - 1) / kMostGroups;
  for (size_t k = 0; k < repeat->count; k += atOnce) {
    const size_t last = std::min(k + atOnce, repeat->count);
    std::string title = atOnce == 1 ? fmt::format("repeat {} of {}", k + 1, repeat->count)
                                    : fmt::format("repeats {} to {} of {}", k + 1, last, repeat->count);
    addStretch(id, slice(nodes, repeat->from + k * repeat->period, repeat->from + last * repeat->period),
               std::move(title));
  }
  if (repeat->end() < nodes.size()) stretch(repeat->end(), nodes.size());
  return true;
}

void Builder::fillByStretch(GroupId id, const std::vector<NodeIndex>& nodes) {
  // Few enough stretches to be seen at once, each small enough to be opened at once where that is possible.
  constexpr size_t kStretches = 40;
  const size_t count =
      std::min(kStretches, (nodes.size() + groupAbove / 4 - 1) / std::max<size_t>(groupAbove / 4, 1));
  for (size_t k = 0; k < count; ++k) {
    const size_t from = nodes.size() * k / count, to = nodes.size() * (k + 1) / count;
    addStretch(id, slice(nodes, from, to), fmt::format("nodes {} to {}", nodes[from], nodes[to - 1]));
  }
}

} // namespace

Grouping makeGrouping(const Structure& structure, size_t groupAbove) {
  Builder builder{structure, groupAbove, {}};
  builder.grouping.groupOfNode.assign(structure.levelOfNode.size(), -1);
  builder.grouping.levelGroupInNode.assign(structure.levelOfNode.size(), -1);
  if (structure.levels.empty()) builder.add({});
  for (size_t k = 0; k < structure.levels.size(); ++k) {
    const Level& level = structure.levels[k];
    Group group{GroupKind::Level, -1, static_cast<int>(k), level.owner, {}, {}, {}, 0};
    if (level.owner >= 0) group.title = structure.titles[static_cast<size_t>(level.owner)];
    const GroupId id = builder.add(std::move(group));
    builder.fill(id, level.nodes, 0);
    if (level.owner < 0) continue;
    // An owner's level may come later in the list than its inner graph's only if nodes were not outer first.
    builder.at(id).parent = builder.grouping.groupOfNode[static_cast<size_t>(level.owner)];
    builder.grouping.levelGroupInNode[static_cast<size_t>(level.owner)] = id;
  }
  Grouping& grouping = builder.grouping;
  for (Group& group : grouping.groups) group.size = 0;
  for (const GroupId in : grouping.groupOfNode)
    for (GroupId id = in; id >= 0; id = grouping.groups[static_cast<size_t>(id)].parent)
      ++grouping.groups[static_cast<size_t>(id)].size;
  return std::move(grouping);
}

std::vector<GroupId> groupsAround(const Grouping& grouping, NodeIndex node) {
  std::vector<GroupId> around;
  GroupId id = grouping.groupOfNode[static_cast<size_t>(node)];
  for (; id >= 0; id = grouping.groups[static_cast<size_t>(id)].parent) around.push_back(id);
  return around;
}

} // namespace nodewise::ui
