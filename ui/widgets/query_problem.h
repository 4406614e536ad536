// What is wrong with a query, under the field it was typed in: the query with the bad term marked, and what
// to write.
#pragma once

#include "cache/filter.h"

#include <QLabel>
#include <QLineEdit>

namespace nodewise::ui {

/// Rich text: the query with the bad term underlined and bold, then the error.
QString queryProblemText(const QString& query, const Error& error, FilterPlace place);

/// A note that floats below a field of a tool bar, over what is there; takes no focus.
class QueryProblem : public QLabel {
  Q_OBJECT
public:
  explicit QueryProblem(QLineEdit& field);

  void say(const Error& error, FilterPlace place);

protected:
  bool eventFilter(QObject* object, QEvent* event) override;

private:
  void place();

  QLineEdit& m_field;
};

} // namespace nodewise::ui
