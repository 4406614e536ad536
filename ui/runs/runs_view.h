// The recorded runs, newest first: one is shown in the views of cost and time, two are compared.
#pragma once

#include "ui/models/table_model.h"
#include "ui/runs/run_service.h"
#include "ui/widgets/empty_text.h"

#include <QLabel>
#include <QLineEdit>
#include <QTableView>
#include <QToolButton>
#include <QWidget>

namespace nodewise::ui {

class RunsView : public QWidget {
  Q_OBJECT
public:
  explicit RunsView(RunService& service, QWidget* parent = nullptr);

  TableModel& model() { return m_model; }
  QTableView& table() { return *m_table; }
  QLineEdit& filterBox() { return *m_filter; }
  QString problem() const { return m_problem->isHidden() ? QString() : m_problem->text(); }
  QToolButton& compareButton() { return *m_compare; }
  QToolButton& reportButton() { return *m_report; }
  QToolButton& showButton() { return *m_show; }
  QAction& copyAction() { return *m_copyAction; }

Q_SIGNALS:
  /// A run was picked to be looked at; the service reads it.
  void runPicked();
  /// Two runs are to be compared, the earlier one first.
  void compareRequested(qlonglong before, qlonglong after);
  /// A report of a run is to be written.
  void reportRequested(qlonglong run);

private:
  void exportRun(ExportFormat format);
  void showRuns();
  void applyFilter();
  void updateButtons();
  std::vector<int64_t> selectedRuns() const; ///< ids, ascending
  /// The two runs to compare: those selected, or the selected one and the one before it of the same graph.
  std::optional<std::pair<int64_t, int64_t>> pair() const;

  RunService& m_service;
  TableModel m_model;
  QTableView* m_table;
  QLineEdit* m_filter;
  QLabel* m_problem;
  EmptyText* m_empty;
  void buildMenu();
  /// What the selected runs are shown by on the command line.
  QString commandLine() const;

  QToolButton *m_show, *m_compare, *m_export, *m_report;
  QAction *m_showAction, *m_compareAction, *m_reportAction, *m_exportAction, *m_copyAction;
};

} // namespace nodewise::ui
