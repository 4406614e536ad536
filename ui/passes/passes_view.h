// What LLVM did to the selected node, pass by pass, with the IR before and after; and its assembly with what
// each instruction costs by LLVM's scheduling model.
#pragma once

#include "ui/models/table_model.h"
#include "ui/passes/node_service.h"
#include "ui/widgets/empty_text.h"

#include <QCheckBox>
#include <QLabel>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QTabWidget>
#include <QTableView>

namespace nodewise::ui {

class PassesView : public QWidget {
  Q_OBJECT
public:
  PassesView(NodeService& service, Document& document, QWidget* parent = nullptr);

  void showNode(NodeIndex node);

  TableModel& passes() { return m_passes; }
  TableModel& instructions() { return m_instructions; }
  QTableView& table() { return *m_table; }
  QTableView& assemblyTable() { return *m_assembly; }
  QCheckBox& unchangedToo() { return *m_unchanged; }
  QLineEdit& search() { return *m_search; }
  QTabWidget& tabs() { return *m_tabs; }
  QString emptyText() const { return m_empty->text(); }
  QString summary() const { return m_summary->text(); }
  QString differenceText() const { return m_difference->toPlainText(); }

protected:
  void showEvent(QShowEvent* event) override;

private:
  void ask();
  void show(const std::shared_ptr<const NodePasses>& passes);
  void filterRows();
  void showDifference();

  NodeService& m_service;
  Document& m_document;
  NodeIndex m_node = -1, m_asked = -1;
  std::shared_ptr<const NodePasses> m_recorded;
  TableModel m_passes, m_instructions;
  QLabel* m_summary;
  QTabWidget* m_tabs;
  EmptyText* m_empty;
  QTableView *m_table, *m_assembly;
  QPlainTextEdit* m_difference;
  QCheckBox* m_unchanged;
  QLineEdit* m_search;
};

/// Passes of a node, with code generation as the last row.
TableData passesTable(const std::shared_ptr<const NodePasses>& passes);
/// Lines of its assembly with their costs.
TableData instructionsTable(const std::shared_ptr<const NodePasses>& passes);

} // namespace nodewise::ui
