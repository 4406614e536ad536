// The list of the open graph's problems; a click picks the node.
#pragma once

#include "ui/document/document.h"
#include "ui/problems/problems.h"
#include "ui/widgets/empty_text.h"

#include <QLabel>
#include <QTableView>

namespace nodewise::ui {

class ProblemsView : public QWidget {
  Q_OBJECT
public:
  explicit ProblemsView(Document& document, QWidget* parent = nullptr);

  void setDarkTheme(bool dark);
  void showNode(NodeIndex node);
  size_t count() const { return m_problems->size(); }
  TableModel& model() { return m_model; }
  QTableView& table() { return *m_table; }

Q_SIGNALS:
  void nodePicked(int node);
  void countChanged(qulonglong problems);

private:
  void refresh();
  void fill();

  Document& m_document;
  std::shared_ptr<const std::vector<Problem>> m_problems = std::make_shared<const std::vector<Problem>>();
  TableModel m_model;
  Theme m_theme = makeTheme(false);
  QTableView* m_table;
  EmptyText* m_empty;
  bool m_showing = false;
};

} // namespace nodewise::ui
