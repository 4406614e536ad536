// The recorded runs, newest first: one is shown in the views of cost and time, two are compared.
#pragma once

#include "ui/models/table_model.h"
#include "ui/runs/run_service.h"

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

Q_SIGNALS:
  /// A run was picked to be looked at; the service reads it.
  void runPicked();
  /// Two runs are to be compared, the earlier one first.
  void compareRequested(qlonglong before, qlonglong after);
  /// A report of a run is to be written.
  void reportRequested(qlonglong run);

private:
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
  QLabel *m_problem, *m_empty;
  void exportRun(ExportFormat format);

  QToolButton *m_show, *m_compare, *m_export, *m_report;
};

} // namespace nodewise::ui
