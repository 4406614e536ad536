#include "ui/models/key_model.h"

#include <QFont>

#include <algorithm>
#include <array>

namespace nodewise::ui {

std::vector<KeyRow> keyRows(std::span<const KeyPart> now, std::span<const KeyPart> then) {
  std::vector<KeyRow> rows;
  size_t at = 0; // in `then`: what was passed over is absent now
  const auto isNow = [&](const KeyPart& part) {
    return std::ranges::find(now, part.name, &KeyPart::name) != now.end();
  };
  const auto addOnlyThen = [&] {
    for (; at < then.size() && !isNow(then[at]); ++at)
      rows.push_back(
          {QString::fromStdString(then[at].name), {}, QString::fromStdString(then[at].value), true});
  };
  for (const KeyPart& part : now) {
    addOnlyThen();
    KeyRow row{QString::fromStdString(part.name), QString::fromStdString(part.value), {}, false};
    const auto other = std::ranges::find(then, part.name, &KeyPart::name);
    if (other != then.end()) row.then = QString::fromStdString(other->value);
    row.differs = !then.empty() && row.then != row.now;
    rows.push_back(std::move(row));
    if (at < then.size() && then[at].name == part.name) ++at;
  }
  addOnlyThen();
  return rows;
}

void KeyModel::setRows(std::vector<KeyRow> rows, bool hasThen) {
  beginResetModel();
  m_rows = std::move(rows);
  m_hasThen = hasThen;
  endResetModel();
}

void KeyModel::setDarkTheme(bool dark) {
  m_theme = makeTheme(dark);
  if (!m_rows.empty()) Q_EMIT dataChanged(index(0, 0), index(rowCount() - 1, ColumnCount - 1));
}

QModelIndex KeyModel::firstDifference() const {
  const auto at = std::ranges::find(m_rows, true, &KeyRow::differs);
  return at == m_rows.end() ? QModelIndex() : index(static_cast<int>(at - m_rows.begin()), Part);
}

int KeyModel::rowCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : static_cast<int>(m_rows.size());
}

int KeyModel::columnCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : int(ColumnCount); }

QVariant KeyModel::data(const QModelIndex& index, int role) const {
  if (!checkIndex(index, CheckIndexOption::IndexIsValid)) return {};
  const KeyRow& row = m_rows[static_cast<size_t>(index.row())];
  if (role == Qt::DisplayRole || role == Qt::ToolTipRole || role == Qt::AccessibleTextRole) {
    const std::array<QString, ColumnCount> texts{row.name,
                                                 !m_hasThen    ? QString()
                                                 : row.differs ? QStringLiteral("≠")
                                                               : QStringLiteral("="),
                                                 row.now.value_or(tr("(absent)")),
                                                 m_hasThen ? row.then.value_or(tr("(absent)")) : QString()};
    return texts[static_cast<size_t>(index.column())];
  }
  if (role == Qt::FontRole && row.differs) {
    QFont font;
    font.setBold(true);
    return font;
  }
  if (role == Qt::BackgroundRole && row.differs) {
    QColor mark = m_theme.fill(statusRow(Status::Stale).colour);
    mark.setAlphaF(m_theme.dark ? 0.35F : 0.25F);
    return mark;
  }
  if (role == Qt::TextAlignmentRole)
    return QVariant((index.column() == Differs ? Qt::AlignHCenter : Qt::AlignLeft) | Qt::AlignVCenter);
  return {};
}

QVariant KeyModel::headerData(int section, Qt::Orientation orientation, int role) const {
  static const std::array<const char*, ColumnCount> kTitles{QT_TR_NOOP("Part"), "", QT_TR_NOOP("Now"),
                                                            QT_TR_NOOP("Then")};
  if (orientation == Qt::Horizontal && role == Qt::DisplayRole && section < ColumnCount)
    return tr(kTitles[static_cast<size_t>(section)]);
  return {};
}

} // namespace nodewise::ui
