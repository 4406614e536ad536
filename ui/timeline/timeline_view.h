// What the session and its compile workers did when. Drag to select a stretch, which filters all views; wheel
// to zoom, Shift+drag or arrow keys to pan, click to pick a node, Esc to take the last filter off.
#pragma once

#include "session/timeline.h"
#include "ui/runs/node_filter.h"
#include "ui/runs/run_service.h"
#include "ui/theme/theme.h"
#include "ui/timeline/time_scale.h"

#include <QWidget>

#include <optional>

namespace nodewise::ui {

class TimelineView : public QWidget {
  Q_OBJECT
public:
  TimelineView(RunService& service, NodeFilter& filter, QWidget* parent = nullptr);

  void setDarkTheme(bool dark);
  /// Marks the spans of a node of the run, and brings the first of them into view.
  void showNode(std::optional<size_t> node);

  const Timeline& timeline() const { return m_timeline; }
  const TimeScale& scale() const { return m_scale; }
  /// Where a span is drawn, in the widget.
  QRectF rectOf(const TimelineSpan& span) const;
  const TimelineSpan* spanAt(QPointF position) const;
  void fit();

  QSize sizeHint() const override { return {600, 140}; }
  QSize minimumSizeHint() const override { return {200, 80}; }

Q_SIGNALS:
  /// A node of the run was picked.
  void nodePicked(qulonglong node);

protected:
  void paintEvent(QPaintEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void mouseReleaseEvent(QMouseEvent* event) override;
  void mouseDoubleClickEvent(QMouseEvent* event) override;
  void wheelEvent(QWheelEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  bool event(QEvent* event) override;

private:
  void showRun();
  void paintAxis(QPainter& painter) const;
  void paintLane(QPainter& painter, size_t lane) const;
  void paintLegend(QPainter& painter) const;
  std::pair<size_t, size_t> spansOf(size_t lane) const; ///< first, and after the last
  double laneTop(size_t lane) const;
  double left() const;
  QString textOf(const TimelineSpan& span) const;
  void step(int by);
  void paintBlanks(QPainter& painter) const;
  QString nodeText(const TimelineSpan& span) const;
  QString blankText(QPointF position) const;
  QString selectedText() const; ///< of the filter that the selected stretch makes

  RunService& m_service;
  NodeFilter& m_filter;
  Timeline m_timeline;
  TimeScale m_scale;
  Theme m_theme = makeTheme(false);
  std::optional<size_t> m_node;
  enum class Drag : uint8_t { None, Select, Pan } m_drag = Drag::None;
  QPointF m_pressed, m_last;
  std::optional<std::pair<int64_t, int64_t>> m_selected;
};

/// The colour of a phase (row of kPhaseTable); none of them is told by colour alone: the legend and tool tips
/// name it.
QRgb phaseColour(size_t phase);

} // namespace nodewise::ui
