// The filters that are set, each with a cross to take it off.
#pragma once

#include "ui/runs/node_filter.h"

#include <QHBoxLayout>
#include <QWidget>

namespace nodewise::ui {

class FilterBar : public QWidget {
  Q_OBJECT
public:
  explicit FilterBar(NodeFilter& filter, QWidget* parent = nullptr);

private:
  void rebuild();

  NodeFilter& m_filter;
  QHBoxLayout* m_layout;
};

} // namespace nodewise::ui
