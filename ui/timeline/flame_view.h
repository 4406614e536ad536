// Where the time went, as an icicle: graph, scope, op, node, phase, each as wide as it is dear. Click to come
// closer, Backspace or a click on a parent to go back.
#pragma once

#include "session/cost_tree.h"
#include "ui/runs/node_filter.h"
#include "ui/runs/run_service.h"
#include "ui/theme/theme.h"

#include <QWidget>

#include <optional>

namespace nodewise::ui {

class FlameView : public QWidget {
  Q_OBJECT
public:
  FlameView(RunService& service, NodeFilter& filter, QWidget* parent = nullptr);

  void setKind(CostKind kind);
  CostKind kind() const { return m_kind; }
  void setDarkTheme(bool dark);
  /// Marks the frames of a node of the run.
  void showNode(std::optional<size_t> node);

  /// A frame as it is drawn.
  struct Frame {
    int32_t at = 0; ///< in the tree
    QRectF rect;
  };
  const std::vector<Frame>& frames() const { return m_frames; }
  const std::vector<CostTreeNode>& tree() const { return m_tree; }
  int32_t focus() const { return m_focus; }
  /// All views show only the nodes in a frame; the root is all of them.
  void filterTo(int32_t at);

  QSize sizeHint() const override { return {600, 160}; }

Q_SIGNALS:
  void nodePicked(qulonglong node);

protected:
  void paintEvent(QPaintEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;
  void mouseReleaseEvent(QMouseEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  void contextMenuEvent(QContextMenuEvent* event) override;
  bool event(QEvent* event) override;

private:
  void rebuild();
  void place();
  void placeBelow(int32_t at, double x, double width, int depth);
  const Frame* frameAt(QPointF position) const;
  void focusOn(int32_t at);
  QColor colourOf(const CostTreeNode& node) const;
  QString shareText(const CostTreeNode& node) const;

  RunService& m_service;
  NodeFilter& m_filter;
  CostKind m_kind = CostKind::Compile;
  std::vector<CostTreeNode> m_tree;
  std::vector<Frame> m_frames;
  int32_t m_focus = 0;
  std::optional<size_t> m_node;
  Theme m_theme = makeTheme(false);
};

} // namespace nodewise::ui
