#include "ui/models/outline_model.h"

#include "ui/models/swatch.h"

#include <QFont>
#include <QSize>

#include <algorithm>

namespace nodewise::ui {

void OutlineModel::setTree(std::shared_ptr<const OutlineTree> tree) {
  beginResetModel();
  m_tree = std::move(tree);
  endResetModel();
}

void OutlineModel::setColouring(const Colouring& colouring) {
  m_looks = colouring.looks;
  m_categories = colouring.categories;
  m_isRamp = colouring.isRamp();
  lookAgain();
}

void OutlineModel::setDarkTheme(bool dark) {
  m_theme = makeTheme(dark);
  lookAgain();
}

void OutlineModel::lookAgain() {
  m_badges.clear();
  // One signal for all: it is the look of rows that changes, and views paint those that are seen.
  if (rowCount() > 0) Q_EMIT dataChanged(index(0, 0), index(0, 0), {Qt::DecorationRole});
}

QVariant OutlineModel::badgeOf(NodeIndex node) const {
  if (node < 0 || static_cast<size_t>(node) >= m_looks.size()) return {};
  const NodeLook& look = m_looks[static_cast<size_t>(node)];
  if (look.category >= m_categories.size()) return {};
  QIcon& badge = m_badges[{look.category, look.colour}];
  if (badge.isNull()) {
    Category category = m_categories[look.category];
    category.colour = look.colour; // of a ramp its own
    badge = decoration(swatchOf(category, m_theme, m_isRamp));
  }
  return badge;
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

QModelIndex OutlineModel::indexOfGroup(GroupId group) const {
  if (!m_tree || group < 0) return {};
  const auto found = std::ranges::find_if(m_tree->items, [group](const OutlineItem& item) {
    return item.group == group && item.kind == OutlineKind::Group;
  });
  return found == m_tree->items.end() ? QModelIndex()
                                      : indexOf(static_cast<int>(found - m_tree->items.begin()));
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
  const QString whole = shown->quiet.isEmpty() ? shown->title : shown->title + u' ' + shown->quiet;
  const bool isNode = shown->node >= 0 && shown->group < 0;
  const QString number = isNode ? u'#' + QString::number(shown->number) : QString();
  if (role == Qt::DisplayRole || role == Qt::AccessibleTextRole) return whole;
  if (role == Qt::ToolTipRole) return isNode ? whole + QStringLiteral(" · ") + number : whole;
  if (role == kCountRole) return isNode ? number : shown->quiet;
  if (role == kNameRole) return isNode ? whole : shown->title;
  if (role == kIsNodeRole) return isNode;
  if (role == Qt::DecorationRole) return badgeOf(shown->node);
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
