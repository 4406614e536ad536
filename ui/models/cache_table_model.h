// Entries of the cache, page by page. The model asks for pages by a signal and never waits; sorting and
// filtering are the database's.
#pragma once

#include "cache/list.h"
#include "ui/theme/theme.h"

#include <QAbstractTableModel>

namespace nodewise::ui {

class CacheTableModel : public QAbstractTableModel {
  Q_OBJECT
public:
  enum Column {
    Op,
    Label,
    Dtype,
    State,
    CompileCost,
    Size,
    Hits,
    Age,
    Key,
    Level,
    Cpu,
    Llvm,
    LastUse,
    ColumnCount
  };
  using QAbstractTableModel::QAbstractTableModel;

  /// Other rows are wanted: the table is asked for anew.
  void setFilter(Filter filter);
  void sort(int column, Qt::SortOrder order = Qt::AscendingOrder) override;
  /// Asks again for as many rows as are shown; they are exchanged when they come, without a flash of
  /// emptiness.
  void refresh();
  const EntryQuery& query() const { return m_query; }

  /// The answer to pageWanted(). Answers to older questions are dropped.
  void addPage(int question, const Result<EntryPage>& page);

  const EntryRow& entry(int row) const { return m_rows[static_cast<size_t>(row)]; }
  int rowOfKey(const Hash& key) const;
  bool complete() const { return !m_next.has_value(); }
  bool waiting() const { return m_waiting; }
  /// Rows that were looked at so far for patterns, while the search goes on; 0: it does not.
  int64_t searched() const { return m_waiting ? m_searched : 0; }

  int rowCount(const QModelIndex& parent = {}) const override;
  int columnCount(const QModelIndex& parent = {}) const override;
  QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
  QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;
  bool canFetchMore(const QModelIndex& parent) const override;
  void fetchMore(const QModelIndex& parent) override;

Q_SIGNALS:
  void pageWanted(int question, const nodewise::EntryQuery& query);
  void failed(const nodewise::Error& error);
  /// Rows came, or none did.
  void answered();

private:
  void ask(std::optional<EntryCursor> after, int64_t limit);
  void startAnew(int64_t rows);
  void exchange(std::vector<EntryRow> rows);

  EntryQuery m_query;
  std::vector<EntryRow> m_rows;
  std::optional<EntryCursor> m_next;
  int m_question = 0;
  int64_t m_searched = 0;
  size_t m_wanted = 0; ///< rows that the present search is to find
  bool m_waiting = false, m_exchanging = false;
  bool m_otherRows = false; ///< what is shown is of another filter than what is asked for
};

} // namespace nodewise::ui
