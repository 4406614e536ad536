#include "ui/models/outline_model.h"

#include <QFont>
#include <QSize>

namespace nodewise::ui {

void OutlineModel::setTree(std::shared_ptr<const OutlineTree> tree) {
  beginResetModel();
  m_tree = std::move(tree);
  endResetModel();
}

const OutlineItem* OutlineModel::item(const QModelIndex& index) const {
  return m_tree && index.isValid() ? &m_tree->items[index.internalId()] : nullptr;
}

QModelIndex OutlineModel::indexOf(int item) const {
  return createIndex(m_tree->items[static_cast<size_t>(item)].row, 0, static_cast<quintptr>(item));
}

QModelIndex OutlineModel::indexOfNode(NodeIndex node) const {
  if (!m_tree || node < 0 || static_cast<size_t>(node) >= m_tree->itemOfNode.size()) return {};
  const int item = m_tree->itemOfNode[static_cast<size_t>(node)];
  return item < 0 ? QModelIndex() : indexOf(item);
}

QModelIndex OutlineModel::index(int row, int column, const QModelIndex& parent) const {
  if (!hasIndex(row, column, parent)) return {};
  if (!parent.isValid()) return indexOf(0);
  return indexOf(item(parent)->children[static_cast<size_t>(row)]);
}

QModelIndex OutlineModel::parent(const QModelIndex& index) const {
  const OutlineItem* child = item(index);
  return child && child->parent >= 0 ? indexOf(child->parent) : QModelIndex();
}

int OutlineModel::rowCount(const QModelIndex& parent) const {
  if (!m_tree || m_tree->items.empty() || parent.column() > 0) return 0;
  return parent.isValid() ? static_cast<int>(item(parent)->children.size()) : 1;
}

int OutlineModel::columnCount(const QModelIndex&) const { return 1; }

QVariant OutlineModel::data(const QModelIndex& index, int role) const {
  const OutlineItem* shown = item(index);
  if (!shown) return {};
  if (role == Qt::DisplayRole || role == Qt::ToolTipRole || role == Qt::AccessibleTextRole)
    return shown->quiet.isEmpty() ? shown->title : shown->title + u' ' + shown->quiet;
  constexpr int kRowHeight = 20;
  if (role == Qt::SizeHintRole) return QSize(0, kRowHeight);
  if (role == Qt::FontRole && shown->parent < 0) {
    QFont font;
    font.setBold(true);
    return font;
  }
  return {};
}

} // namespace nodewise::ui
