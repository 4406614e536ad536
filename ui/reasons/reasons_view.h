// Why nodes miss: root causes with what follows from them, suppositions, two keys beside each other, and the
// audit.
#pragma once

#include "ui/models/key_model.h"
#include "ui/models/table_model.h"
#include "ui/reasons/cascade_model.h"
#include "ui/reasons/reason_service.h"
#include "ui/runs/node_filter.h"
#include "ui/runs/run_service.h"
#include "ui/widgets/empty_text.h"

#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QTabWidget>
#include <QTableView>
#include <QTreeView>

namespace nodewise::ui {

class ReasonsView : public QWidget {
  Q_OBJECT
public:
  ReasonsView(ReasonService& service, Document& document, RunService& runs, NodeFilter& filter,
              QWidget* parent = nullptr);

  void setDarkTheme(bool dark);
  void showNode(NodeIndex node);
  /// Another graph: what was said is of nodes that are gone.
  void clear();
  /// The states of the graph changed.
  void refresh();
  /// The key of the selected node beside the nearest entry's, or what is chosen there.
  void showKeyTab();
  /// All views show only the current cause and what follows from it.
  void filterToThis();

  enum Tab { CausesTab, WhatIfTab, KeyTab, AuditTab };
  QTabWidget& tabs() { return *m_tabs; }
  CascadeModel& causes() { return m_causes; }
  QTreeView& causesTree() { return *m_tree; }
  TableModel& whatIfModel() { return m_whatIf; }
  QLineEdit& llvmVersion() { return *m_llvm; }
  QLineEdit& cpu() { return *m_cpu; }
  QLineEdit& versions() { return *m_versions; }
  QPushButton& lookUp() { return *m_lookUp; }
  QString whatIfText() const { return m_whatIfText->text(); }
  KeyModel& keyModel() { return m_key; }
  QComboBox& with() { return *m_with; }
  QLineEdit& entry() { return *m_entry; }
  QPushButton& runAudit() { return *m_runAudit; }
  TableModel& auditModel() { return m_audit; }
  QString auditText() const { return m_auditText->text(); }
  /// What a tab says in its table's place; empty: it shows the table.
  QString emptyText(Tab tab) const;

Q_SIGNALS:
  void nodePicked(int node);

protected:
  void showEvent(QShowEvent* event) override;

private:
  QWidget* makeCauses();
  QWidget* makeWhatIf();
  QWidget* makeKey();
  QWidget* makeAudit();
  void askForCauses();
  void askWhatIf();
  void askForKey();
  void tellCauses();
  void showKeptOfWhatIf();
  void showInTree(NodeIndex node);
  /// What the filters leave has changed.
  void follow();
  void showCauses(const std::vector<CascadeItem>& items, bool recorded);
  void showWhatIf(const std::shared_ptr<const WhatIf>& result);
  void showAudit(const std::shared_ptr<const AuditReport>& report);
  void showKeys();
  void listRuns();

  ReasonService& m_service;
  Document& m_document;
  RunService& m_runs;
  NodeFilter& m_filter;
  CascadeModel m_causes;
  TableModel m_whatIf, m_audit;
  KeyModel m_key;
  std::shared_ptr<const WhatIf> m_result;
  NodeIndex m_node = -1;
  KeySide m_now, m_then;
  bool m_stale = true, m_showing = false, m_dark = false;
  bool m_recorded = false; ///< the causes are those of a compile, not of what would miss now

  QTabWidget* m_tabs;
  QTreeView* m_tree;
  QLabel *m_causesText, *m_whatIfText, *m_keyText, *m_auditText;
  EmptyText *m_causesEmpty, *m_whatIfEmpty, *m_keyEmpty, *m_auditEmpty;
  QLineEdit *m_cpu, *m_llvm, *m_versions, *m_entry;
  QComboBox *m_level, *m_with;
  QPushButton *m_lookUp, *m_runAudit;
  QTableView *m_whatIfTable, *m_keyTable, *m_auditTable;
};

} // namespace nodewise::ui
