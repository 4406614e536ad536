#include "ui/timeline/flame_view.h"

#include "ui/theme/numbers.h"
#include "ui/theme/text.h"

#include <QContextMenuEvent>
#include <QHelpEvent>
#include <QMenu>
#include <QMouseEvent>
#include <QPainter>
#include <QToolTip>

#include <algorithm>
#include <cmath>

namespace nodewise::ui {
namespace {

constexpr double kRow = 24, kLeastWidth = 0.5, kTextWidth = 28;

QString emptyText(CostKind kind, bool anyRun) {
  if (!anyRun) return FlameView::tr("No run to show. Compile a graph (F5), or pick a run in Runs.");
  if (kind == CostKind::Run)
    return FlameView::tr("This run has no run times: press Run, which times each node.");
  if (kind == CostKind::Saved) return FlameView::tr("Nothing was saved: no node of this run hit.");
  return FlameView::tr("This run cost nothing that was measured.");
}

} // namespace

FlameView::FlameView(RunService& service, NodeFilter& filter, QWidget* parent)
    : QWidget(parent), m_service(service), m_filter(filter) {
  setAccessibleName(tr("Icicle graph of costs"));
  setFocusPolicy(Qt::StrongFocus);
  setMouseTracking(true);
  connect(&m_service, &RunService::shown, this, &FlameView::rebuild);
  connect(&m_filter, &NodeFilter::changed, this, &FlameView::rebuild);
}

void FlameView::setKind(CostKind kind) {
  m_kind = kind;
  rebuild();
}

void FlameView::setDarkTheme(bool dark) {
  m_theme = makeTheme(dark);
  update();
}

void FlameView::showNode(std::optional<size_t> node) {
  m_node = node;
  update();
}

void FlameView::rebuild() {
  const auto run = m_service.current();
  m_tree.clear();
  if (run) {
    const std::vector<bool> kept = m_filter.kept(run->record.nodes.size());
    m_tree = costTree(run->record, m_kind, m_filter.empty() ? nullptr : &kept);
  }
  m_focus = 0;
  place();
}

void FlameView::resizeEvent(QResizeEvent*) { place(); }

void FlameView::place() {
  m_frames.clear();
  if (!m_tree.empty() && m_tree[0].cost > 0) {
    // What is above the focus spans the whole width.
    std::vector<int32_t> above;
    for (int32_t at = m_tree[static_cast<size_t>(m_focus)].parent; at >= 0;
         at = m_tree[static_cast<size_t>(at)].parent)
      above.push_back(at);
    int depth = 0;
    for (auto at = above.rbegin(); at != above.rend(); ++at)
      m_frames.push_back({*at, QRectF(0, kRow * depth++, width(), kRow)});
    placeBelow(m_focus, 0, width(), depth);
  }
  double bottom = 60;
  for (const Frame& frame : m_frames) bottom = std::max(bottom, frame.rect.bottom());
  setMinimumHeight(static_cast<int>(std::ceil(bottom)));
  update();
}

void FlameView::placeBelow(int32_t at, double x, double width, int depth) {
  if (width < kLeastWidth) return;
  m_frames.push_back({at, QRectF(x, kRow * depth, width, kRow)});
  const CostTreeNode& node = m_tree[static_cast<size_t>(at)];
  for (const int32_t child : node.children) {
    const double part =
        width * static_cast<double>(m_tree[static_cast<size_t>(child)].cost) / static_cast<double>(node.cost);
    placeBelow(child, x, part, depth + 1);
    x += part;
  }
}

QColor FlameView::colourOf(const CostTreeNode& node) const {
  const CostTreeNode& root = m_tree[0];
  return costColour(logPosition(node.cost, std::max<int64_t>(root.cost / 10'000, 1), root.cost));
}

QString FlameView::shareText(const CostTreeNode& node) const {
  return QStringLiteral("%1 %").arg(
      100.0 * static_cast<double>(node.cost) / static_cast<double>(m_tree[0].cost), 0, 'f', 1);
}

void FlameView::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  painter.fillRect(rect(), m_theme.canvas);
  if (m_frames.empty()) {
    painter.setPen(m_theme.quietText);
    painter.drawText(rect(), Qt::AlignCenter | Qt::TextWordWrap,
                     emptyText(m_kind, m_service.current() != nullptr));
    return;
  }
  for (const Frame& frame : m_frames) {
    const CostTreeNode& node = m_tree[static_cast<size_t>(frame.at)];
    QColor colour = colourOf(node);
    if (m_theme.dark) colour = colour.darker(125);
    const QRectF rect = frame.rect.adjusted(0, 0, frame.rect.width() > 3 ? -1 : 0, -1);
    painter.fillRect(rect, colour);
    if (m_node && node.node == m_node) {
      painter.setPen(QPen(m_theme.text, 2));
      painter.drawRect(rect.adjusted(1, 1, -1, -1));
    }
    if (rect.width() < kTextWidth) continue;
    painter.setPen(Theme::textOn(colour));
    const QString words = text(node.name) + QStringLiteral("  ") + durationText(node.cost);
    painter.drawText(rect.adjusted(4, 0, -2, 0), Qt::AlignLeft | Qt::AlignVCenter,
                     fontMetrics().elidedText(words, Qt::ElideRight, static_cast<int>(rect.width()) - 6));
  }
}

const FlameView::Frame* FlameView::frameAt(QPointF position) const {
  const auto at = std::ranges::find_if(m_frames, [&](const Frame& f) { return f.rect.contains(position); });
  return at == m_frames.end() ? nullptr : &*at;
}

bool FlameView::event(QEvent* event) {
  if (event->type() != QEvent::ToolTip) return QWidget::event(event);
  const auto* help = static_cast<QHelpEvent*>(event);
  if (const Frame* frame = frameAt(help->pos())) {
    const CostTreeNode& node = m_tree[static_cast<size_t>(frame->at)];
    QToolTip::showText(help->globalPos(),
                       tr("%1\n%2, %3 of all")
                           .arg(text(node.path.empty() ? node.name : node.name + "\n" + node.path),
                                exactDurationText(node.cost), shareText(node)));
  } else {
    QToolTip::hideText();
  }
  return true;
}

void FlameView::focusOn(int32_t at) {
  m_focus = at;
  if (const auto& node = m_tree[static_cast<size_t>(at)].node) {
    m_node = node;
    Q_EMIT nodePicked(*node);
  }
  place();
}

void FlameView::mouseReleaseEvent(QMouseEvent* event) {
  if (event->button() != Qt::LeftButton) return;
  if (const Frame* frame = frameAt(event->position())) focusOn(frame->at);
}

void FlameView::filterTo(int32_t at) {
  const auto run = m_service.current();
  if (!run || at <= 0 || static_cast<size_t>(at) >= m_tree.size()) return;
  std::vector<bool> nodes(run->record.nodes.size());
  std::vector<int32_t> waiting{at};
  while (!waiting.empty()) {
    const CostTreeNode& below = m_tree[static_cast<size_t>(waiting.back())];
    waiting.pop_back();
    if (below.node && *below.node < nodes.size()) nodes[*below.node] = true;
    waiting.insert(waiting.end(), below.children.begin(), below.children.end());
  }
  // A phase is not a node: what is kept is the node that it belongs to.
  const CostTreeNode* named = &m_tree[static_cast<size_t>(at)];
  if (named->node && m_tree[static_cast<size_t>(named->parent)].node == named->node)
    named = &m_tree[static_cast<size_t>(named->parent)];
  m_filter.push(runFilter(text(named->name), std::move(nodes)));
}

void FlameView::contextMenuEvent(QContextMenuEvent* event) {
  int32_t at = m_focus; // by the key
  if (event->reason() == QContextMenuEvent::Mouse) {
    const Frame* frame = frameAt(event->pos());
    if (!frame) return;
    at = frame->at;
  }
  if (m_tree.empty()) return;
  QMenu menu(this);
  QAction* filterTo = menu.addAction(tr("Filter to this"), this, [this, at] { this->filterTo(at); });
  filterTo->setEnabled(at > 0);
  QAction* closer = menu.addAction(tr("Come closer"), this, [this, at] { focusOn(at); });
  closer->setEnabled(at != m_focus);
  QAction* back = menu.addAction(tr("Show all"), this, [this] { focusOn(0); });
  back->setEnabled(m_focus != 0);
  menu.exec(event->globalPos());
}

void FlameView::keyPressEvent(QKeyEvent* event) {
  if (m_tree.empty()) return QWidget::keyPressEvent(event);
  const CostTreeNode& focused = m_tree[static_cast<size_t>(m_focus)];
  const auto sibling = [&](int by) {
    if (focused.parent < 0) return;
    const auto& all = m_tree[static_cast<size_t>(focused.parent)].children;
    const auto at = std::ranges::find(all, m_focus) - all.begin() + by;
    if (at >= 0 && at < static_cast<std::ptrdiff_t>(all.size())) focusOn(all[static_cast<size_t>(at)]);
  };
  switch (event->key()) {
  case Qt::Key_Backspace:
  case Qt::Key_Up:
    if (focused.parent >= 0) focusOn(focused.parent);
    break;
  case Qt::Key_Down:
    if (!focused.children.empty()) focusOn(focused.children.front());
    break;
  case Qt::Key_Left:
    sibling(-1);
    break;
  case Qt::Key_Right:
    sibling(1);
    break;
  case Qt::Key_Space:
  case Qt::Key_Home:
  case Qt::Key_Escape:
    focusOn(0);
    break;
  default:
    return QWidget::keyPressEvent(event);
  }
}

} // namespace nodewise::ui
