// Mouse, wheel and keys of the canvas.
#include "ui/graph/graph_canvas.h"

#include <QContextMenuEvent>
#include <QGuiApplication>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QStyleHints>
#include <QWheelEvent>

#include <cmath>

namespace nodewise::ui {
namespace {

constexpr double kZoomStep = 1.25, kPanStep = 80;

} // namespace

void GraphCanvas::pick(int item) {
  m_selectedItem = item;
  m_selected = item >= 0 ? m_scene->items[static_cast<size_t>(item)].node : -1;
  describe();
  update();
  Q_EMIT nodePicked(m_selected);
}

/// The nearest box in a direction; boxes to the side count as farther away.
void GraphCanvas::pickTowards(QPointF direction) {
  if (!m_scene || m_scene->items.empty()) return;
  const QPointF from = m_selectedItem >= 0 ? m_scene->items[static_cast<size_t>(m_selectedItem)].rect.center()
                                           : m_view.toScene(QPointF(width() / 2.0, height() / 2.0));
  int best = -1;
  double bestCost = 1e18;
  for (size_t k = 0; k < m_scene->items.size(); ++k) {
    const SceneItem& item = m_scene->items[k];
    if (static_cast<int>(k) == m_selectedItem || item.kind == ItemKind::Value || item.kind == ItemKind::Frame)
      continue;
    const QPointF to = item.rect.center() - from;
    const double along = QPointF::dotProduct(to, direction),
                 across = std::abs(to.x() * direction.y() - to.y() * direction.x());
    if (m_selectedItem >= 0 && along <= 1) continue;
    const double cost = m_selectedItem >= 0 ? along + 3 * across : std::hypot(to.x(), to.y());
    if (cost >= bestCost) continue;
    bestCost = cost;
    best = static_cast<int>(k);
  }
  if (best < 0) return;
  pick(best);
  reveal(best);
}

void GraphCanvas::wheelEvent(QWheelEvent* event) {
  if (!m_scene) return;
  if (event->modifiers() & Qt::ShiftModifier) {
    panBy(QPointF(event->angleDelta().y(), event->angleDelta().x()));
  } else if (!event->pixelDelta().isNull() && !(event->modifiers() & Qt::ControlModifier)) {
    panBy(event->pixelDelta()); // a touchpad's two fingers
  } else {
    m_view.zoomAt(event->position(), std::pow(kZoomStep, event->angleDelta().y() / 120.0));
    m_fitted = false;
    moved();
  }
  event->accept();
}

void GraphCanvas::mousePressEvent(QMouseEvent* event) {
  setFocus(Qt::MouseFocusReason);
  m_pressedAt = m_dragFrom = event->position();
  m_pressed = event->button() == Qt::LeftButton || event->button() == Qt::MiddleButton;
  m_dragging = event->button() == Qt::MiddleButton || (m_pressed && m_spaceHeld);
}

void GraphCanvas::mouseMoveEvent(QMouseEvent* event) {
  if (!m_pressed) {
    const int item = itemAt(event->position());
    if (item == m_hovered) return;
    m_hovered = item;
    setCursor(item >= 0 ? Qt::PointingHandCursor : Qt::ArrowCursor);
    update();
    return;
  }
  const int threshold = QGuiApplication::styleHints()->startDragDistance();
  if (!m_dragging && (event->position() - m_pressedAt).manhattanLength() < threshold) return;
  m_dragging = true;
  setCursor(Qt::ClosedHandCursor);
  panBy(event->position() - m_dragFrom);
  m_dragFrom = event->position();
}

void GraphCanvas::mouseReleaseEvent(QMouseEvent* event) {
  const bool click = m_pressed && !m_dragging && event->button() == Qt::LeftButton;
  m_pressed = m_dragging = false;
  setCursor(m_spaceHeld ? Qt::OpenHandCursor : Qt::ArrowCursor);
  if (click && m_scene) pick(itemAt(event->position()));
  update();
}

void GraphCanvas::mouseDoubleClickEvent(QMouseEvent* event) {
  const int item = itemAt(event->position());
  if (item < 0) return;
  const GroupId group = m_scene->items[static_cast<size_t>(item)].group;
  if (group >= 0) Q_EMIT toggleRequested(group);
}

void GraphCanvas::contextMenuEvent(QContextMenuEvent* event) {
  const int item = event->reason() == QContextMenuEvent::Mouse ? itemAt(event->pos()) : m_selectedItem;
  if (item < 0 || !m_scene) return;
  pick(item);
  const QPoint at =
      event->reason() == QContextMenuEvent::Mouse ? event->pos() : screenRect(item).center().toPoint();
  Q_EMIT contextMenuRequested(m_selected, mapToGlobal(at));
}

void GraphCanvas::keyPressEvent(QKeyEvent* event) {
  switch (event->key()) {
  case Qt::Key_F:
    return fit();
  case Qt::Key_Plus:
  case Qt::Key_Equal:
    return zoomBy(kZoomStep);
  case Qt::Key_Minus:
    return zoomBy(1 / kZoomStep);
  case Qt::Key_Escape:
    return pick(-1);
  case Qt::Key_Space:
    m_spaceHeld = true;
    if (!m_pressed) setCursor(Qt::OpenHandCursor);
    return;
  case Qt::Key_Return:
  case Qt::Key_Enter:
    if (m_selectedItem >= 0 && m_scene->items[static_cast<size_t>(m_selectedItem)].group >= 0)
      Q_EMIT toggleRequested(m_scene->items[static_cast<size_t>(m_selectedItem)].group);
    return;
  default:
    break;
  }
  QPointF direction;
  if (event->key() == Qt::Key_Left)
    direction = {-1, 0};
  else if (event->key() == Qt::Key_Right)
    direction = {1, 0};
  else if (event->key() == Qt::Key_Up)
    direction = {0, -1};
  else if (event->key() == Qt::Key_Down)
    direction = {0, 1};
  else
    return QWidget::keyPressEvent(event);
  if (event->modifiers() & Qt::ShiftModifier)
    panBy(direction * -kPanStep);
  else
    pickTowards(direction);
}

void GraphCanvas::keyReleaseEvent(QKeyEvent* event) {
  if (event->key() != Qt::Key_Space || event->isAutoRepeat()) return QWidget::keyReleaseEvent(event);
  m_spaceHeld = false;
  if (!m_pressed) setCursor(Qt::ArrowCursor);
}

} // namespace nodewise::ui
