#include "ui/models/outline_tree.h"

#include "ui/theme/numbers.h"
#include "ui/theme/text.h"

#include <map>

namespace nodewise::ui {
namespace {

struct Builder {
  std::span<const NodeInfo> nodes;
  const Grouping& grouping;
  OutlineTree tree;

  int add(OutlineItem item) {
    const int k = static_cast<int>(tree.items.size());
    if (item.parent >= 0) {
      auto& siblings = tree.items[static_cast<size_t>(item.parent)].children;
      item.row = static_cast<int>(siblings.size());
      siblings.push_back(k);
    }
    if (item.node >= 0) tree.itemOfNode[static_cast<size_t>(item.node)] = k;
    tree.items.push_back(std::move(item));
    return k;
  }

  void addNode(int parent, NodeIndex n, OutlineKind kind) {
    const NodeInfo& info = nodes[static_cast<size_t>(n)];
    if (const GroupId inner = grouping.levelGroupInNode[static_cast<size_t>(n)]; inner >= 0)
      return addGroup(parent, inner, QString::fromStdString(info.op));
    // Under "Elemwise ×7" only what differs is worth its room.
    const bool detailOnly = kind == OutlineKind::Node && !info.detail.empty();
    add({kind,
         parent,
         0,
         n,
         -1,
         QString::fromStdString(detailOnly ? info.detail : info.op),
         QString::fromStdString(detailOnly ? std::string() : info.detail),
         {},
         info.indexInGraph});
  }
  void addOps(int parent, const Group& group);
  void addGroup(int parent, GroupId id, const QString& title);
};

void Builder::addOps(int parent, const Group& group) {
  std::map<std::string_view, std::vector<NodeIndex>> byOp;
  for (const NodeIndex n : group.nodes) byOp[nodes[static_cast<size_t>(n)].op].push_back(n);
  for (const auto& [op, members] : byOp) {
    if (members.size() == 1) {
      addNode(parent, members[0], OutlineKind::Op);
      continue;
    }
    const QString times = QStringLiteral("×") + countText(static_cast<int64_t>(members.size()));
    const int k = add({OutlineKind::Op, parent, 0, -1, -1, text(op), times, {}});
    for (const NodeIndex n : members) addNode(k, n, OutlineKind::Node);
  }
}

void Builder::addGroup(int parent, GroupId id, const QString& title) {
  const Group& group = grouping.groups[static_cast<size_t>(id)];
  QString quiet = countedText(group.size, QStringLiteral("node"));
  if (group.owner >= 0) {
    const std::string& detail = nodes[static_cast<size_t>(group.owner)].detail;
    if (!detail.empty()) quiet = QString::fromStdString(detail) + QStringLiteral(" · ") + quiet;
  }
  const int k = add({OutlineKind::Group, parent, 0, group.owner, id, title, quiet, {}});
  for (const GroupId child : group.groups) {
    const Group& inside = grouping.groups[static_cast<size_t>(child)];
    if (inside.kind == GroupKind::Level) continue; // stands in its owner's place
    QString name = QString::fromStdString(inside.title);
    if (inside.kind == GroupKind::Scope) name = name.section(u'/', -1);
    addGroup(k, child, name);
  }
  addOps(k, group);
}

} // namespace

OutlineTree makeOutlineTree(std::span<const NodeInfo> nodes, const Grouping& grouping, const QString& title) {
  Builder builder{nodes, grouping, {}};
  builder.tree.itemOfNode.assign(nodes.size(), -1);
  if (!grouping.groups.empty()) builder.addGroup(-1, 0, title.isEmpty() ? QStringLiteral("graph") : title);
  return std::move(builder.tree);
}

} // namespace nodewise::ui
