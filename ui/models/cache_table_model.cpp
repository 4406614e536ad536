#include "ui/models/cache_table_model.h"

#include "ui/theme/numbers.h"

#include <QDateTime>
#include <QFontDatabase>

#include <algorithm>
#include <array>

namespace nodewise::ui {
namespace {

constexpr int64_t kPage = 200, kMaxRefreshed = 10000;
constexpr int64_t kBudgetMs = 100; ///< rows that a slow search has found are shown so often

struct ColumnRow {
  const char* title;
  EntryColumn sort;
  bool number;
  QString (*text)(const EntryRow&);
  QString (*exact)(const EntryRow&); ///< null: as the text
};

QString stateText(const EntryRow& row) {
  const QString state = QString::fromStdString(row.state);
  return row.pinned ? state + QStringLiteral(", pinned") : state;
}

int64_t ageOf(const EntryRow& row) { return QDateTime::currentSecsSinceEpoch() - row.createdUnix; }

// In the order of CacheTableModel::Column.
constexpr std::array<ColumnRow, CacheTableModel::ColumnCount> kColumns{{
    {QT_TRANSLATE_NOOP("nodewise::ui::CacheTableModel", "Op"), EntryColumn::Op, false,
     [](const EntryRow& r) { return QString::fromStdString(r.op); }, nullptr},
    {QT_TRANSLATE_NOOP("nodewise::ui::CacheTableModel", "Detail"), EntryColumn::Label, false,
     [](const EntryRow& r) { return QString::fromStdString(r.label); }, nullptr},
    {QT_TRANSLATE_NOOP("nodewise::ui::CacheTableModel", "Dtype"), EntryColumn::Dtype, false,
     [](const EntryRow& r) { return QString::fromStdString(r.dtype); }, nullptr},
    {QT_TRANSLATE_NOOP("nodewise::ui::CacheTableModel", "State"), EntryColumn::State, false,
     [](const EntryRow& r) { return stateText(r); },
     [](const EntryRow& r) {
       return r.stateReason.empty()
                  ? stateText(r)
                  : stateText(r) + QStringLiteral(": ") + QString::fromStdString(r.stateReason);
     }},
    {QT_TRANSLATE_NOOP("nodewise::ui::CacheTableModel", "Compile"), EntryColumn::CompileNs, true,
     [](const EntryRow& r) { return durationText(r.compileNs); },
     [](const EntryRow& r) { return exactDurationText(r.compileNs); }},
    {QT_TRANSLATE_NOOP("nodewise::ui::CacheTableModel", "Size"), EntryColumn::ObjectBytes, true,
     [](const EntryRow& r) { return bytesText(r.objectBytes); },
     [](const EntryRow& r) { return countText(r.objectBytes) + QStringLiteral(" B"); }},
    {QT_TRANSLATE_NOOP("nodewise::ui::CacheTableModel", "Hits"), EntryColumn::Hits, true,
     [](const EntryRow& r) { return countText(r.hits); }, nullptr},
    {QT_TRANSLATE_NOOP("nodewise::ui::CacheTableModel", "Age"), EntryColumn::Created, true,
     [](const EntryRow& r) { return ageText(ageOf(r)); },
     [](const EntryRow& r) { return QDateTime::fromSecsSinceEpoch(r.createdUnix).toString(Qt::ISODate); }},
    {QT_TRANSLATE_NOOP("nodewise::ui::CacheTableModel", "Key"), EntryColumn::Key, false,
     [](const EntryRow& r) { return QString::fromStdString(r.key.shortHex()); },
     [](const EntryRow& r) { return QString::fromStdString(r.key.hex()); }},
    {QT_TRANSLATE_NOOP("nodewise::ui::CacheTableModel", "Level"), EntryColumn::OptLevel, false,
     [](const EntryRow& r) { return QStringLiteral("O%1").arg(r.optLevel); }, nullptr},
    {QT_TRANSLATE_NOOP("nodewise::ui::CacheTableModel", "CPU"), EntryColumn::Cpu, false,
     [](const EntryRow& r) { return QString::fromStdString(r.cpu); }, nullptr},
    {QT_TRANSLATE_NOOP("nodewise::ui::CacheTableModel", "LLVM"), EntryColumn::LlvmVersion, false,
     [](const EntryRow& r) { return QString::fromStdString(r.llvmVersion); }, nullptr},
    {QT_TRANSLATE_NOOP("nodewise::ui::CacheTableModel", "Unused for"), EntryColumn::Used, true,
     [](const EntryRow& r) { return ageText(QDateTime::currentSecsSinceEpoch() - r.usedUnix); },
     [](const EntryRow& r) { return QDateTime::fromSecsSinceEpoch(r.usedUnix).toString(Qt::ISODate); }},
}};

} // namespace

void CacheTableModel::ask(std::optional<EntryCursor> after, int64_t limit) {
  m_query.after = std::move(after);
  m_query.limit = limit;
  m_query.budgetMs = kBudgetMs;
  m_waiting = true;
  Q_EMIT pageWanted(++m_question, m_query);
}

void CacheTableModel::setFilter(Filter filter) {
  m_query.filter = std::move(filter);
  refresh();
  m_otherRows = true;
}

void CacheTableModel::sort(int column, Qt::SortOrder order) {
  if (column < 0 || column >= ColumnCount) return;
  // An old entry was created early: the age's order is that of the date turned round.
  const bool descending = (order == Qt::DescendingOrder) != (column == Age || column == LastUse);
  const EntryColumn sorted = kColumns[static_cast<size_t>(column)].sort;
  if (sorted == m_query.sort && descending == m_query.descending && m_question > 0) return;
  m_query.sort = sorted;
  m_query.descending = descending;
  startAnew(kPage);
}

void CacheTableModel::refresh() {
  startAnew(std::clamp(static_cast<int64_t>(m_rows.size()), kPage, kMaxRefreshed));
}

void CacheTableModel::startAnew(int64_t rows) {
  m_exchanging = true;
  m_searched = 0;
  m_wanted = static_cast<size_t>(rows);
  ask({}, rows);
}

void CacheTableModel::addPage(int question, const Result<EntryPage>& page) {
  if (question != m_question) return;
  m_waiting =
      page.ok() && page->partial; // views that ask for more while rows come in get what comes by itself
  const bool otherRows = std::exchange(m_otherRows, false);
  if (!page.ok()) {
    if (m_exchanging && otherRows) exchange({}); // those of another filter would be taken for its answer
    m_exchanging = false;
    m_searched = 0;
    Q_EMIT failed(page.error()); // what was found stays, and the search goes on where it was by scrolling
    Q_EMIT answered();
    return;
  }
  m_next = page->next;
  // What is to be refreshed stays on the screen until there is something to show in its place.
  const bool nothingYet = page->partial && page->rows.empty() && !otherRows;
  if (m_exchanging && !nothingYet) {
    m_exchanging = false;
    exchange(page->rows);
  } else if (!page->rows.empty()) {
    const int first = rowCount();
    beginInsertRows({}, first, first + static_cast<int>(page->rows.size()) - 1);
    m_rows.insert(m_rows.end(), page->rows.begin(), page->rows.end());
    endInsertRows();
  }
  m_searched += page->looked;
  const size_t found = m_exchanging ? 0 : m_rows.size();
  if (page->partial && found < m_wanted)
    ask(m_next, static_cast<int64_t>(m_wanted - found));
  else
    m_waiting = false, m_searched = 0;
  Q_EMIT answered();
}

/// Where the same entries stand in the same order only their cells change, and selections stay; else all is
/// new.
void CacheTableModel::exchange(std::vector<EntryRow> rows) {
  if (std::ranges::equal(rows, m_rows, {}, &EntryRow::id, &EntryRow::id)) {
    m_rows = std::move(rows);
    if (!m_rows.empty()) Q_EMIT dataChanged(index(0, 0), index(rowCount() - 1, ColumnCount - 1));
    return;
  }
  beginResetModel();
  m_rows = std::move(rows);
  endResetModel();
}

int CacheTableModel::rowOfKey(const Hash& key) const {
  const auto at = std::ranges::find(m_rows, key, &EntryRow::key);
  return at == m_rows.end() ? -1 : static_cast<int>(at - m_rows.begin());
}

int CacheTableModel::rowCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : static_cast<int>(m_rows.size());
}

int CacheTableModel::columnCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : int(ColumnCount);
}

QVariant CacheTableModel::data(const QModelIndex& index, int role) const {
  if (!checkIndex(index, CheckIndexOption::IndexIsValid)) return {};
  const EntryRow& row = entry(index.row());
  const ColumnRow& column = kColumns[static_cast<size_t>(index.column())];
  switch (role) {
  case Qt::DisplayRole:
    return column.text(row);
  case Qt::ToolTipRole:
    return (column.exact ? column.exact : column.text)(row);
  case Qt::TextAlignmentRole:
    return QVariant((column.number ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
  case Qt::FontRole:
    if (index.column() == Key) return QFontDatabase::systemFont(QFontDatabase::FixedFont);
    if (row.state != "live") { // it is not served
      QFont italic;
      italic.setItalic(true);
      return italic;
    }
    return {};
  default:
    return {};
  }
}

QVariant CacheTableModel::headerData(int section, Qt::Orientation orientation, int role) const {
  if (orientation == Qt::Horizontal && role == Qt::DisplayRole && section < ColumnCount)
    return tr(kColumns[static_cast<size_t>(section)].title);
  if (orientation == Qt::Horizontal && role == Qt::TextAlignmentRole && section < ColumnCount)
    return QVariant((kColumns[static_cast<size_t>(section)].number ? Qt::AlignRight : Qt::AlignLeft) |
                    Qt::AlignVCenter);
  return {};
}

bool CacheTableModel::canFetchMore(const QModelIndex& parent) const {
  return !parent.isValid() && m_next && !m_waiting;
}

void CacheTableModel::fetchMore(const QModelIndex& parent) {
  if (!canFetchMore(parent)) return;
  m_wanted = m_rows.size() + kPage;
  ask(m_next, kPage);
}

} // namespace nodewise::ui
