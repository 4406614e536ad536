#include "ui/graph/mini_map.h"

#include "ui/graph/graph_canvas.h"

#include <QEvent>
#include <QMouseEvent>
#include <QPainter>

#include <algorithm>
#include <array>
#include <cmath>

namespace nodewise::ui {
namespace {

constexpr int kMargin = 8, kRedrawMs = 150;
constexpr double kMostWidth = 180, kMostHeight = 130;
constexpr double kMostShare = 0.3; ///< of the canvas, which may be small

} // namespace

MiniMap::MiniMap(GraphCanvas& canvas) : QWidget(&canvas), m_canvas(canvas) {
  setAccessibleName(tr("Map of the graph"));
  setToolTip(tr("Click or drag to go there"));
  setCursor(Qt::ArrowCursor);
  canvas.installEventFilter(this);
  m_redraw.setSingleShot(true);
  m_redraw.setInterval(kRedrawMs);
  connect(&m_redraw, &QTimer::timeout, this, &MiniMap::draw);
  connect(&canvas, &GraphCanvas::viewChanged, this, &MiniMap::follow);
  connect(&canvas, &GraphCanvas::selectionMoved, this, &MiniMap::follow);
  connect(&canvas, &GraphCanvas::pictureChanged, this, [this] {
    m_outdated = true;
    follow();
  });
  hide();
}

/// Shown only while a part of the scene is out of view.
void MiniMap::follow() {
  const Scene* scene = m_canvas.scene();
  const bool whole =
      !scene || scene->bounds.isEmpty() ||
      QRectF(m_canvas.rect()).adjusted(-1, -1, 1, 1).contains(m_canvas.view().toScreen(scene->bounds));
  setVisible(!whole);
  if (whole) return;
  const double scale =
      std::min(std::min(kMostWidth, kMostShare * m_canvas.width()) / scene->bounds.width(),
               std::min(kMostHeight, kMostShare * m_canvas.height()) / scene->bounds.height());
  const QSize wanted(std::max(24, static_cast<int>(std::lround(scene->bounds.width() * scale))),
                     std::max(24, static_cast<int>(std::lround(scene->bounds.height() * scale))));
  if (wanted != size()) {
    resize(wanted);
    m_outdated = true;
  }
  if (m_outdated && !m_redraw.isActive()) m_redraw.start();
  move(place());
  update();
}

/// The first corner where the map does not lie on what is picked: lower right, unless something is there.
QPoint MiniMap::place() const {
  const int right = m_canvas.width() - width() - kMargin, bottom = m_canvas.height() - height() - kMargin;
  const QRectF picked = m_canvas.screenRect(m_canvas.selectedItem());
  const std::array<QPoint, 4> corners{QPoint(right, bottom), QPoint(kMargin, bottom), QPoint(right, kMargin),
                                      QPoint(kMargin, kMargin)};
  const auto* const free = std::ranges::find_if(
      corners, [&](QPoint corner) { return !picked.intersects(QRectF(QRect(corner, size()))); });
  return free == corners.end() ? corners.front() : *free;
}

void MiniMap::draw() {
  if (!m_canvas.scene() || isHidden()) return; // drawn when it is shown again
  m_outdated = false;
  const double ratio = devicePixelRatioF();
  m_picture = QPixmap(size() * ratio);
  m_picture.setDevicePixelRatio(ratio);
  QPainter painter(&m_picture);
  m_canvas.paintWhole(painter, rect());
  painter.end();
  update();
}

bool MiniMap::eventFilter(QObject* object, QEvent* event) {
  if (object == &m_canvas && event->type() == QEvent::Resize) follow();
  return QWidget::eventFilter(object, event);
}

void MiniMap::paintEvent(QPaintEvent*) {
  const Scene* scene = m_canvas.scene();
  if (!scene) return;
  QPainter painter(this);
  painter.fillRect(rect(), palette().base());
  painter.drawPixmap(rect(), m_picture);
  const double scale = width() / scene->bounds.width();
  if (const int picked = m_canvas.selectedItem(); picked >= 0) {
    constexpr double kLeast = 5;
    const QRectF item = scene->items[static_cast<size_t>(picked)].rect;
    QRectF mark({}, (item.size() * scale).expandedTo(QSizeF(kLeast, kLeast)));
    mark.moveCenter((item.center() - scene->bounds.topLeft()) * scale);
    painter.setPen(QPen(palette().color(QPalette::Link), 2));
    painter.drawRect(mark);
  }
  const QRectF seen = m_canvas.view().toScene(QRectF(m_canvas.rect()));
  const QRectF frame =
      QRectF(seen.topLeft() * scale, seen.size() * scale).intersected(QRectF(rect()).adjusted(0, 0, -1, -1));
  QColor wash = palette().color(QPalette::Highlight);
  wash.setAlphaF(0.15F);
  painter.setBrush(wash);
  painter.setPen(QPen(palette().color(QPalette::Highlight), 1.5));
  painter.drawRect(frame);
  painter.setBrush(Qt::NoBrush);
  painter.setPen(QPen(palette().color(QPalette::Mid), 1));
  painter.drawRect(rect().adjusted(0, 0, -1, -1));
}

void MiniMap::goTo(QPointF here) {
  if (const Scene* scene = m_canvas.scene()) m_canvas.centreOn(here * (scene->bounds.width() / width()));
}

void MiniMap::mousePressEvent(QMouseEvent* event) { goTo(event->position()); }
void MiniMap::mouseMoveEvent(QMouseEvent* event) { goTo(event->position()); }

} // namespace nodewise::ui
