// Timeline and icicle of the current run beside each other, under the filters that all views share.
#pragma once

#include "ui/timeline/flame_view.h"
#include "ui/timeline/timeline_view.h"

#include <QComboBox>
#include <QTabWidget>

namespace nodewise::ui {

class TimeDock : public QWidget {
  Q_OBJECT
public:
  TimeDock(RunService& service, NodeFilter& filter, QWidget* parent = nullptr);

  TimelineView& timeline() { return *m_timeline; }
  FlameView& flame() { return *m_flame; }
  QTabWidget& tabs() { return *m_tabs; }
  QComboBox& kindBox() { return *m_kind; }
  void setDarkTheme(bool dark);
  void showNode(std::optional<size_t> node);

Q_SIGNALS:
  void nodePicked(qulonglong node);

private:
  TimelineView* m_timeline;
  FlameView* m_flame;
  QTabWidget* m_tabs;
  QComboBox* m_kind;
};

} // namespace nodewise::ui
