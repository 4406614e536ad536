// The filters that are set, as chips with a cross each to take it off, and how many nodes they leave. Hidden
// while there are none.
#pragma once

#include "ui/runs/node_filter.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QWidget>

namespace nodewise::ui {

class FilterBar : public QWidget {
  Q_OBJECT
public:
  explicit FilterBar(NodeFilter& filter, QWidget* parent = nullptr);

  /// Of the open graph's nodes.
  void setCounts(int64_t kept, int64_t all);
  QString counts() const { return m_count->text(); }

private:
  void rebuild();

  NodeFilter& m_filter;
  QHBoxLayout* m_chips;
  QLabel* m_count;
};

} // namespace nodewise::ui
