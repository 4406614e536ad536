// The cache as a table: filter, group, sort, select many, and act on what is selected, or else on all that
// matches.
#pragma once

#include "ui/cache/action_bar.h"
#include "ui/cache/cache_service.h"
#include "ui/cache/doctor_panel.h"
#include "ui/cache/entry_panel.h"
#include "ui/cache/group_panel.h"
#include "ui/models/cache_table_model.h"
#include "ui/widgets/column_fit.h"
#include "ui/widgets/empty_text.h"

#include <QAction>
#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QTableView>
#include <QTimer>
#include <QToolButton>
#include <QWidget>

#include <map>
#include <set>

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
  QComboBox& groupBox() { return *m_groupBy; }
  GroupPanel& groups() { return *m_groups; }
  ActionBar& actionBar() { return *m_bar; }
  DoctorPanel& doctorPanel() { return *m_doctor; }
  EntryPanel& entryPanel() { return *m_entry; }
  QToolButton& detailsButton() { return *m_details; }
  void setDarkTheme(bool dark) { m_entry->setDarkTheme(dark); }
  QAction& action(CacheAction action) { return *m_actions.at(action); }
  std::vector<int64_t> selectedEntries() const;
  /// What an action is about now: the selection, else all that match.
  CacheRequest request(CacheAction action) const;

  /// Order, widths and choice of the columns, and the grouping, for the next session.
  QByteArray saveColumns() const;
  void restoreColumns(const QByteArray& state);
  int grouping() const { return m_groupBy->currentIndex(); }
  void setGrouping(int row);

Q_SIGNALS:
  /// An entry was picked: nodes of this key are to be selected too.
  void keyPicked(const nodewise::Hash& key);

protected:
  bool eventFilter(QObject* object, QEvent* event) override;

private:
  void buildTable();
  void buildActions(QLayout& row);
  void fillColumnMenu();
  void layOut();
  void connectAll();
  void applyFilter();
  /// The text of the filter box and the picked group.
  QString filterText() const;
  void askForGroups();
  void showState();
  void showEmptyText();
  void refresh();
  std::vector<int> selectedRows() const; ///< ascending
  void rememberSelection();
  void restoreSelection();
  void keepAllSelected();
  void start(CacheAction action);
  void chooseExportFile(const CacheRequest& request);

  CacheService& m_service;
  CacheTableModel m_model;
  QLineEdit* m_filter;
  QComboBox* m_groupBy;
  QToolButton *m_details, *m_columns;
  QMenu* m_columnMenu;
  QLabel* m_problem;
  QLabel* m_totals;
  QTableView* m_table;
  EmptyText* m_empty;
  ColumnFit* m_fit = nullptr;
  GroupPanel* m_groups;
  ActionBar* m_bar;
  DoctorPanel* m_doctor;
  EntryPanel* m_entry;
  std::map<CacheAction, QAction*> m_actions;
  QTimer m_typing;
  EntryTotals m_counted;
  struct Kept {
    std::set<int64_t> ids; ///< of selected entries
    int64_t current = 0;
    int column = 0, scroll = 0;
  };
  Kept m_kept;
  bool m_forget = false;       ///< the next rows are of another question
  bool m_restoring = false;    ///< the selection is put back, not changed
  bool m_allMatching = false;  ///< everything that matches is selected, also what is not loaded
  bool m_failed = false;       ///< the last question
  bool m_refreshLater = false; ///< when the search that is going on has ended
};

} // namespace nodewise::ui
