// The cache as a table: filter, sort, select many, and act on what is selected.
#pragma once

#include "ui/cache/cache_service.h"
#include "ui/models/cache_table_model.h"

#include <QAction>
#include <QLabel>
#include <QLineEdit>
#include <QTableView>
#include <QTimer>
#include <QToolButton>
#include <QWidget>

namespace nodewise::ui {

class CacheView : public QWidget {
  Q_OBJECT
public:
  CacheView(CacheService& service, QWidget* parent = nullptr);

  /// Puts the entry of a key in view and selects it, if its row is loaded.
  void showKey(const Hash& key);
  QTableView& table() { return *m_table; }
  QLineEdit& filterBox() { return *m_filter; }
  CacheTableModel& model() { return m_model; }
  std::vector<int64_t> selectedEntries() const;

Q_SIGNALS:
  /// An entry was picked: nodes of this key are to be selected too.
  void keyPicked(const nodewise::Hash& key);
  void rerunRequested(const std::vector<int64_t>& entries);

private:
  void applyFilter();
  void showState();
  void refreshKeepingSelection();
  /// A command on the selected entries: a button in the row, and a line of the table's menu.
  QAction* addCommand(QLayout& row, const QString& text, const QKeySequence& keys, const QString& toolTip);

  CacheService& m_service;
  CacheTableModel m_model;
  QLineEdit* m_filter;
  QLabel* m_problem;
  QLabel* m_totals;
  QLabel* m_empty;
  QTableView* m_table;
  QAction *m_invalidate, *m_restore, *m_rerun, *m_pin, *m_unpin, *m_remove;
  QTimer m_typing;
  EntryTotals m_counted;
  bool m_restoring = false;
  bool m_failed = false; ///< the last question
};

} // namespace nodewise::ui
