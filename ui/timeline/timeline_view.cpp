#include "ui/timeline/timeline_view.h"

#include "cache/words.h"
#include "session/phase_table.h"
#include "ui/theme/numbers.h"
#include "ui/theme/text.h"

#include <QHelpEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QToolTip>

#include <algorithm>
#include <array>
#include <cmath>

namespace nodewise::ui {
namespace {

constexpr double kAxis = 24, kLane = 24, kGap = 4, kMargin = 8, kClick = 4;
constexpr double kZoomStep = 1.25, kPanStep = 60;
constexpr double kPhaseFrom = 140; // pixels: narrower spans name their node alone; the colour is the phase

} // namespace

QRgb phaseColour(size_t phase) {
  // Okabe and Ito's palette.
  static constexpr std::array<QRgb, 6> kColours{0xff999999, 0xff56b4e9, 0xffe69f00,
                                                0xffd55e00, 0xff009e73, 0xffcc79a7};
  return kColours[phase % kColours.size()];
}

TimelineView::TimelineView(RunService& service, NodeFilter& filter, QWidget* parent)
    : QWidget(parent), m_service(service), m_filter(filter) {
  setAccessibleName(tr("Timeline of the workers"));
  setFocusPolicy(Qt::StrongFocus);
  setMouseTracking(true);
  connect(&m_service, &RunService::shown, this, &TimelineView::showRun);
  connect(&m_filter, &NodeFilter::changed, this, [this] {
    const bool byTime = std::ranges::any_of(m_filter.entries(), [this](const NodeFilterEntry& e) {
      return m_selected && e.text == selectedText();
    });
    if (!byTime && m_drag == Drag::None) m_selected.reset();
    update();
  });
}

QString TimelineView::selectedText() const {
  return tr("time %1 to %2").arg(durationText(m_selected->first), durationText(m_selected->second));
}

void TimelineView::setDarkTheme(bool dark) {
  m_theme = makeTheme(dark);
  update();
}

void TimelineView::showRun() {
  const auto run = m_service.current();
  m_timeline = run ? makeTimeline(run->record) : Timeline();
  m_scale.setLength(m_timeline.length);
  m_selected.reset();
  m_node.reset();
  resizeEvent(nullptr);
  update();
}

double TimelineView::left() const {
  double widest = 0;
  for (const std::string& lane : m_timeline.lanes)
    widest = std::max(widest, fontMetrics().horizontalAdvance(text(lane)) + 2 * kMargin);
  return widest;
}

void TimelineView::resizeEvent(QResizeEvent*) { m_scale.setWidth(width() - left() - kMargin); }

double TimelineView::laneTop(size_t lane) const { return kAxis + static_cast<double>(lane) * (kLane + kGap); }

QRectF TimelineView::rectOf(const TimelineSpan& span) const {
  const double from = m_scale.x(span.start), to = m_scale.x(span.end());
  return {left() + from, laneTop(span.lane), std::max(to - from, 1.0), kLane};
}

std::pair<size_t, size_t> TimelineView::spansOf(size_t lane) const {
  const auto range = std::ranges::equal_range(m_timeline.spans, lane, {}, &TimelineSpan::lane);
  return {static_cast<size_t>(range.begin() - m_timeline.spans.begin()),
          static_cast<size_t>(range.end() - m_timeline.spans.begin())};
}

const TimelineSpan* TimelineView::spanAt(QPointF position) const {
  for (size_t lane = 0; lane < m_timeline.lanes.size(); ++lane) {
    if (position.y() < laneTop(lane) || position.y() > laneTop(lane) + kLane) continue;
    // The one under the mouse, or the nearest within a few pixels: most spans are thin.
    const auto [first, last] = spansOf(lane);
    const TimelineSpan* best = nullptr;
    double bestDistance = kClick;
    for (size_t s = first; s < last; ++s) {
      const QRectF rect = rectOf(m_timeline.spans[s]);
      const double distance = std::max({rect.left() - position.x(), position.x() - rect.right(), 0.0});
      if (distance >= bestDistance) continue;
      best = &m_timeline.spans[s];
      bestDistance = distance;
    }
    return best;
  }
  return nullptr;
}

void TimelineView::fit() {
  m_scale.fit();
  update();
}

void TimelineView::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  painter.fillRect(rect(), m_theme.canvas);
  painter.setPen(m_theme.quietText);
  if (m_timeline.spans.empty()) {
    painter.drawText(rect(), Qt::AlignCenter | Qt::TextWordWrap,
                     m_service.current()
                         ? tr("This run was recorded without times.")
                         : tr("No run to show. Compile a graph (F5), or pick a run in Runs."));
    return;
  }
  paintAxis(painter);
  for (size_t lane = 0; lane < m_timeline.lanes.size(); ++lane) paintLane(painter, lane);
  if (m_selected) {
    QColor shade = m_theme.accent;
    shade.setAlphaF(0.18F);
    const double from = left() + m_scale.x(m_selected->first), to = left() + m_scale.x(m_selected->second);
    const QRectF area(std::max(from, left()), 0, std::min(to, double(width())) - std::max(from, left()),
                      laneTop(m_timeline.lanes.size()));
    painter.fillRect(area, shade);
  }
  paintLegend(painter);
}

void TimelineView::paintAxis(QPainter& painter) const {
  const QFontMetrics metrics = fontMetrics();
  for (const TimeScale::Tick& tick :
       m_scale.ticks(metrics.horizontalAdvance(QStringLiteral("999.9 ms")) + 24)) {
    const double x = left() + m_scale.x(tick.ns);
    painter.setPen(m_theme.frameBorder);
    painter.drawLine(QPointF(x, 0), QPointF(x, laneTop(m_timeline.lanes.size())));
    painter.setPen(m_theme.quietText);
    if (x + 4 + metrics.horizontalAdvance(tick.text) <= width()) // half a number is another number
      painter.drawText(QPointF(x + 4, kAxis - 8), tick.text);
  }
}

void TimelineView::paintLane(QPainter& painter, size_t lane) const {
  const double top = laneTop(lane);
  painter.setPen(m_theme.text);
  painter.drawText(QRectF(0, top, left() - kMargin, kLane), Qt::AlignRight | Qt::AlignVCenter,
                   text(m_timeline.lanes[lane]));
  const QRectF area(left(), top, width() - left() - kMargin, kLane);
  painter.save();
  painter.setClipRect(area);
  painter.fillRect(area, m_theme.frame);
  const auto [first, last] = spansOf(lane);
  double drawnTo = -1; // spans thinner than a pixel share it
  size_t drawnPhase = kPhaseTable.size();
  for (size_t s = first; s < last; ++s) {
    const TimelineSpan& span = m_timeline.spans[s];
    if (span.end() < m_scale.from() || span.start > m_scale.to()) continue;
    const QRectF rect = rectOf(span);
    const bool marked = m_node == span.node;
    if (rect.right() <= drawnTo && span.phase == drawnPhase && !marked) continue;
    QColor colour = m_theme.fill(phaseColour(span.phase));
    if (!m_filter.keeps(span.node)) colour.setAlphaF(0.25F);
    painter.fillRect(rect, colour);
    drawnTo = rect.right();
    drawnPhase = span.phase;
    if (rect.width() > 40) {
      painter.setPen(m_filter.keeps(span.node) ? Theme::textOn(colour) : m_theme.quietText);
      painter.drawText(rect.adjusted(4, 0, -2, 0), Qt::AlignLeft | Qt::AlignVCenter,
                       fontMetrics().elidedText(rect.width() > kPhaseFrom ? textOf(span) : nodeText(span),
                                                Qt::ElideRight, static_cast<int>(rect.width()) - 6));
    }
    if (rect.width() > 4) {
      painter.setPen(m_theme.canvas);
      painter.drawLine(rect.topRight(), rect.bottomRight());
    }
  }
  if (lane == 0) paintBlanks(painter);
  for (size_t s = first; m_node && s < last; ++s)
    if (m_timeline.spans[s].node == *m_node) {
      painter.setPen(QPen(m_theme.text, 2));
      painter.drawRect(rectOf(m_timeline.spans[s]).adjusted(0, 1, 0, -1));
    }
  painter.restore();
}

/// What the session does where no node's phase is drawn, where there is room to say it.
void TimelineView::paintBlanks(QPainter& painter) const {
  const auto [first, last] = spansOf(0);
  painter.setPen(m_theme.quietText);
  int64_t from = 0;
  for (size_t s = first; s <= last; ++s) {
    const int64_t to = s < last ? m_timeline.spans[s].start : m_timeline.length;
    const QString words = s == first  ? tr("getting ready")
                          : s == last ? tr("recording the run")
                                      : tr("waiting for the workers");
    const double left = std::max(this->left() + m_scale.x(from), this->left()),
                 right = std::min(this->left() + m_scale.x(to), static_cast<double>(width()) - kMargin);
    if (right - left > fontMetrics().horizontalAdvance(words) + 2 * kMargin)
      painter.drawText(QRectF(left, laneTop(0), right - left, kLane), Qt::AlignCenter, words);
    if (s < last) from = std::max(from, m_timeline.spans[s].end());
  }
}

void TimelineView::paintLegend(QPainter& painter) const {
  double x = left();
  const double y = laneTop(m_timeline.lanes.size()) + 4;
  const QFontMetrics metrics = fontMetrics();
  for (size_t p = 0; p < kPhaseTable.size(); ++p) {
    const QString name = text(kPhaseTable[p].name);
    painter.fillRect(QRectF(x, y + 4, 10, 10), m_theme.fill(phaseColour(p)));
    painter.setPen(m_theme.text);
    painter.drawText(QPointF(x + 14, y + 4 + metrics.ascent() - 2), name);
    x += 14 + metrics.horizontalAdvance(name) + 16;
  }
}

QString TimelineView::textOf(const TimelineSpan& span) const {
  return text(kPhaseTable[span.phase].name) + QStringLiteral("  ") + nodeText(span);
}

QString TimelineView::nodeText(const TimelineSpan& span) const {
  const auto run = m_service.current();
  if (!run || span.node >= run->record.nodes.size()) return {};
  const RunNode& node = run->record.nodes[span.node];
  return text(nodeTitle(node.op, node.label));
}

bool TimelineView::event(QEvent* event) {
  if (event->type() != QEvent::ToolTip) return QWidget::event(event);
  const auto* help = static_cast<QHelpEvent*>(event);
  const TimelineSpan* span = spanAt(help->pos());
  const auto run = m_service.current();
  if (!span || !run) {
    if (const QString blank = blankText(help->pos()); !blank.isEmpty())
      QToolTip::showText(help->globalPos(), blank);
    else
      QToolTip::hideText();
    return true;
  }
  const RunNode& node = run->record.nodes[span->node];
  QToolTip::showText(help->globalPos(),
                     tr("%1\n%2\n%3, from %4\n%5")
                         .arg(textOf(*span), text(node.path), exactDurationText(span->duration),
                              durationText(span->start),
                              kPhaseTable[span->phase].onWorker
                                  ? text(kPhaseTable[span->phase].doc)
                                  : text(kPhaseTable[span->phase].doc) +
                                        tr(" Done for many nodes at once; this is one node's share.")));
  return true;
}

/// Why nothing is drawn where the mouse is; empty outside of the lanes.
QString TimelineView::blankText(QPointF position) const {
  for (size_t lane = 0; lane < m_timeline.lanes.size(); ++lane) {
    if (position.y() < laneTop(lane) || position.y() > laneTop(lane) + kLane || position.x() < left())
      continue;
    return lane == 0 ? tr("No node's own time: opening the cache, putting nodes of one key together, waiting "
                          "for the workers, recording the run")
                     : tr("This worker had nothing to do");
  }
  return {};
}

void TimelineView::mousePressEvent(QMouseEvent* event) {
  m_pressed = m_last = event->position();
  const bool pan = event->button() == Qt::MiddleButton ||
                   (event->button() == Qt::LeftButton && event->modifiers().testFlag(Qt::ShiftModifier));
  if (pan)
    m_drag = Drag::Pan;
  else if (event->button() == Qt::LeftButton && !m_timeline.spans.empty())
    m_drag = Drag::Select;
}

void TimelineView::mouseMoveEvent(QMouseEvent* event) {
  if (m_drag == Drag::Pan) m_scale.pan(m_last.x() - event->position().x());
  if (m_drag == Drag::Select && std::abs(event->position().x() - m_pressed.x()) > kClick) {
    const int64_t a = m_scale.at(m_pressed.x() - left()), b = m_scale.at(event->position().x() - left());
    m_selected = std::minmax(a, b);
  }
  m_last = event->position();
  if (m_drag != Drag::None) update();
}

void TimelineView::mouseReleaseEvent(QMouseEvent* event) {
  const Drag drag = std::exchange(m_drag, Drag::None);
  if (drag != Drag::Select) return;
  if (std::abs(event->position().x() - m_pressed.x()) > kClick && m_selected) {
    const auto run = m_service.current();
    if (!run) return;
    const auto [from, to] = *m_selected;
    m_filter.push(runFilter(selectedText(), nodesIn(m_timeline, run->record.nodes.size(), from, to)));
    return;
  }
  if (const TimelineSpan* span = spanAt(event->position())) {
    m_node = span->node;
    Q_EMIT nodePicked(span->node);
    update();
  }
}

/// A double click shows the span on the whole width.
void TimelineView::mouseDoubleClickEvent(QMouseEvent* event) {
  if (const TimelineSpan* span = spanAt(event->position()))
    m_scale.show(span->start - span->duration / 10, span->end() + span->duration / 10);
  else
    m_scale.fit();
  update();
}

void TimelineView::wheelEvent(QWheelEvent* event) {
  if (event->modifiers().testFlag(Qt::ShiftModifier) || event->angleDelta().y() == 0)
    m_scale.pan(-(event->angleDelta().x() + event->angleDelta().y()) / 2.0);
  else
    m_scale.zoom(std::pow(kZoomStep, event->angleDelta().y() / 120.0), event->position().x() - left());
  update();
  event->accept();
}

/// The node of the next or previous span is picked.
void TimelineView::step(int by) {
  if (m_timeline.spans.empty()) return;
  const auto count = static_cast<int64_t>(m_timeline.spans.size());
  const auto nodeAt = [&](int64_t at) { return m_timeline.spans[static_cast<size_t>(at)].node; };
  int64_t at = 0;
  if (m_node) {
    const auto found = std::ranges::find(m_timeline.spans, *m_node, &TimelineSpan::node);
    at = found == m_timeline.spans.end() ? 0 : found - m_timeline.spans.begin();
    while (at + by >= 0 && at + by < count && nodeAt(at) == *m_node) at += by; // past its other phases
  }
  m_node = nodeAt(at);
  Q_EMIT nodePicked(*m_node);
  update();
}

void TimelineView::keyPressEvent(QKeyEvent* event) {
  const double middle = (width() - left()) / 2;
  switch (event->key()) {
  case Qt::Key_Left:
    m_scale.pan(-kPanStep);
    break;
  case Qt::Key_Right:
    m_scale.pan(kPanStep);
    break;
  case Qt::Key_Up:
    step(-1);
    break;
  case Qt::Key_Down:
    step(1);
    break;
  case Qt::Key_Plus:
  case Qt::Key_Equal:
    m_scale.zoom(kZoomStep, middle);
    break;
  case Qt::Key_Minus:
    m_scale.zoom(1 / kZoomStep, middle);
    break;
  case Qt::Key_Space:
  case Qt::Key_Home:
    m_scale.fit();
    break;
  case Qt::Key_Escape:
    m_filter.removeLast();
    break;
  default:
    return QWidget::keyPressEvent(event);
  }
  update();
}

void TimelineView::showNode(std::optional<size_t> node) {
  if (m_node == node) return;
  m_node = node;
  if (node) {
    const auto span = std::ranges::find(m_timeline.spans, *node, &TimelineSpan::node);
    if (span != m_timeline.spans.end() && (span->end() < m_scale.from() || span->start > m_scale.to())) {
      const int64_t half = (m_scale.to() - m_scale.from()) / 2;
      m_scale.show(span->start - half, span->start + half);
    }
  }
  update();
}

} // namespace nodewise::ui
