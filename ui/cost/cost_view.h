// What the current run cost: by node, op or scope, phase by phase, with the total below; and when a compile
// pays.
#pragma once

#include "ui/models/table_model.h"
#include "ui/runs/node_filter.h"
#include "ui/runs/run_service.h"
#include "ui/widgets/empty_text.h"

#include <QComboBox>
#include <QLabel>
#include <QTabWidget>
#include <QTableView>
#include <QWidget>

namespace nodewise::ui {

class CostView : public QWidget {
  Q_OBJECT
public:
  CostView(RunService& service, NodeFilter& filter, QWidget* parent = nullptr);

  /// Selects a node of the run.
  void showNode(std::optional<size_t> node);

  /// All views show only the nodes of the current row.
  void filterToThis();

  TableModel& model() { return m_model; }
  QTableView& table() { return *m_table; }
  TableModel& breakEvenModel() { return m_evenModel; }
  QComboBox& groupBox() { return *m_group; }
  QTabWidget& tabs() { return *m_tabs; }
  QString rates() const { return m_rates->text(); }

Q_SIGNALS:
  /// A node of the run was picked: its position in the run's nodes.
  void nodePicked(qulonglong node);

private:
  void showRun();
  void fill();
  CostGroup group() const;

  RunService& m_service;
  NodeFilter& m_filter;
  TableModel m_model, m_evenModel;
  std::shared_ptr<const CostTable> m_costs;
  std::vector<size_t> m_evenNodes;
  QComboBox* m_group;
  QLabel *m_title, *m_rates;
  QTabWidget* m_tabs;
  EmptyText* m_empty;
  QTableView *m_table, *m_evenTable;
  bool m_showing = false;
};

} // namespace nodewise::ui
