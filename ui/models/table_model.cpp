#include "ui/models/table_model.h"

#include "ui/models/node_table_model.h"
#include "ui/models/swatch.h"

#include <QFont>
#include <QFontDatabase>

#include <algorithm>

namespace nodewise::ui {

void TableModel::setData(TableData data) {
  beginResetModel();
  m_data = std::move(data);
  m_shown = nullptr; // it knew the rows of the data before
  m_data.pinned = std::min(m_data.pinned, m_data.rows);
  m_greatest.assign(m_data.columns.size(), 0);
  for (size_t c = 0; c < m_data.columns.size(); ++c)
    if (m_data.columns[c].bar && m_data.columns[c].number)
      for (size_t row = 0; row + m_data.pinned < m_data.rows; ++row)
        m_greatest[c] = std::max(m_greatest[c], m_data.columns[c].number(row));
  arrange();
  endResetModel();
}

void TableModel::setShown(std::function<bool(size_t)> shown) {
  beginResetModel();
  m_shown = std::move(shown);
  arrange();
  endResetModel();
}

void TableModel::arrange() {
  m_order.clear();
  const size_t sorted = m_data.rows - m_data.pinned;
  for (size_t row = 0; row < sorted; ++row)
    if (!m_shown || m_shown(row)) m_order.push_back(row);
  if (m_sortColumn >= 0 && static_cast<size_t>(m_sortColumn) < m_data.columns.size()) {
    const TableColumn& column = m_data.columns[static_cast<size_t>(m_sortColumn)];
    const auto sortBy = [&](const auto& keyOf) {
      if (m_sortOrder == Qt::AscendingOrder)
        std::ranges::stable_sort(m_order, std::less{}, keyOf);
      else
        std::ranges::stable_sort(m_order, std::greater{}, keyOf);
    };
    if (column.number || column.order) {
      sortBy(column.number ? column.number : column.order);
    } else {
      std::vector<QString> texts(m_data.rows); // asked once, not at every comparison
      for (const size_t row : m_order) texts[row] = column.text(row);
      sortBy([&](size_t row) -> const QString& { return texts[row]; });
    }
  }
  std::vector<size_t> pinned;
  for (size_t row = sorted; row < m_data.rows; ++row) pinned.push_back(row);
  m_order.insert(m_order.begin(), pinned.begin(), pinned.end());
  m_place.assign(m_data.rows, -1);
  for (size_t place = 0; place < m_order.size(); ++place) m_place[m_order[place]] = static_cast<int>(place);
}

void TableModel::sort(int column, Qt::SortOrder order) {
  if (column == m_sortColumn && order == m_sortOrder) return;
  Q_EMIT layoutAboutToBeChanged({}, QAbstractItemModel::VerticalSortHint);
  const QModelIndexList before = persistentIndexList();
  std::vector<size_t> rows;
  for (const QModelIndex& index : before) rows.push_back(m_order[static_cast<size_t>(index.row())]);
  m_sortColumn = column;
  m_sortOrder = order;
  arrange();
  QModelIndexList after;
  for (qsizetype k = 0; k < before.size(); ++k)
    after.push_back(index(m_place[rows[static_cast<size_t>(k)]], before[k].column()));
  changePersistentIndexList(before, after);
  Q_EMIT layoutChanged({}, QAbstractItemModel::VerticalSortHint);
}

std::optional<size_t> TableModel::rowOf(const QModelIndex& index) const {
  if (!index.isValid() || static_cast<size_t>(index.row()) >= m_order.size()) return {};
  return m_order[static_cast<size_t>(index.row())];
}

QModelIndex TableModel::indexOf(size_t row) const {
  if (row >= m_place.size() || m_place[row] < 0) return {};
  return index(m_place[row], 0);
}

int TableModel::rowCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : static_cast<int>(m_order.size());
}

int TableModel::columnCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : static_cast<int>(m_data.columns.size());
}

QVariant TableModel::data(const QModelIndex& index, int role) const {
  if (!checkIndex(index, CheckIndexOption::IndexIsValid)) return {};
  const size_t row = m_order[static_cast<size_t>(index.row())];
  const TableColumn& column = m_data.columns[static_cast<size_t>(index.column())];
  switch (role) {
  case Qt::DisplayRole:
    return column.text(row);
  case Qt::ToolTipRole:
    return column.exact ? column.exact(row) : column.text(row);
  case Qt::TextAlignmentRole:
    return QVariant((column.number ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
  case Qt::DecorationRole:
    if (!column.badge) return {};
    if (const QPixmap badge = column.badge(row); !badge.isNull()) return decoration(badge);
    return {};
  case Qt::BackgroundRole:
    if (!column.background) return {};
    if (const QColor colour = column.background(row); colour.isValid()) return colour;
    return {};
  case Qt::FontRole: {
    if (!isPinned(row) && !column.fixed) return {};
    QFont font = column.fixed ? QFontDatabase::systemFont(QFontDatabase::FixedFont) : QFont();
    font.setBold(isPinned(row));
    return font;
  }
  case kBarRole: {
    const int64_t greatest = m_greatest[static_cast<size_t>(index.column())];
    if (!column.bar || !column.number || greatest <= 0 || isPinned(row)) return {};
    return static_cast<double>(column.number(row)) / static_cast<double>(greatest);
  }
  case kRowRole:
    return static_cast<qulonglong>(row);
  default:
    return {};
  }
}

QVariant TableModel::headerData(int section, Qt::Orientation orientation, int role) const {
  if (orientation != Qt::Horizontal || section < 0 || static_cast<size_t>(section) >= m_data.columns.size())
    return {};
  const TableColumn& column = m_data.columns[static_cast<size_t>(section)];
  if (role == Qt::DisplayRole) return column.title;
  if (role == Qt::TextAlignmentRole)
    return QVariant((column.number ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
  if (role == Qt::ToolTipRole && !column.doc.isEmpty()) return column.doc;
  return {};
}

} // namespace nodewise::ui
