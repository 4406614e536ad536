// The inspector: all about the selected node, the answer first.
#pragma once

#include "ui/document/document.h"
#include "ui/models/cost_model.h"
#include "ui/models/key_model.h"
#include "ui/widgets/empty_text.h"

#include <QLabel>
#include <QPlainTextEdit>
#include <QTabWidget>
#include <QTableView>
#include <QToolButton>

namespace nodewise::ui {

class Inspector : public QWidget {
  Q_OBJECT
public:
  Inspector(Document& document, QWidget* parent = nullptr);

  void showNode(NodeIndex node);
  /// What a group is and what it costs, in place of a node; -1: nothing.
  void showGroup(GroupId group);
  /// States changed: what is shown of the node is brought up to date.
  void refresh();
  void setDarkTheme(bool dark);

  QTabWidget& tabs() { return *m_tabs; }
  QString headline() const { return m_outcome->text(); }
  QString title() const { return m_title->text(); }
  QString reason() const { return m_reason->text(); }
  QString details() const { return m_quiet->text(); }
  const KeyModel& keyModel() const { return m_key; }
  const CostModel& costModel() const { return m_cost; }
  QString costNote() const { return m_costNote->text(); }
  QString codeText(int tab) const;

  enum Tab { KeyTab, CostTab, IrTab, OptimisedTab, AsmTab };

Q_SIGNALS:
  /// The reason, or the link below it, was clicked: the key is to be seen part by part beside another.
  void keyWanted();

protected:
  bool eventFilter(QObject* object, QEvent* event) override;

private:
  void showHead();
  void showCost();
  void showGroupHead();
  void showExplanation(NodeIndex node, const Result<Explanation>& explanation);
  void showCode(NodeIndex node, const Result<NodeCode>& code);
  void askForCode();
  QPlainTextEdit* addCodeTab(const QString& title, const QString& name);

  Document& m_document;
  NodeIndex m_node = -1;
  GroupId m_group = -1;
  bool m_codeAsked = false, m_dark = false;
  KeyModel m_key;
  CostModel m_cost;
  QToolButton* m_compare; ///< leads to the key view
  QLabel *m_title, *m_quiet, *m_outcome, *m_reason, *m_keyNote, *m_costNote;
  QTabWidget* m_tabs;
  EmptyText* m_empty;
  QTableView *m_keyTable, *m_costTable;
  QPlainTextEdit *m_ir, *m_optimised, *m_asm;
};

} // namespace nodewise::ui
