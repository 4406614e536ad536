// What is selected on the cache page, and that it stays so while rows come and go.
#include "ui/cache/cache_view.h"
#include "ui/theme/numbers.h"

#include <QScrollBar>

#include <algorithm>
#include <utility>

namespace nodewise::ui {

/// As it is when other rows come, not when they were asked for: it may have changed since.
void CacheView::rememberSelection() {
  const std::vector<int64_t> ids = selectedEntries();
  m_kept.ids = std::set<int64_t>(ids.begin(), ids.end());
  const QModelIndex current = m_table->currentIndex();
  m_kept.current = current.isValid() ? m_model.entry(current.row()).id : 0;
  m_kept.column = std::max(0, current.column());
  m_kept.scroll = m_table->verticalScrollBar()->value();
}

void CacheView::restoreSelection() {
  if (std::exchange(m_forget, false)) return;
  m_restoring = true;
  QItemSelection selection;
  for (int row = 0; row < m_model.rowCount(); ++row) {
    const int64_t id = m_model.entry(row).id;
    if (m_kept.ids.contains(id))
      selection.select(m_model.index(row, 0), m_model.index(row, CacheTableModel::ColumnCount - 1));
    if (id == m_kept.current) // where the keyboard goes on from
      m_table->selectionModel()->setCurrentIndex(m_model.index(row, m_kept.column),
                                                 QItemSelectionModel::NoUpdate);
  }
  m_table->selectionModel()->select(selection, QItemSelectionModel::ClearAndSelect);
  m_table->verticalScrollBar()->setValue(m_kept.scroll);
  m_restoring = false;
  keepAllSelected();
}

void CacheView::keepAllSelected() {
  if (!m_allMatching) return;
  m_restoring = true;
  m_table->selectAll();
  m_restoring = false;
}

/// By ranges: asking the selection model for its rows takes a tenth of a second for some thousands.
std::vector<int> CacheView::selectedRows() const {
  std::vector<int> rows;
  for (const QItemSelectionRange& range : m_table->selectionModel()->selection())
    if (range.left() == 0)
      for (int row = range.top(); row <= range.bottom(); ++row) rows.push_back(row);
  std::ranges::sort(rows);
  const auto repeated = std::ranges::unique(rows);
  rows.erase(repeated.begin(), repeated.end());
  return rows;
}

std::vector<int64_t> CacheView::selectedEntries() const {
  std::vector<int64_t> ids;
  for (const int row : selectedRows()) ids.push_back(m_model.entry(row).id);
  return ids;
}

void CacheView::showKey(const Hash& key) {
  const int row = m_model.rowOfKey(key);
  // What is selected already stays so: it may be one of many.
  if (row < 0 || m_table->selectionModel()->isRowSelected(row)) return;
  m_allMatching = false;
  m_restoring = true; // what is shown here was picked elsewhere
  m_table->selectRow(row);
  m_table->scrollTo(m_model.index(row, 0));
  m_restoring = false;
}

CacheRequest CacheView::request(CacheAction action) const {
  CacheRequest request;
  request.action = action;
  if (actionRow(action).scope != ActionScope::Entries) return request;
  const std::vector<int> rows = selectedRows();
  if (!rows.empty() && !m_allMatching) {
    for (const int row : rows) {
      request.selection.ids.push_back(m_model.entry(row).id);
      request.keys.push_back(m_model.entry(row).key);
    }
    request.about = tr("%1 selected").arg(countedText(static_cast<int64_t>(rows.size()), tr("entry")));
    return request;
  }
  request.selection.filter = m_model.query().filter;
  const QString source = QString::fromStdString(request.selection.filter->source).simplified();
  request.about = source.isEmpty() ? tr("all entries") : tr("all that match %1").arg(source);
  return request;
}

} // namespace nodewise::ui
