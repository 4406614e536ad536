// What the values of a run were like: for each input and output of each node its shape, range, nan and inf;
// and where the first nan came from.
#pragma once

#include "ui/models/table_model.h"
#include "ui/passes/node_service.h"
#include "ui/theme/theme.h"
#include "ui/widgets/empty_text.h"

#include <QCheckBox>
#include <QLabel>
#include <QPushButton>
#include <QTableView>

namespace nodewise::ui {

/// A row: one input or output of one node.
struct ValueRow {
  NodeIndex node = 0;
  bool output = false;
  size_t position = 0;
  const ValueStats* stats = nullptr;
  bool first = false; ///< the first nan or inf of the run comes from this node
};
struct ValueRows {
  std::shared_ptr<const ValueReport> report;
  std::vector<ValueRow> rows;
};
std::shared_ptr<const ValueRows> valueRows(const std::shared_ptr<const ValueReport>& report);
TableData valuesTable(const std::shared_ptr<const ValueRows>& rows, std::span<const NodeInfo> nodes,
                      const Theme& theme);

class ValuesView : public QWidget {
  Q_OBJECT
public:
  ValuesView(NodeService& service, Document& document, QWidget* parent = nullptr);

  void showNode(NodeIndex node);
  void setDarkTheme(bool dark);
  /// Another graph: what is shown belongs to the one before.
  void clear();

  TableModel& model() { return m_model; }
  QTableView& table() { return *m_table; }
  QPushButton& runButton() { return *m_run; }
  QCheckBox& badOnly() { return *m_badOnly; }
  QString emptyText() const { return m_empty->text(); }
  QString summary() const { return m_summary->text(); }

Q_SIGNALS:
  void nodePicked(int node);

private:
  void show(const std::shared_ptr<const ValueReport>& report);
  void fill();
  void filterRows();

  NodeService& m_service;
  Document& m_document;
  TableModel m_model;
  std::shared_ptr<const ValueRows> m_rows;
  QPushButton* m_run;
  QCheckBox* m_badOnly;
  QLabel* m_summary;
  QTableView* m_table;
  EmptyText* m_empty;
  bool m_dark = false, m_showing = false;
};

} // namespace nodewise::ui
