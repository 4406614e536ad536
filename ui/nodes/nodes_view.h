// All nodes as a table.
#pragma once

#include "ui/document/document.h"
#include "ui/models/node_table_model.h"

#include <QTableView>

namespace nodewise::ui {

class NodesView : public QWidget {
  Q_OBJECT
public:
  explicit NodesView(QWidget* parent = nullptr);

  NodeTableModel& model() { return m_model; }
  QTableView& table() { return *m_table; }
  /// Selects a node that was picked elsewhere.
  void showNode(NodeIndex node);
  void fitColumns();

Q_SIGNALS:
  void nodePicked(int node);

private:
  NodeTableModel m_model;
  QTableView* m_table;
  bool m_showing = false;
};

} // namespace nodewise::ui
