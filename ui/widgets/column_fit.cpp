#include "ui/widgets/column_fit.h"

#include <QDataStream>
#include <QEvent>
#include <QHeaderView>
#include <QIODevice>
#include <QScopedValueRollback>

#include <algorithm>
#include <numeric>

namespace nodewise::ui {
namespace {

constexpr int kMeasuredRows = 48;     ///< whose cells are laid out
constexpr int kReadRows = 400;        ///< whose texts are looked at before a column counts as empty
constexpr int kWidest = 640;          ///< of a column that does not stretch
constexpr int kLeastText = 80;        ///< a few letters, so that a cut text still says something
constexpr int kLeastStretched = 150;  ///< what the row is about is read first
constexpr quint32 kMark = 0x4e574331; ///< in front of what save() gives

/// So many of `rows` rows: the first ones, which are seen, and others spread over the rest.
std::vector<int> sampleOf(int rows, int most) {
  std::vector<int> sample(static_cast<size_t>(std::min(rows, most)));
  std::iota(sample.begin(), sample.end(), 0);
  if (rows <= most) return sample;
  const int first = most / 2, spread = most - first;
  for (int k = 0; k < spread; ++k)
    sample[static_cast<size_t>(first + k)] =
        first + static_cast<int>(static_cast<int64_t>(rows - first - 1) * k / std::max(spread - 1, 1));
  return sample;
}

int sumOf(const std::vector<int>& widths) { return std::accumulate(widths.begin(), widths.end(), 0); }

} // namespace

std::vector<int> shareWidth(std::span<const ColumnNeed> columns, int width, int stretched) {
  std::vector<int> widths;
  for (const ColumnNeed& need : columns) widths.push_back(need.wanted);
  if (sumOf(widths) > width)
    for (size_t c = 0; c < columns.size(); ++c) widths[c] = columns[c].tight;
  int over = sumOf(widths) - width;
  for (size_t c = columns.size(); c-- > 0 && over > 0;) {
    if (!columns[c].mayGo || static_cast<int>(c) == stretched) continue;
    over -= widths[c];
    widths[c] = 0;
  }
  if (over > 0) {
    const auto cutTo = [&](int limit) {
      for (size_t c = 0; c < columns.size(); ++c)
        if (widths[c] > 0 && !columns[c].isFixed)
          widths[c] = std::min(columns[c].tight, std::max(columns[c].least, limit));
      return sumOf(widths) <= width;
    };
    int fits = 0, tooWide = std::max(width, 1);
    while (tooWide - fits > 1) {
      const int middle = fits + (tooWide - fits) / 2;
      (cutTo(middle) ? fits : tooWide) = middle;
    }
    cutTo(fits);
  }
  const auto s = static_cast<size_t>(stretched);
  if (stretched >= 0 && s < columns.size() && widths[s] > 0 && !columns[s].isFixed)
    widths[s] += std::max(0, width - sumOf(widths));
  return widths;
}

ColumnFit::ColumnFit(QTableView& table, int stretched, Empty empty)
    : QObject(&table), m_table(table), m_stretched(stretched), m_empty(empty) {
  const QAbstractItemModel* model = table.model();
  table.horizontalHeader()->setStretchLastSection(false);
  table.installEventFilter(this);
  table.viewport()->installEventFilter(this);
  connect(table.horizontalHeader(), &QHeaderView::sectionResized, this, &ColumnFit::onResized);
  connect(table.horizontalHeader(), &QHeaderView::sortIndicatorChanged, this,
          [this] { fitSoon(Growth::OnlyWider); });
  connect(model, &QAbstractItemModel::modelReset, this, [this] { fitSoon(Growth::Any); });
  connect(model, &QAbstractItemModel::dataChanged, this, [this] { fitSoon(Growth::OnlyWider); });
  connect(model, &QAbstractItemModel::rowsInserted, this, [this](const QModelIndex&, int first) {
    if (first < kMeasuredRows) fitSoon(Growth::Any); // what comes in while scrolling must not move columns
  });
  fitSoon(Growth::Any);
}

/// Once for all changes of this moment, before the next picture.
void ColumnFit::fitSoon(Growth growth) {
  if (growth == Growth::Any) m_growth = growth;
  m_stale = true;
  if (m_waiting || !m_table.isVisible()) return;
  m_waiting = true;
  QMetaObject::invokeMethod(
      this,
      [this] {
        m_waiting = false;
        if (m_stale && m_table.isVisible()) fit();
      },
      Qt::QueuedConnection);
}

void ColumnFit::fit() {
  m_stale = false;
  measure();
  share();
}

bool ColumnFit::eventFilter(QObject* object, QEvent* event) {
  if (object == &m_table && event->type() == QEvent::Show && m_stale) fit();
  if (object == &m_table && (event->type() == QEvent::FontChange || event->type() == QEvent::StyleChange))
    fitSoon(Growth::Any);
  if (object == m_table.viewport() && event->type() == QEvent::Resize && !m_setting) share();
  return QObject::eventFilter(object, event);
}

QString ColumnFit::titleOf(int column) const {
  return m_table.model()->headerData(column, Qt::Horizontal).toString();
}

bool ColumnFit::hasTextIn(int column) const {
  const QAbstractItemModel& model = *m_table.model();
  return std::ranges::any_of(sampleOf(model.rowCount(), kReadRows), [&](int row) {
    const QModelIndex index = model.index(row, column);
    return !index.data().toString().isEmpty() || index.data(Qt::DecorationRole).isValid();
  });
}

ColumnNeed ColumnFit::needOf(int column) const {
  const QAbstractItemModel& model = *m_table.model();
  ColumnNeed need;
  if (m_table.isColumnHidden(column) && !m_gone.contains(column)) return need;
  const int rows = model.rowCount();
  const QHeaderView& header = *m_table.horizontalHeader();
  constexpr int kAir = 16;
  const bool isSorted = header.isSortIndicatorShown() && header.sortIndicatorSection() == column;
  const int whole = header.sectionSizeHint(column);
  const int bare = isSorted ? whole : header.fontMetrics().horizontalAdvance(titleOf(column)) + kAir;
  if (rows > 0 && !hasTextIn(column)) {
    need.wanted = need.tight = need.least = bare;
    need.mayGo = m_empty == Empty::Goes && rows <= kReadRows;
  } else {
    int cells = 0;
    for (const int row : sampleOf(rows, kMeasuredRows))
      cells = std::max(cells, m_table.sizeHintForIndex(model.index(row, column)).width());
    need.wanted = std::min(std::max(cells, whole), kWidest);
    need.tight = std::min(std::max(cells, bare), kWidest);
    const auto alignment = model.headerData(column, Qt::Horizontal, Qt::TextAlignmentRole).toInt();
    const int least = column == m_stretched ? kLeastStretched : std::max(bare, kLeastText);
    need.least = alignment & Qt::AlignRight ? need.tight : std::min(need.tight, least);
  }
  if (const auto dragged = m_dragged.constFind(titleOf(column)); dragged != m_dragged.constEnd()) {
    need.wanted = need.tight = need.least = *dragged;
    need.isFixed = true;
    need.mayGo = false;
  }
  return need;
}

void ColumnFit::measure() {
  const int columns = m_table.model()->columnCount();
  const std::vector<ColumnNeed> before = std::exchange(m_needs, {});
  const QScopedValueRollback setting(m_setting, true);
  for (const int column : std::as_const(m_gone))
    m_table.setColumnHidden(column, false); // else it has no size
  for (int c = 0; c < columns; ++c) m_needs.push_back(needOf(c));
  m_gone.clear();
  if (std::exchange(m_growth, Growth::OnlyWider) == Growth::Any || before.size() != m_needs.size()) return;
  for (size_t c = 0; c < before.size(); ++c)
    if (!m_needs[c].isFixed && m_needs[c].wanted > 0 && before[c].wanted > 0 && !before[c].isFixed)
      for (int ColumnNeed::*width : {&ColumnNeed::wanted, &ColumnNeed::tight})
        m_needs[c].*width = std::max(m_needs[c].*width, before[c].*width);
}

void ColumnFit::share() {
  if (m_needs.size() != static_cast<size_t>(m_table.model()->columnCount())) return;
  const QScopedValueRollback setting(m_setting, true);
  const std::vector<int> widths = shareWidth(m_needs, m_table.viewport()->width(), m_stretched);
  for (size_t k = 0; k < widths.size(); ++k) {
    const int column = static_cast<int>(k);
    if (m_needs[k].wanted == 0) continue; // hidden by choice
    if (widths[k] == 0) {
      m_gone.insert(column);
      m_table.setColumnHidden(column, true);
      continue;
    }
    if (m_gone.remove(column)) m_table.setColumnHidden(column, false);
    if (m_table.columnWidth(column) != widths[k]) m_table.setColumnWidth(column, widths[k]);
  }
}

/// By hand, unless it is this class that does it. What is left of the edge stays under the mouse; the
/// stretched column gives way where it stands to the right of it.
void ColumnFit::onResized(int column, int before, int now) {
  if (m_setting || m_needs.size() <= static_cast<size_t>(column)) return;
  if (before == 0 || now == 0) return fitSoon(Growth::Any); // a column was hidden or shown
  m_dragged.insert(titleOf(column), now);
  ColumnNeed& need = m_needs[static_cast<size_t>(column)];
  need.wanted = need.tight = need.least = now;
  need.isFixed = true;
  need.mayGo = false;
  const QHeaderView& header = *m_table.horizontalHeader();
  if (column == m_stretched || m_table.isColumnHidden(m_stretched) ||
      header.visualIndex(m_stretched) < header.visualIndex(column))
    return;
  const ColumnNeed& stretched = m_needs[static_cast<size_t>(m_stretched)];
  if (stretched.isFixed) return;
  const QScopedValueRollback setting(m_setting, true);
  const int others = header.length() - header.sectionSize(m_stretched);
  m_table.setColumnWidth(m_stretched, std::max(stretched.least, m_table.viewport()->width() - others));
}

QByteArray ColumnFit::save() const {
  QByteArray state;
  QDataStream out(&state, QIODevice::WriteOnly);
  out << kMark << m_table.horizontalHeader()->saveState() << m_dragged;
  return state;
}

bool ColumnFit::restore(const QByteArray& state) {
  quint32 mark = 0;
  QByteArray header;
  QHash<QString, int> dragged;
  QDataStream in(state);
  in >> mark >> header >> dragged;
  if (in.status() != QDataStream::Ok || mark != kMark) { // a header's own state, as it was kept before
    header = state;
    dragged.clear();
  }
  const QScopedValueRollback setting(m_setting, true);
  if (header.isEmpty() || !m_table.horizontalHeader()->restoreState(header)) return false;
  m_table.horizontalHeader()->setStretchLastSection(false);
  m_dragged = dragged;
  fitSoon(Growth::Any);
  return true;
}

} // namespace nodewise::ui
