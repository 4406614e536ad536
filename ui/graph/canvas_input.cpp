// Mouse and wheel of the canvas.
#include "ui/graph/graph_canvas.h"

#include <QContextMenuEvent>
#include <QGuiApplication>
#include <QMouseEvent>
#include <QStyleHints>
#include <QWheelEvent>

#include <cmath>

namespace nodewise::ui {
namespace {

constexpr double kZoomStep = 1.25;

} // namespace

void GraphCanvas::pick(int item) {
  const SceneItem* picked = item >= 0 ? &m_scene->items[static_cast<size_t>(item)] : nullptr;
  m_selectedItem = item;
  m_selected = picked ? picked->node : -1;
  m_selectedGroup = picked && picked->node < 0 ? picked->group : -1;
  describe();
  update();
  const GroupId group = m_selectedGroup;
  Q_EMIT selectionMoved();
  Q_EMIT nodePicked(m_selected);
  if (group >= 0) Q_EMIT groupPicked(group);
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
  m_dragging = m_spaceUsed = true;
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

} // namespace nodewise::ui
