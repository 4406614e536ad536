#include "ui/models/legend_model.h"

#include "ui/models/swatch.h"
#include "ui/theme/numbers.h"

namespace nodewise::ui {
void LegendModel::setColouring(const Colouring& colouring) {
  std::vector<Category> shown;
  for (const Category& category : colouring.categories)
    if (category.count > 0) shown.push_back(category);
  m_isRamp = colouring.isRamp();
  const bool sameRows = colouring.by == m_by && shown.size() == m_shown.size() &&
                        std::equal(shown.begin(), shown.end(), m_shown.begin(),
                                   [](const Category& a, const Category& b) { return a.name == b.name; });
  if (sameRows) {
    m_shown = std::move(shown);
    if (!m_shown.empty()) Q_EMIT dataChanged(index(0, 0), index(rowCount() - 1, Count));
    return;
  }
  beginResetModel();
  m_by = colouring.by;
  m_shown = std::move(shown);
  endResetModel();
}

void LegendModel::setDarkTheme(bool dark) {
  m_theme = makeTheme(dark);
  if (!m_shown.empty()) Q_EMIT dataChanged(index(0, 0), index(rowCount() - 1, Count));
}

QString LegendModel::queryOf(int row) const {
  return row < 0 || static_cast<size_t>(row) >= m_shown.size() ? QString()
                                                               : m_shown[static_cast<size_t>(row)].query;
}

int LegendModel::rowCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : static_cast<int>(m_shown.size());
}

int LegendModel::columnCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : 2; }

QVariant LegendModel::data(const QModelIndex& index, int role) const {
  if (!checkIndex(index, CheckIndexOption::IndexIsValid)) return {};
  const Category& category = m_shown[static_cast<size_t>(index.row())];
  if (role == Qt::ToolTipRole) return category.doc;
  if (index.column() == Count) {
    if (role == Qt::DisplayRole) return countText(category.count);
    if (role == Qt::TextAlignmentRole) return QVariant(Qt::AlignRight | Qt::AlignVCenter);
    return {};
  }
  if (role == Qt::DisplayRole) return category.name;
  if (role == Qt::DecorationRole) return decoration(swatchOf(category, m_theme, m_isRamp));
  if (role == Qt::AccessibleTextRole)
    return tr("%1, letter %2, %3 nodes").arg(category.name, category.letter).arg(category.count);
  return {};
}

} // namespace nodewise::ui
