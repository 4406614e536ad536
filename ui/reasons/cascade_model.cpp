#include "ui/reasons/cascade_model.h"

#include "ui/models/node_table_model.h"
#include "ui/theme/numbers.h"

#include <QFont>

#include <algorithm>
#include <array>

namespace nodewise::ui {

namespace {

/// The items that are shown nodes or stand above some, with counts and costs of those alone.
std::vector<CascadeItem> shownItems(const std::vector<CascadeItem>& all, const std::vector<bool>& shown) {
  std::vector<CascadeItem> counted = all;
  for (size_t i = 0; i < all.size(); ++i) {
    const auto node = static_cast<size_t>(all[i].node.value_or(-1));
    const bool counts = !all[i].node || (node < shown.size() && shown[node]);
    // Its own part, or nothing.
    int64_t nodesBelow = 0, costBelow = 0;
    for (const int32_t child : all[i].children) {
      nodesBelow += all[static_cast<size_t>(child)].nodes;
      costBelow += all[static_cast<size_t>(child)].costNs;
    }
    counted[i].nodes = counts ? all[i].nodes - nodesBelow : 0;
    counted[i].costNs = counts ? all[i].costNs - costBelow : 0;
  }
  for (size_t i = all.size(); i-- > 0;) { // an item stands after its parent
    if (all[i].parent < 0) continue;
    counted[static_cast<size_t>(all[i].parent)].nodes += counted[i].nodes;
    counted[static_cast<size_t>(all[i].parent)].costNs += counted[i].costNs;
  }
  std::vector<CascadeItem> items;
  std::vector<int32_t> placeOf(all.size(), -1);
  for (size_t i = 0; i < all.size(); ++i) {
    if (counted[i].nodes == 0) continue;
    placeOf[i] = static_cast<int32_t>(items.size());
    CascadeItem item = std::move(counted[i]);
    item.children.clear();
    if (item.parent >= 0) item.parent = placeOf[static_cast<size_t>(item.parent)];
    if (item.parent >= 0) items[static_cast<size_t>(item.parent)].children.push_back(placeOf[i]);
    items.push_back(std::move(item));
  }
  return items;
}

} // namespace

void CascadeModel::setItems(std::vector<CascadeItem> items) {
  m_all = std::move(items);
  arrange();
}

void CascadeModel::setShown(std::optional<std::vector<bool>> nodes) {
  if (m_shown == nodes) return;
  m_shown = std::move(nodes);
  arrange();
}

void CascadeModel::arrange() {
  beginResetModel();
  m_items = m_shown ? shownItems(m_all, *m_shown) : m_all;
  m_roots.clear();
  m_rowOf.assign(m_items.size(), 0);
  for (size_t i = 0; i < m_items.size(); ++i) {
    if (m_items[i].parent < 0) {
      m_rowOf[i] = static_cast<int>(m_roots.size());
      m_roots.push_back(static_cast<int32_t>(i));
    }
    for (size_t k = 0; k < m_items[i].children.size(); ++k)
      m_rowOf[static_cast<size_t>(m_items[i].children[k])] = static_cast<int>(k);
  }
  endResetModel();
}

const CascadeItem* CascadeModel::itemOf(const QModelIndex& index) const {
  return index.isValid() ? &m_items[index.internalId()] : nullptr;
}

std::vector<NodeIndex> CascadeModel::nodesBelow(const QModelIndex& index) const {
  std::vector<NodeIndex> nodes;
  std::vector<const CascadeItem*> waiting;
  if (const CascadeItem* item = itemOf(index)) waiting.push_back(item);
  while (!waiting.empty()) {
    const CascadeItem* item = waiting.back();
    waiting.pop_back();
    if (item->node) nodes.push_back(*item->node);
    for (const int32_t child : item->children) waiting.push_back(&m_items[static_cast<size_t>(child)]);
  }
  return nodes;
}

QModelIndex CascadeModel::indexOfNode(NodeIndex node) const {
  for (size_t i = 0; i < m_items.size(); ++i)
    if (m_items[i].node == node) return createIndex(m_rowOf[i], 0, i);
  return {};
}

const std::vector<int32_t>& CascadeModel::childrenOf(const QModelIndex& parent) const {
  return parent.isValid() ? m_items[parent.internalId()].children : m_roots;
}

QModelIndex CascadeModel::index(int row, int column, const QModelIndex& parent) const {
  if (!hasIndex(row, column, parent)) return {};
  return createIndex(row, column, static_cast<quintptr>(childrenOf(parent)[static_cast<size_t>(row)]));
}

QModelIndex CascadeModel::parent(const QModelIndex& index) const {
  if (!index.isValid()) return {};
  const int32_t parent = m_items[index.internalId()].parent;
  if (parent < 0) return {};
  return createIndex(m_rowOf[static_cast<size_t>(parent)], 0, static_cast<quintptr>(parent));
}

int CascadeModel::rowCount(const QModelIndex& parent) const {
  return parent.column() > 0 ? 0 : static_cast<int>(childrenOf(parent).size());
}

int CascadeModel::columnCount(const QModelIndex&) const { return ColumnCount; }

QVariant CascadeModel::data(const QModelIndex& index, int role) const {
  if (!checkIndex(index, CheckIndexOption::IndexIsValid)) return {};
  const CascadeItem& item = m_items[index.internalId()];
  if (role == Qt::TextAlignmentRole)
    return QVariant((index.column() == Cause ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter);
  if (role == Qt::FontRole && !item.node) {
    QFont font;
    font.setBold(true);
    return font;
  }
  if (role == kNodeRole) return item.node ? QVariant(*item.node) : QVariant();
  if (role == Qt::ToolTipRole)
    return index.column() == Cost
               ? tr("%1, as recorded when it was compiled").arg(exactDurationText(item.costNs))
           : item.path.empty()
               ? QString::fromStdString(item.text)
               : QString::fromStdString(item.text) + u'\n' + QString::fromStdString(item.path);
  if (role != Qt::DisplayRole) return {};
  switch (index.column()) {
  case Cause:
    return QString::fromStdString(item.text);
  case Nodes:
    return countText(item.nodes);
  case Cost:
    return item.costNs > 0 ? durationText(item.costNs) : tr("none of its own");
  default:
    return {};
  }
}

QVariant CascadeModel::headerData(int section, Qt::Orientation orientation, int role) const {
  static const std::array<const char*, ColumnCount> kTitles{
      QT_TR_NOOP("Cause, and what follows from it"), QT_TR_NOOP("Nodes"), QT_TR_NOOP("Compile, recorded")};
  if (orientation == Qt::Horizontal && role == Qt::DisplayRole && section >= 0 && section < ColumnCount)
    return tr(kTitles[static_cast<size_t>(section)]);
  if (orientation == Qt::Horizontal && role == Qt::TextAlignmentRole)
    return QVariant((section == Cause ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter);
  return {};
}

} // namespace nodewise::ui
