// Keys of the canvas.
#include "ui/graph/graph_canvas.h"

#include <QKeyEvent>

#include <algorithm>
#include <cmath>
#include <optional>

namespace nodewise::ui {
namespace {

constexpr double kZoomStep = 1.25, kPanStep = 80;

std::optional<QPointF> directionOf(int key) {
  switch (key) {
  case Qt::Key_Left:
    return QPointF(-1, 0);
  case Qt::Key_Right:
    return QPointF(1, 0);
  case Qt::Key_Up:
    return QPointF(0, -1);
  case Qt::Key_Down:
    return QPointF(0, 1);
  default:
    return {};
  }
}

} // namespace

/// The nearest box in a direction; boxes to the side count as farther away. A frame is where its title is: it
/// is come to from what stands on it.
void GraphCanvas::pickTowards(QPointF direction) {
  if (!m_scene || m_scene->items.empty()) return;
  const QPointF from = m_selectedItem >= 0 ? handleOf(m_selectedItem).center()
                                           : m_view.toScene(QPointF(width() / 2.0, height() / 2.0));
  int best = -1;
  double bestCost = 1e18;
  for (size_t k = 0; k < m_scene->items.size(); ++k) {
    const SceneItem& item = m_scene->items[k];
    if (static_cast<int>(k) == m_selectedItem || item.kind == ItemKind::Value) continue;
    QPointF at = handleOf(static_cast<int>(k)).center();
    // Its title runs along all of a frame's upper edge.
    if (item.kind == ItemKind::Frame) at.setX(std::clamp(from.x(), item.rect.left(), item.rect.right()));
    const QPointF to = at - from;
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

/// Up: a producer of what the node reads; down: a reader; to the sides: the others of them, one after the
/// other.
void GraphCanvas::jump(QPointF direction) {
  if (!m_source || m_selected < 0) return;
  if (direction.y() != 0) {
    std::vector<NodeIndex> there = direction.y() < 0 ? producersOf(m_source->structure, m_selected)
                                                     : readersOf(m_source->structure, m_selected);
    if (there.empty()) return;
    m_siblings = std::move(there);
    Q_EMIT jumpRequested(m_siblings.front());
    return;
  }
  const auto at = std::ranges::find(m_siblings, m_selected);
  if (at == m_siblings.end() || m_siblings.size() < 2) return;
  const size_t step = direction.x() > 0 ? 1 : m_siblings.size() - 1;
  Q_EMIT jumpRequested(m_siblings[(static_cast<size_t>(at - m_siblings.begin()) + step) % m_siblings.size()]);
}

void GraphCanvas::keyPressEvent(QKeyEvent* event) {
  const GroupId group =
      m_scene && m_selectedItem >= 0 ? m_scene->items[static_cast<size_t>(m_selectedItem)].group : -1;
  const bool control = event->modifiers() & Qt::ControlModifier;
  if (const auto direction = directionOf(event->key())) {
    if (control) return jump(*direction);
    if (event->modifiers() & Qt::ShiftModifier) return panBy(*direction * -kPanStep);
    return pickTowards(*direction);
  }
  const int digit = event->key() - Qt::Key_0;
  if (digit >= 1 && digit <= 9 && !control) {
    Q_EMIT bookmarkRequested(digit, event->modifiers() & Qt::AltModifier);
    return;
  }
  switch (event->key()) {
  case Qt::Key_F:
    return fit();
  case Qt::Key_Plus:
  case Qt::Key_Equal:
    return zoomBy(kZoomStep);
  case Qt::Key_Minus:
    return zoomBy(1 / kZoomStep);
  case Qt::Key_Backspace:
    Q_EMIT leaveRequested();
    return;
  case Qt::Key_Escape:
    if (m_selectedItem >= 0) return pick(-1);
    Q_EMIT leaveRequested();
    return;
  case Qt::Key_Space:
    if (event->isAutoRepeat()) return;
    m_spaceHeld = true;
    m_spaceUsed = false;
    if (!m_pressed) setCursor(Qt::OpenHandCursor);
    return;
  case Qt::Key_Return:
  case Qt::Key_Enter:
    if (group >= 0 && control) Q_EMIT enterRequested(group);
    if (group >= 0 && !control) Q_EMIT toggleRequested(group);
    return;
  default:
    QWidget::keyPressEvent(event);
  }
}

/// Space that was held to drag has done its work; a tap fits.
void GraphCanvas::keyReleaseEvent(QKeyEvent* event) {
  if (event->key() != Qt::Key_Space || event->isAutoRepeat()) return QWidget::keyReleaseEvent(event);
  if (m_spaceHeld && !m_spaceUsed) fit();
  m_spaceHeld = false;
  if (!m_pressed) setCursor(Qt::ArrowCursor);
}

} // namespace nodewise::ui
