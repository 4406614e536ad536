// Two runs node by node: what is new, gone, came out otherwise, costs more or less; as a table, and as both
// graphs beside each other.
#pragma once

#include "ui/compare/compare_graphs.h"
#include "ui/models/table_model.h"
#include "ui/runs/run_service.h"
#include "ui/widgets/empty_text.h"

#include <QCheckBox>
#include <QComboBox>
#include <QLabel>
#include <QTableView>
#include <QWidget>

namespace nodewise::ui {

class CompareView : public QWidget {
  Q_OBJECT
public:
  CompareView(JobTracker& jobs, RunService& service, std::shared_ptr<LayoutCache> layouts,
              QWidget* parent = nullptr);

  void compare(int64_t before, int64_t after);
  void setDarkTheme(bool dark);
  /// Selects a node of the later run (or, where it is gone, of the earlier one) by its path.
  void showNode(const QString& path);

  TableModel& model() { return m_model; }
  CompareGraphs& graphs() { return *m_graphs; }
  QCheckBox& withGraphs() { return *m_withGraphs; }
  QTableView& table() { return *m_table; }
  QCheckBox& changedOnly() { return *m_changedOnly; }
  QComboBox& before() { return *m_before; }
  QComboBox& after() { return *m_after; }
  QString summary() const { return m_summary->text(); }

Q_SIGNALS:
  /// A row was picked; the path of the node in the later run, or in the earlier one where it is gone.
  void nodePicked(const QString& path);

protected:
  void showEvent(QShowEvent* event) override;

private:
  void listRuns();
  void ask();
  void show(const std::shared_ptr<const ComparedRuns>& runs);
  void fill();
  void filterRows();
  void readGraphs();
  void pickRow(size_t row);

  RunService& m_service;
  TableModel m_model;
  std::shared_ptr<const ComparedRuns> m_runs;
  QComboBox *m_before, *m_after;
  QCheckBox *m_changedOnly, *m_withGraphs;
  CompareGraphs* m_graphs;
  QLabel* m_summary;
  QTableView* m_table;
  EmptyText* m_empty;
  QString m_path; ///< of the node that is selected; of runs that come later it is marked too
  bool m_dark = false, m_showing = false, m_chosen = false, m_graphsStale = false, m_picking = false;
};

} // namespace nodewise::ui
