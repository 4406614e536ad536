// All nodes as a table.
#pragma once

#include "ui/document/document.h"
#include "ui/models/node_table_model.h"
#include "ui/widgets/empty_text.h"

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

Q_SIGNALS:
  void nodePicked(int node);
  /// The menu of the node that is selected is wanted.
  void contextMenuRequested(QPoint globalPosition);

private:
  void showEmptyText();

  NodeTableModel m_model;
  QTableView* m_table;
  EmptyText* m_empty;
  bool m_showing = false;
};

} // namespace nodewise::ui
