// The search box: one query for graph and tables, with next and previous.
#pragma once

#include "cache/filter.h"
#include "session/session.h"
#include "ui/widgets/query_problem.h"

#include <QLabel>
#include <QLineEdit>
#include <QTimer>
#include <QToolButton>
#include <QWidget>

#include <vector>

namespace nodewise::ui {

class SearchBar : public QWidget {
  Q_OBJECT
public:
  explicit SearchBar(QWidget* parent = nullptr);

  QLineEdit& box() { return *m_box; }
  QString countText() const { return m_count->text(); }
  void setQuery(const QString& query);
  /// What the query found, or why it cannot be read.
  void setFound(std::vector<NodeIndex> found);
  void setProblem(const Error& problem, FilterPlace place);
  QueryProblem& problem() { return *m_problem; }
  /// The node that was gone to elsewhere, from where next and previous go on.
  void showNode(NodeIndex node);
  const std::vector<NodeIndex>& found() const { return m_found; }
  void next(int step);
  void clear();

Q_SIGNALS:
  /// The text changed and rests; empty: everything is to be shown.
  void queryChanged(const QString& query);
  void nodePicked(int node);
  /// What is found is to become a filter of all views.
  void filterRequested();

protected:
  bool eventFilter(QObject* object, QEvent* event) override;

private:
  void showCount();
  void settle(); ///< what is typed is looked for at once

  QLineEdit* m_box;
  QLabel* m_count;
  QueryProblem* m_problem;
  QToolButton *m_previous, *m_next;
  QTimer m_typing;
  std::vector<NodeIndex> m_found;
  size_t m_at = 0;
  bool m_stepped = false;
};

} // namespace nodewise::ui
