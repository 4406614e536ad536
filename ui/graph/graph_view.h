// The graph page: canvas, where in the graph one is, what is said about its layout, and what is open.
#pragma once

#include "ui/graph/breadcrumb.h"
#include "ui/graph/graph_canvas.h"
#include "ui/jobs/job_tracker.h"
#include "ui/widgets/message_bar.h"

#include <QTimer>

namespace nodewise::ui {

class GraphView : public QWidget {
  Q_OBJECT
public:
  GraphView(JobTracker& jobs, DotSettings dot,
            std::shared_ptr<LayoutCache> layouts = std::make_shared<LayoutCache>(),
            QWidget* parent = nullptr);

  /// `title` is the first word of the breadcrumb.
  void setSource(std::shared_ptr<const SceneSource> source, const QString& title = {});
  /// Opens what hides a node, if anything does, and brings it into view.
  using QWidget::show;
  void show(NodeIndex node);
  /// The same for a group, which stays as open or closed as it is.
  void showGroup(GroupId group);
  void toggle(GroupId group);
  void openAll();
  void closeAll();
  /// Fills the picture with one group or inner graph; 0: the outer graph.
  void enter(GroupId group);
  /// What was open and seen another time; `view`: none shows the beginning.
  void setPlace(Extent extent, std::optional<ViewTransform> view);
  /// To the group around it.
  void leaveGroup();
  /// Shows a part of a level alone; null: everything again.
  void setFocus(std::shared_ptr<const Focus> focus);
  using QWidget::setFocus;

  GraphCanvas& canvas() { return *m_canvas; }
  const Extent& extent() const { return m_extent; }
  const OpenGroups& openGroups() const { return m_extent.open; }
  const LayoutCache& layouts() const { return *m_layouts; }
  bool isLayingOut() const { return m_layoutJob != 0; }
  void setDarkTheme(bool dark);
  /// Lane and slot of the layout jobs: views beside each other need one each.
  void setLane(const QString& lane) { m_lane = lane; }
  MessageBar& messages() { return *m_messages; }
  Breadcrumb& breadcrumb() { return *m_breadcrumb; }

Q_SIGNALS:
  void sceneShown();
  void extentChanged();

private:
  void layOut();
  void keepLayouts();
  void showScene(Scene scene);
  void changeExtent();
  bool isHidden(NodeIndex node) const;
  bool isHiddenGroup(GroupId group) const;

  JobTracker& m_jobs;
  DotSettings m_dot;
  std::shared_ptr<LayoutCache> m_layouts;
  std::shared_ptr<const SceneSource> m_source;
  QString m_title, m_lane = QStringLiteral("layout");
  Extent m_extent;
  GraphCanvas* m_canvas;
  MessageBar* m_messages;
  Breadcrumb* m_breadcrumb;
  QTimer m_slow; ///< the layout takes long: offer Cancel
  uint64_t m_layoutJob = 0;
  NodeIndex m_showNext = -1;               ///< to be revealed in the next scene
  GroupId m_showGroupNext = -1;            ///< likewise
  std::optional<ViewTransform> m_viewNext; ///< of the next scene
  bool m_fitNext = false;                  ///< another extent: look at all of it
};

} // namespace nodewise::ui
