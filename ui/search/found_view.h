// What the search found, as a narrow list beside the graph: outcome, op, quiet line, cost. A click goes
// there.
#pragma once

#include "ui/models/node_table_model.h"

#include <QLabel>
#include <QTableView>
#include <QWidget>

namespace nodewise::ui {

class FoundView : public QWidget {
  Q_OBJECT
public:
  explicit FoundView(QWidget* parent = nullptr);

  NodeTableModel& model() { return m_model; }
  QTableView& table() { return *m_table; }
  QString title() const { return m_title->text(); }
  /// In index order; `problem`: why there is nothing to show, else empty.
  void setFound(const std::vector<NodeIndex>& found, const QString& problem = {});
  /// Marks a node that was gone to, if it is in the list.
  void showNode(NodeIndex node);

Q_SIGNALS:
  void nodePicked(int node);

private:
  NodeTableModel m_model;
  QLabel* m_title;
  QTableView* m_table;
  bool m_showing = false;
};

} // namespace nodewise::ui
