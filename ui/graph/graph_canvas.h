// The drawing surface: shows a scene, moves over it, and says what was picked. Painted by hand, because a
// scene of thousands of items has to move at sixty frames a second.
#pragma once

#include "ui/graph/scene_painter.h"

#include <QWidget>

#include <memory>
#include <optional>

namespace nodewise::ui {

/// All that a picture of the canvas is made of: shared or copied, so that a worker can paint it.
struct CanvasPicture {
  std::shared_ptr<const SceneSource> source;
  std::shared_ptr<const Scene> scene;
  SceneIndex index;
  Colouring colouring;
  std::vector<GroupTotals> groups;
  Theme theme;
  QFont font;
  std::shared_ptr<const EdgeBytes> bytes;
  std::optional<std::vector<FoundItem>> found;

  PaintInput input() const {
    return {*scene,     index, *source, colouring, groups, theme, font, {}, -1, -1, found ? &*found : nullptr,
            bytes.get()};
  }
};

class GraphCanvas : public QWidget {
  Q_OBJECT
public:
  explicit GraphCanvas(QWidget* parent = nullptr);

  /// Shows a scene. `keep`: this item of the old scene stays where it was on the screen.
  void setScene(std::shared_ptr<const SceneSource> source, std::shared_ptr<const Scene> scene);
  /// Until the next scene, this text stands in its place.
  void clearScene(const QString& waitingText = {});
  void setColouring(Colouring colouring);
  void setDarkTheme(bool dark);
  /// Nodes that search and filters leave; none: nothing is dimmed.
  void setMatches(std::optional<std::vector<bool>> matches);
  /// Edges are as wide as what goes along them; null: all alike.
  void setEdgeBytes(std::shared_ptr<const EdgeBytes> bytes);
  /// A node or a group is shown as picked; it stays so in the next scenes, and from before the first one. -1:
  /// none. One of them at a time.
  void select(NodeIndex node);
  void selectGroup(GroupId group);

  bool isFitted() const { return m_fitted; } ///< everything is shown, and stays so when resized
  bool hasEdgeBytes() const { return m_bytes != nullptr; }
  bool hasScene() const { return m_scene != nullptr; }
  const Scene* scene() const { return m_scene.get(); }
  const ViewTransform& view() const { return m_view; }
  int itemAt(QPointF screen) const;
  /// Where an item is in the widget; empty if there is none.
  QRectF screenRect(int item) const;
  int itemOfNode(NodeIndex node) const;
  NodeIndex selected() const { return m_selected; }
  int selectedItem() const { return m_selectedItem; } ///< -1: nothing is picked
  /// The group that is picked; -1: a node is, or nothing.
  GroupId selectedGroup() const { return m_selectedGroup; }
  /// The item of a group, or of the node that holds it; -1: it is hidden.
  int itemOfGroup(GroupId group) const;
  const std::optional<std::vector<bool>>& matches() const { return m_matches; }

  void fit();
  void zoomBy(double factor);
  void panBy(QPointF pixels);
  void centreOn(QPointF scenePoint);
  void setView(const ViewTransform& view);
  /// All of the scene, in a rectangle of its shape, without what is picked.
  void paintWhole(QPainter& painter, const QRect& rect) const;
  /// What is seen now; null where there is no scene.
  std::shared_ptr<const CanvasPicture> picture() const;
  /// Moves as little as needed so that an item is well inside the view.
  void reveal(int item);
  /// After the next scene, the item of this group (or of its owner) stays where this item is now.
  void keepInPlace(GroupId group);

Q_SIGNALS:
  void nodePicked(int node);   ///< -1: nothing, or a group
  void groupPicked(int group); ///< after nodePicked(-1)
  void toggleRequested(int group);
  /// Of a node, or of a group (then `node` is -1).
  void contextMenuRequested(int node, QPoint globalPosition);
  void jumpRequested(int node); ///< along an edge
  void bookmarkRequested(int number, bool set);
  void enterRequested(int group);
  void leaveRequested(); ///< the group or focus that is shown
  void viewChanged();
  void pictureChanged(); ///< another scene, none, or other colours
  void selectionMoved(); ///< another item is picked, or none

protected:
  bool event(QEvent* event) override;
  void paintEvent(QPaintEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;
  void wheelEvent(QWheelEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void mouseReleaseEvent(QMouseEvent* event) override;
  void mouseDoubleClickEvent(QMouseEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  void keyReleaseEvent(QKeyEvent* event) override;
  void contextMenuEvent(QContextMenuEvent* event) override;

private:
  void findItems();
  struct Kept {
    GroupId group;
    QPointF screen;
  };
  void moved();
  PaintInput paintInput(const ViewTransform& view) const;
  void pick(int item);
  void pickTowards(QPointF direction);
  void jump(QPointF direction);
  void showBeginning();
  void placeKept();
  void findSelected();
  QRectF handleOf(int item) const;
  QString toolTipOf(int item) const;
  void describe();

  std::shared_ptr<const SceneSource> m_source;
  std::shared_ptr<const Scene> m_scene;
  SceneIndex m_index;
  Colouring m_colouring;
  std::vector<GroupTotals> m_groups;
  Theme m_theme;
  ViewTransform m_view;
  std::optional<std::vector<bool>> m_matches;
  std::optional<std::vector<FoundItem>> m_found; ///< of m_matches in the scene
  std::shared_ptr<const EdgeBytes> m_bytes;
  std::optional<Kept> m_kept;
  QString m_waitingText;
  std::vector<NodeIndex> m_siblings; ///< among which the last jump chose
  NodeIndex m_selected = -1;
  GroupId m_selectedGroup = -1;
  int m_selectedItem = -1, m_hovered = -1;
  bool m_fitted = true; ///< the view still shows everything: it keeps doing so when resized
  bool m_spaceHeld = false, m_spaceUsed = false, m_dragging = false, m_pressed = false;
  QPointF m_dragFrom, m_pressedAt;
};

} // namespace nodewise::ui
