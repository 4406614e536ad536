#include "ui/graph/group_layout.h"

#include "ui/theme/numbers.h"

#include <algorithm>
#include <map>
#include <set>

namespace nodewise::ui {
namespace {

/// More values than this at one border are shown as one box.
constexpr size_t kMaxBorderValues = 60;

struct Builder {
  const SceneSource& source;
  const Extent& extent;
  const Group& group;
  const Level& level;
  GroupContent content;
  std::vector<int> boxOfNode; ///< the box that a node is in or is; -1: outside
  std::map<std::pair<ValueId, bool>, int> borderBoxes;
  std::map<std::pair<int, int>, int> edgeOf;
  std::set<std::tuple<int, int, ValueId>> seen;

  int add(ContentBox box) {
    content.boxes.push_back(std::move(box));
    return static_cast<int>(content.boxes.size()) - 1;
  }
  void addNode(NodeIndex n);
  void addGroup(GroupId id);
  void addBorders(bool inputs);
  void addEdge(int from, int to, ValueId value);
  int borderBox(ValueId value, bool input);
  int64_t markInside(GroupId id, int box);
  bool isOut(NodeIndex n) const;
  QString valueText(ValueId value, bool input) const;
};

/// Whether the focus leaves a node out.
bool Builder::isOut(NodeIndex n) const {
  return extent.focus && extent.focus->level == group.level && !extent.focus->nodes[static_cast<size_t>(n)];
}

void Builder::addNode(NodeIndex n) {
  if (isOut(n)) return;
  const NodeInfo& info = source.nodes[static_cast<size_t>(n)];
  const GroupId inner = source.grouping.levelGroupInNode[static_cast<size_t>(n)];
  ContentBox box;
  box.open = inner >= 0 && extent.open.contains(inner);
  box.item.kind = box.open ? ItemKind::Frame : ItemKind::Node;
  box.item.node = n;
  box.item.group = inner;
  box.item.title = QString::fromStdString(info.op);
  box.item.detail = QString::fromStdString(info.detail);
  box.item.rect = QRectF({}, nodeBoxSize(source.measure, box.item.title, box.item.detail, inner >= 0));
  boxOfNode[static_cast<size_t>(n)] = add(std::move(box));
}

/// Says of the nodes in a group which box they are in; how many there are, with those of inner graphs.
int64_t Builder::markInside(GroupId id, int box) {
  const Group& inside = source.grouping.groups[static_cast<size_t>(id)];
  int64_t marked = 0;
  for (const NodeIndex n : inside.nodes) {
    if (isOut(n)) continue;
    boxOfNode[static_cast<size_t>(n)] = box;
    ++marked;
    if (const GroupId inner = source.grouping.levelGroupInNode[static_cast<size_t>(n)]; inner >= 0)
      marked += source.grouping.groups[static_cast<size_t>(inner)].size;
  }
  // Inner graphs are groups of a node's level too; their nodes have no edges here.
  for (const GroupId child : inside.groups)
    if (source.grouping.groups[static_cast<size_t>(child)].kind != GroupKind::Level)
      marked += markInside(child, box);
  return marked;
}

void Builder::addGroup(GroupId id) {
  const Group& child = source.grouping.groups[static_cast<size_t>(id)];
  if (child.kind == GroupKind::Level) return; // shown in its owner's place
  const int64_t nodes = markInside(id, static_cast<int>(content.boxes.size()));
  if (nodes == 0) return;
  ContentBox box;
  box.open = extent.open.contains(id);
  box.item.kind = box.open ? ItemKind::Frame : ItemKind::Group;
  box.item.group = id;
  const QString path = QString::fromStdString(child.title);
  box.item.title = child.kind == GroupKind::Scope ? path.section(u'/', -1) : path;
  box.item.detail = countedText(child.size, QStringLiteral("node"));
  if (nodes < child.size) box.item.detail = countText(nodes) + QStringLiteral(" of ") + box.item.detail;
  box.item.rect = QRectF({}, groupBoxSize(source.measure, box.item.title, box.item.detail));
  add(std::move(box));
}

QString Builder::valueText(ValueId value, bool input) const {
  const Value& v = level.graph->values[static_cast<size_t>(value)];
  if (!v.name.empty()) return QString::fromStdString(v.name);
  const auto& border = input ? level.graph->inputs : level.graph->outputs;
  const auto at = std::ranges::find(border, value);
  if (at != border.end())
    return QStringLiteral("%1 %2")
        .arg(input ? QStringLiteral("in") : QStringLiteral("out"))
        .arg(at - border.begin());
  return QString::fromStdString(shortText(v.type));
}

int Builder::borderBox(ValueId value, bool input) {
  const auto known = borderBoxes.find({value, input});
  if (known != borderBoxes.end()) return known->second;
  const auto many = borderBoxes.find({-1, input}); // one box for all
  if (many != borderBoxes.end()) return many->second;
  ContentBox box;
  box.item.kind = ItemKind::Value;
  box.item.title = valueText(value, input);
  box.item.rect = QRectF({}, valueBoxSize(source.measure, box.item.title));
  box.role = input ? RankRole::First : RankRole::Last;
  return borderBoxes[{value, input}] = add(std::move(box));
}

/// One box for all values of a border that has too many.
void Builder::addBorders(bool inputs) {
  std::set<ValueId> values;
  for (const LevelEdge& edge : level.edges) {
    const bool fromInside = edge.from >= 0 && boxOfNode[static_cast<size_t>(edge.from)] >= 0;
    const bool toInside = edge.to >= 0 && boxOfNode[static_cast<size_t>(edge.to)] >= 0;
    if ((edge.from >= 0 && isOut(edge.from)) || (edge.to >= 0 && isOut(edge.to))) continue;
    if (inputs ? toInside && !fromInside : fromInside && !toInside) values.insert(edge.value);
  }
  if (values.size() <= kMaxBorderValues) return;
  ContentBox box;
  box.item.kind = ItemKind::Value;
  box.item.title = countedText(static_cast<int64_t>(values.size()),
                               inputs ? QStringLiteral("input") : QStringLiteral("output"));
  box.item.rect = QRectF({}, valueBoxSize(source.measure, box.item.title));
  box.role = inputs ? RankRole::First : RankRole::Last;
  borderBoxes[{-1, inputs}] = add(std::move(box));
}

void Builder::addEdge(int from, int to, ValueId value) {
  if (from == to || !seen.insert({from, to, value}).second) return;
  const auto [at, isNew] = edgeOf.try_emplace({from, to}, static_cast<int>(content.edges.size()));
  if (isNew) content.edges.push_back({from, to, {}});
  content.edges[static_cast<size_t>(at->second)].values.push_back(value);
}

} // namespace

GroupContent contentOf(const SceneSource& source, const Extent& extent, GroupId id) {
  const Group& group = source.grouping.groups[static_cast<size_t>(id)];
  if (source.structure.levels.empty()) return {};
  Builder b{source, extent, group, source.structure.levels[static_cast<size_t>(group.level)], {}, {},
            {},     {},     {}};
  b.boxOfNode.assign(source.nodes.size(), -1);
  for (const NodeIndex n : group.nodes) b.addNode(n);
  for (const GroupId child : group.groups) b.addGroup(child);
  b.addBorders(true);
  b.addBorders(false);
  for (const LevelEdge& edge : b.level.edges) {
    const int from = edge.from < 0 ? -1 : b.boxOfNode[static_cast<size_t>(edge.from)];
    const int to = edge.to < 0 ? -1 : b.boxOfNode[static_cast<size_t>(edge.to)];
    if (from < 0 && to < 0) continue;
    // What the focus leaves out has no edges either.
    if ((edge.from >= 0 && b.isOut(edge.from)) || (edge.to >= 0 && b.isOut(edge.to))) continue;
    // Both ends first: making a box for one must not depend on the order of evaluation.
    const int start = from >= 0 ? from : b.borderBox(edge.value, true);
    const int end = to >= 0 ? to : b.borderBox(edge.value, false);
    b.addEdge(start, end, edge.value);
  }
  return std::move(b.content);
}

} // namespace nodewise::ui
