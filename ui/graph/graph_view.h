// The graph page: canvas, what is said about its layout, and the groups that are open.
#pragma once

#include "ui/graph/graph_canvas.h"
#include "ui/jobs/job_tracker.h"
#include "ui/widgets/message_bar.h"

#include <QTimer>

namespace nodewise::ui {

class GraphView : public QWidget {
  Q_OBJECT
public:
  GraphView(JobTracker& jobs, DotSettings dot, QWidget* parent = nullptr);

  void setSource(std::shared_ptr<const SceneSource> source);
  /// Opens what hides a node, if anything does, and brings it into view.
  using QWidget::show;
  void show(NodeIndex node);
  void toggle(GroupId group);
  void openAll();
  void closeAll();

  GraphCanvas& canvas() { return *m_canvas; }
  const OpenGroups& openGroups() const { return m_open; }
  bool isLayingOut() const { return m_layoutJob != 0; }
  void setDarkTheme(bool dark);
  MessageBar& messages() { return *m_messages; }

Q_SIGNALS:
  void sceneShown();

private:
  void layOut();
  void showScene(Scene scene);

  JobTracker& m_jobs;
  DotSettings m_dot;
  std::shared_ptr<LayoutCache> m_layouts = std::make_shared<LayoutCache>();
  std::shared_ptr<const SceneSource> m_source;
  OpenGroups m_open;
  GraphCanvas* m_canvas;
  MessageBar* m_messages;
  QTimer m_slow; ///< the layout takes long: offer Cancel
  uint64_t m_layoutJob = 0;
  NodeIndex m_showNext = -1; ///< to be revealed in the next scene
};

} // namespace nodewise::ui
