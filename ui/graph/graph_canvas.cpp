#include "ui/graph/graph_canvas.h"

#include <QGestureEvent>
#include <QHelpEvent>
#include <QPaintEvent>
#include <QPainter>
#include <QToolTip>

#include <algorithm>
#include <cmath>

namespace nodewise::ui {

GraphCanvas::GraphCanvas(QWidget* parent) : QWidget(parent), m_theme(makeTheme(false)) {
  setFocusPolicy(Qt::StrongFocus);
  setMouseTracking(true);
  setAttribute(Qt::WA_OpaquePaintEvent);
  grabGesture(Qt::PinchGesture);
  setMinimumSize(160, 120);
  setAccessibleName(tr("Graph"));
  describe();
}

void GraphCanvas::setScene(std::shared_ptr<const SceneSource> source, std::shared_ptr<const Scene> scene) {
  const bool isNew = source != m_source;
  m_source = std::move(source);
  m_scene = std::move(scene);
  m_index = SceneIndex(*m_scene);
  m_hovered = -1;
  if (isNew) {
    // What is selected was said for this graph, before its scene was there; else it is out of range.
    if (m_selected >= static_cast<NodeIndex>(m_source->nodes.size())) m_selected = -1;
    if (m_selectedGroup >= static_cast<GroupId>(m_source->grouping.groups.size())) m_selectedGroup = -1;
    if (m_matches && m_matches->size() != m_source->nodes.size())
      m_matches.reset(); // else set for it already
    if (m_bytes && m_bytes->ofValue.size() != m_source->structure.levels.size()) m_bytes.reset();
    m_kept.reset();
    m_siblings.clear();
  }
  m_groups = totalsOfGroups(m_source->grouping, m_colouring);
  findItems();
  findSelected();
  if (isNew)
    showBeginning();
  else if (m_fitted)
    fit();
  else
    placeKept();
  // Groups that open or close may leave nothing where the view is.
  if (m_index.itemsIn(m_view.toScene(QRectF(rect()))).empty()) showBeginning();
  describe();
  moved();
  Q_EMIT pictureChanged();
}

void GraphCanvas::clearScene(const QString& waitingText) {
  m_waitingText = waitingText;
  m_source.reset();
  m_scene.reset();
  m_bytes.reset();
  m_index = {};
  m_selected = m_selectedGroup = m_selectedItem = m_hovered = -1;
  m_matches.reset();
  findItems();
  describe();
  moved();
  Q_EMIT pictureChanged();
}

void GraphCanvas::setColouring(Colouring colouring) {
  m_colouring = std::move(colouring);
  if (m_source) m_groups = totalsOfGroups(m_source->grouping, m_colouring);
  update();
  Q_EMIT pictureChanged();
}

void GraphCanvas::setDarkTheme(bool dark) {
  m_theme = makeTheme(dark);
  update();
  Q_EMIT pictureChanged();
}

void GraphCanvas::setMatches(std::optional<std::vector<bool>> matches) {
  m_matches = std::move(matches);
  findItems();
  update();
  Q_EMIT pictureChanged();
}

void GraphCanvas::findItems() {
  m_found.reset();
  if (m_scene && m_matches) m_found = foundItems(*m_scene, *m_matches);
}

void GraphCanvas::setEdgeBytes(std::shared_ptr<const EdgeBytes> bytes) {
  m_bytes = std::move(bytes);
  update();
  Q_EMIT pictureChanged();
}

void GraphCanvas::select(NodeIndex node) {
  if (node == m_selected && m_selectedGroup < 0) return;
  m_selected = node;
  m_selectedGroup = -1;
  findSelected();
  describe();
  update();
  Q_EMIT selectionMoved();
}

void GraphCanvas::selectGroup(GroupId group) {
  if (group == m_selectedGroup) return;
  m_selected = -1;
  m_selectedGroup = group;
  findSelected();
  describe();
  update();
  Q_EMIT selectionMoved();
}

void GraphCanvas::findSelected() {
  m_selectedItem = m_selectedGroup >= 0 ? itemOfGroup(m_selectedGroup) : itemOfNode(m_selected);
}

int GraphCanvas::itemAt(QPointF screen) const {
  if (!m_scene) return -1;
  const QPointF p = m_view.toScene(screen);
  const std::vector<int> items = m_index.itemsIn(QRectF(p, QSizeF(0, 0)));
  for (auto it = items.rbegin(); it != items.rend(); ++it) {
    const SceneItem& item = m_scene->items[static_cast<size_t>(*it)];
    if (item.kind == ItemKind::Value) continue;
    // A frame is picked by its title only: the rest of it is room to drag.
    if (item.kind == ItemKind::Frame && p.y() > item.rect.top() + kFrameTitle) continue;
    return *it;
  }
  return -1;
}

QRectF GraphCanvas::screenRect(int item) const {
  if (!m_scene || item < 0 || static_cast<size_t>(item) >= m_scene->items.size()) return {};
  return m_view.toScreen(m_scene->items[static_cast<size_t>(item)].rect);
}

int GraphCanvas::itemOfNode(NodeIndex node) const {
  if (!m_scene || node < 0 || static_cast<size_t>(node) >= m_scene->itemOfNode.size()) return -1;
  return m_scene->itemOfNode[static_cast<size_t>(node)];
}

int GraphCanvas::itemOfGroup(GroupId group) const {
  if (!m_scene || group < 0 || static_cast<size_t>(group) >= m_source->grouping.groups.size()) return -1;
  const NodeIndex owner = m_source->grouping.groups[static_cast<size_t>(group)].owner;
  if (owner >= 0) return itemOfNode(owner);
  for (size_t k = 0; k < m_scene->items.size(); ++k)
    if (m_scene->items[k].group == group) return static_cast<int>(k);
  return -1;
}

void GraphCanvas::fit() {
  if (!m_scene) return;
  m_view.fit(m_scene->bounds, size());
  m_fitted = true;
  moved();
}

/// All of it where it can be read so; else its beginning, near enough to be read. The map shows the rest.
void GraphCanvas::showBeginning() {
  constexpr double kReadable = 0.65, kGroupsReadable = 0.45, kNear = 0.9, kMargin = 24;
  fit();
  const bool groups = std::ranges::none_of(m_scene->items, [](const SceneItem& item) {
    return item.kind == ItemKind::Node || item.kind == ItemKind::Frame;
  });
  if (m_view.scale >= (groups ? kGroupsReadable : kReadable)) return;
  const auto first = std::ranges::min_element(m_scene->items, {}, [](const SceneItem& item) {
    return item.kind == ItemKind::Frame ? 1e18 : item.rect.top();
  });
  if (first == m_scene->items.end()) return;
  m_view.scale = kNear;
  m_view.centreOn(first->rect.center(), size());
  m_view.offset.setY(kMargin - m_scene->bounds.top() * kNear);
  // No empty room beside it.
  const double left = kMargin - m_scene->bounds.left() * kNear,
               right = width() - kMargin - m_scene->bounds.right() * kNear;
  m_view.offset.setX(left > right ? std::clamp(m_view.offset.x(), right, left) : (left + right) / 2);
  m_fitted = false;
  moved();
}

void GraphCanvas::zoomBy(double factor) {
  m_view.zoomAt(QPointF(width() / 2.0, height() / 2.0), factor);
  m_fitted = false;
  moved();
}

void GraphCanvas::panBy(QPointF pixels) {
  m_view.offset += pixels;
  m_fitted = false;
  moved();
}

void GraphCanvas::centreOn(QPointF scenePoint) {
  m_view.centreOn(scenePoint, size());
  m_fitted = false;
  moved();
}

void GraphCanvas::setView(const ViewTransform& view) {
  m_view = view;
  m_fitted = false;
  moved();
}

/// What has to be seen of an item, in the scene: of a frame its title, however large it is.
QRectF GraphCanvas::handleOf(int item) const {
  const SceneItem& shown = m_scene->items[static_cast<size_t>(item)];
  constexpr double kTitleWidth = 240;
  if (shown.kind != ItemKind::Frame) return shown.rect;
  return {shown.rect.topLeft(), QSizeF(std::min(shown.rect.width(), kTitleWidth), kFrameTitle)};
}

void GraphCanvas::reveal(int item) {
  if (screenRect(item).isEmpty()) return;
  const QRectF handle = handleOf(item), r = m_view.toScreen(handle);
  constexpr double kMargin = 40;
  if (m_view.scale < 0.5) {
    // Too far out to read: come closer.
    m_view.scale = 0.9;
    m_view.centreOn(handle.center(), size());
  } else if (!QRectF(rect()).adjusted(kMargin, kMargin, -kMargin, -kMargin).contains(r)) {
    m_view.centreOn(handle.center(), size());
  } else {
    return;
  }
  m_fitted = false;
  moved();
}

void GraphCanvas::keepInPlace(GroupId group) {
  const int item = itemOfGroup(group);
  if (item < 0) return;
  m_kept = Kept{group, screenRect(item).topLeft()};
  m_fitted = false;
}

void GraphCanvas::placeKept() {
  if (!m_kept) return;
  const int item = itemOfGroup(m_kept->group);
  if (item >= 0) m_view.offset += m_kept->screen - screenRect(item).topLeft();
  m_kept.reset();
}

void GraphCanvas::moved() {
  update();
  Q_EMIT viewChanged();
}

/// What a screen reader says of the picked item.
void GraphCanvas::describe() {
  if (!m_scene) return setAccessibleDescription(tr("No graph open"));
  if (m_selectedItem < 0) {
    setAccessibleDescription(
        tr("%1 boxes. Arrow keys pick a box, Enter opens or closes a group.").arg(m_scene->items.size()));
    return;
  }
  setAccessibleDescription(toolTipOf(m_selectedItem));
}

QString GraphCanvas::toolTipOf(int index) const {
  const SceneItem& item = m_scene->items[static_cast<size_t>(index)];
  QString text = item.title;
  if (!item.detail.isEmpty()) text += QStringLiteral(" · ") + item.detail;
  const auto n = static_cast<size_t>(item.node);
  if (item.node >= 0 && n < m_colouring.looks.size())
    text += QStringLiteral("\n") + m_colouring.categories[m_colouring.looks[n].category].name;
  if (item.node >= 0 && n < m_colouring.looks.size() && m_colouring.looks[n].mark > 0)
    text += QStringLiteral("\n") + m_colouring.marks[m_colouring.looks[n].mark].name;
  if (item.kind == ItemKind::Group) {
    const auto& counts = m_groups[static_cast<size_t>(item.group)].counts;
    for (size_t c = 0; c < counts.size(); ++c)
      if (counts[c] > 0) text += QStringLiteral("\n%1 %2").arg(counts[c]).arg(m_colouring.categories[c].name);
  }
  if (item.group >= 0) text += tr("\nDouble click opens or closes it");
  return text;
}

bool GraphCanvas::event(QEvent* event) {
  if (event->type() == QEvent::ToolTip && m_scene) {
    auto* help = static_cast<QHelpEvent*>(event);
    const int item = itemAt(help->pos());
    if (item >= 0)
      QToolTip::showText(help->globalPos(), toolTipOf(item), this);
    else
      QToolTip::hideText();
    return true;
  }
  if (event->type() == QEvent::Gesture) {
    if (auto* pinch =
            static_cast<QPinchGesture*>(static_cast<QGestureEvent*>(event)->gesture(Qt::PinchGesture))) {
      m_view.zoomAt(mapFromGlobal(pinch->centerPoint().toPoint()), pinch->scaleFactor());
      m_fitted = false;
      moved();
      return true;
    }
  }
  return QWidget::event(event);
}

PaintInput GraphCanvas::paintInput(const ViewTransform& view) const {
  return {*m_scene,
          m_index,
          *m_source,
          m_colouring,
          m_groups,
          m_theme,
          font(),
          view,
          m_selectedItem,
          m_hovered,
          m_found ? &*m_found : nullptr,
          m_bytes.get()};
}

void GraphCanvas::paintEvent(QPaintEvent* event) {
  QPainter painter(this);
  if (!m_scene) {
    painter.fillRect(event->rect(), m_theme.canvas);
    painter.setPen(m_theme.quietText);
    painter.drawText(rect(), Qt::AlignCenter, m_waitingText);
    return;
  }
  paintScene(painter, paintInput(m_view), event->rect());
  if (hasFocus()) {
    painter.setPen(QPen(m_theme.accent, 1));
    painter.setBrush(Qt::NoBrush);
    painter.drawRect(rect().adjusted(0, 0, -1, -1));
  }
}

void GraphCanvas::paintWhole(QPainter& painter, const QRect& rect) const {
  ViewTransform view;
  view.scale = rect.width() / m_scene->bounds.width();
  view.offset = rect.topLeft() - m_scene->bounds.topLeft() * view.scale;
  PaintInput input = paintInput(view);
  input.selectedItem = input.hovered = -1; // they come and go, the picture stays
  paintScene(painter, input, rect);
}

std::shared_ptr<const CanvasPicture> GraphCanvas::picture() const {
  if (!m_scene) return nullptr;
  return std::make_shared<const CanvasPicture>(
      CanvasPicture{m_source, m_scene, m_index, m_colouring, m_groups, m_theme, font(), m_bytes, m_found});
}

void GraphCanvas::resizeEvent(QResizeEvent*) {
  if (m_fitted) fit();
}

} // namespace nodewise::ui
