// The whole scene, small, in a corner of the canvas: where one is, and a way to get elsewhere.
#pragma once

#include <QPixmap>
#include <QTimer>
#include <QWidget>

namespace nodewise::ui {

class GraphCanvas;

class MiniMap : public QWidget {
  Q_OBJECT
public:
  /// A child of the canvas, which it follows.
  explicit MiniMap(GraphCanvas& canvas);

protected:
  bool eventFilter(QObject* object, QEvent* event) override;
  void paintEvent(QPaintEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;

private:
  void follow();
  void draw();
  QPoint place() const;
  void goTo(QPointF here);

  GraphCanvas& m_canvas;
  QPixmap m_picture;
  QTimer m_redraw;         ///< pictures are made now and then, not with every change
  bool m_outdated = false; ///< the picture shows another scene, other colours or another size
};

} // namespace nodewise::ui
