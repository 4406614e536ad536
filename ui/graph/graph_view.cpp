#include "ui/graph/graph_view.h"

#include "ui/graph/focus.h"
#include "ui/graph/mini_map.h"

#include <QVBoxLayout>

#include <algorithm>

namespace nodewise::ui {
namespace {

constexpr int kSlowMs = 1000;
/// Opening everything stops here; more boxes than this at once help nobody.
constexpr int64_t kMaxOpenBoxes = 6000;

} // namespace

GraphView::GraphView(JobTracker& jobs, DotSettings dot, std::shared_ptr<LayoutCache> layouts, QWidget* parent)
    : QWidget(parent), m_jobs(jobs), m_dot(std::move(dot)), m_layouts(std::move(layouts)),
      m_canvas(new GraphCanvas), m_messages(new MessageBar), m_breadcrumb(new Breadcrumb) {
  new MiniMap(*m_canvas); // the canvas owns it
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(0);
  layout->addWidget(m_messages);
  layout->addWidget(m_breadcrumb);
  layout->addWidget(m_canvas, 1);
  setFocusProxy(m_canvas);
  connect(m_canvas, &GraphCanvas::toggleRequested, this, &GraphView::toggle);
  connect(m_canvas, &GraphCanvas::enterRequested, this, &GraphView::enter);
  connect(m_canvas, &GraphCanvas::leaveRequested, this, &GraphView::leaveGroup);
  connect(m_breadcrumb, &Breadcrumb::groupPicked, this, &GraphView::enter);
  connect(m_breadcrumb, &Breadcrumb::focusLeft, this, [this] { setFocus(std::shared_ptr<const Focus>()); });
  m_slow.setSingleShot(true);
  m_slow.setInterval(kSlowMs);
  connect(&m_slow, &QTimer::timeout, this, [this] {
    if (m_layoutJob == 0) return;
    m_messages->show({MessageKind::Warning, tr("Laying the graph out…"),
                      tr("Cancel shows it by the built-in layout."), tr("Cancel"),
                      [this] { m_jobs.cancel(m_layoutJob); }, QStringLiteral("slow")});
  });
}

void GraphView::setSource(std::shared_ptr<const SceneSource> source, const QString& title) {
  m_messages->dismiss(QStringLiteral("layout"));
  // The same graph with other keys (another level) keeps its picture.
  const bool sameShape = m_source && source && m_source->nodes.size() == source->nodes.size() &&
                         m_source->grouping.groups.size() == source->grouping.groups.size();
  m_source = std::move(source);
  m_title = title;
  if (!sameShape) {
    m_extent = {};
    m_canvas->clearScene(m_source ? tr("Laying the graph out…") : QString());
  }
  m_showNext = m_showGroupNext = -1;
  m_viewNext.reset();
  if (m_source) {
    m_breadcrumb->setPlace(*m_source, m_extent, m_title);
    return layOut();
  }
  m_breadcrumb->hide();
  m_jobs.dropLane(m_lane);
  m_layoutJob = 0;
  m_slow.stop();
  m_messages->dismiss(QStringLiteral("slow"));
}

void GraphView::layOut() {
  m_slow.start();
  m_layoutJob = m_jobs.start(
      {tr("Laying the graph out"), m_lane, m_lane, false},
      [source = m_source, extent = m_extent, dot = m_dot, layouts = m_layouts](JobContext& context) {
        return makeScene(*source, extent, dot, *layouts, context.stop());
      },
      [this](Scene scene) { showScene(std::move(scene)); });
}

void GraphView::showScene(Scene scene) {
  m_layoutJob = 0;
  m_slow.stop();
  m_messages->dismiss(QStringLiteral("slow"));
  m_messages->dismiss(QStringLiteral("layout"));
  if (!scene.notices.isEmpty())
    m_messages->show({MessageKind::Warning, tr("Not laid out by dot"),
                      scene.notices.join(QStringLiteral("; ")), tr("Try again"), [this] { layOut(); },
                      QStringLiteral("layout")});
  m_canvas->setScene(m_source, std::make_shared<const Scene>(std::move(scene)));
  if (std::exchange(m_fitNext, false)) m_canvas->fit();
  if (const auto view = std::exchange(m_viewNext, std::nullopt)) m_canvas->setView(*view);
  if (m_showNext >= 0) m_canvas->reveal(m_canvas->itemOfNode(std::exchange(m_showNext, -1)));
  if (m_showGroupNext >= 0) m_canvas->reveal(m_canvas->itemOfGroup(std::exchange(m_showGroupNext, -1)));
  keepLayouts();
  Q_EMIT sceneShown();
}

/// For the next time that this graph is opened, here or by another process.
void GraphView::keepLayouts() {
  if (!m_layouts->isUnsaved()) return;
  m_jobs.start(
      {tr("Keeping the layout"), QStringLiteral("keep layouts"), QStringLiteral("keep layouts"), true},
      [layouts = m_layouts](JobContext&) {
        layouts->save();
        return true;
      },
      [](bool) {});
}

void GraphView::toggle(GroupId group) {
  if (!m_source || group <= 0) return;
  m_canvas->keepInPlace(group);
  if (m_extent.open.erase(group) == 0) m_extent.open.insert(group);
  layOut();
}

/// Whether a node is outside what is shown, so that opening groups would not help.
bool GraphView::isHidden(NodeIndex node) const {
  const Focus* focus = m_extent.focus.get();
  if (focus && focus->level == m_source->structure.levelOfNode[static_cast<size_t>(node)] &&
      !focus->nodes[static_cast<size_t>(node)])
    return true;
  const std::vector<GroupId> around = groupsAround(m_source->grouping, node);
  return std::ranges::find(around, m_extent.root) == around.end();
}

void GraphView::show(NodeIndex node) {
  if (!m_source || node < 0) return;
  bool opened = false;
  if (isHidden(node)) {
    m_extent.root = 0;
    m_extent.focus.reset();
    opened = true;
    changeExtent();
  }
  for (const GroupId group : groupsAround(m_source->grouping, node))
    if (group != m_extent.root && group != 0) opened = m_extent.open.insert(group).second || opened;
  if (!opened && m_layoutJob == 0) return m_canvas->reveal(m_canvas->itemOfNode(node));
  m_showNext = node;
  layOut();
}

/// Whether no node of a group is in what is shown, opened or not.
bool GraphView::isHiddenGroup(GroupId id) const {
  const std::vector<Group>& groups = m_source->grouping.groups;
  GroupId around = id;
  while (around >= 0 && around != m_extent.root) around = groups[static_cast<size_t>(around)].parent;
  if (around < 0) return true;
  const Focus* focus = m_extent.focus.get();
  if (!focus || focus->level != groups[static_cast<size_t>(id)].level) return false;
  for (size_t n = 0; n < focus->nodes.size(); ++n) {
    if (!focus->nodes[n]) continue;
    const std::vector<GroupId> of = groupsAround(m_source->grouping, static_cast<NodeIndex>(n));
    if (std::ranges::find(of, id) != of.end()) return false;
  }
  return true;
}

void GraphView::showGroup(GroupId group) {
  if (!m_source || group <= 0) return;
  bool opened = false;
  if (isHiddenGroup(group)) {
    m_extent.root = 0;
    m_extent.focus.reset();
    opened = true;
    changeExtent();
  }
  const std::vector<Group>& groups = m_source->grouping.groups;
  for (GroupId around = groups[static_cast<size_t>(group)].parent; around > 0 && around != m_extent.root;
       around = groups[static_cast<size_t>(around)].parent)
    opened = m_extent.open.insert(around).second || opened;
  if (!opened && m_layoutJob == 0) return m_canvas->reveal(m_canvas->itemOfGroup(group));
  m_showGroupNext = group;
  layOut();
}

void GraphView::openAll() {
  if (!m_source) return;
  int64_t boxes = 0;
  for (size_t k = 1; k < m_source->grouping.groups.size(); ++k) {
    boxes += static_cast<int64_t>(m_source->grouping.groups[k].nodes.size());
    if (boxes > kMaxOpenBoxes) {
      m_messages->show({MessageKind::Info,
                        tr("Only the first groups were opened"),
                        tr("the graph has more boxes than can be read at once"),
                        {},
                        {},
                        QStringLiteral("many")});
      break;
    }
    m_extent.open.insert(static_cast<GroupId>(k));
  }
  layOut();
}

void GraphView::closeAll() {
  if (!m_source || m_extent.open.empty()) return;
  m_extent.open.clear();
  layOut();
}

void GraphView::changeExtent() {
  m_breadcrumb->setPlace(*m_source, m_extent, m_title);
  m_fitNext = true;
  layOut();
  Q_EMIT extentChanged();
}

void GraphView::enter(GroupId group) {
  if (!m_source || group < 0) return;
  m_extent.root = group;
  m_extent.focus.reset();
  changeExtent();
}

void GraphView::setPlace(Extent extent, std::optional<ViewTransform> view) {
  if (!m_source) return;
  m_extent = std::move(extent);
  m_viewNext = view;
  m_breadcrumb->setPlace(*m_source, m_extent, m_title);
  layOut();
  Q_EMIT extentChanged();
}

void GraphView::leaveGroup() {
  if (!m_source) return;
  if (m_extent.focus) return setFocus(std::shared_ptr<const Focus>());
  const GroupId parent = m_source->grouping.groups[static_cast<size_t>(m_extent.root)].parent;
  if (parent >= 0) enter(parent);
}

void GraphView::setFocus(std::shared_ptr<const Focus> focus) {
  if (!m_source || focus == m_extent.focus) return;
  m_extent.focus = std::move(focus);
  if (m_extent.focus) {
    // Few nodes are shown without groups; the level that they stand in fills the picture.
    constexpr int64_t kOpenBelow = 300;
    // An inner graph is no part of it: its node stands for it, until somebody opens it again.
    std::erase_if(m_extent.open, [&](GroupId id) {
      const Group& group = m_source->grouping.groups[static_cast<size_t>(id)];
      return group.kind == GroupKind::Level && group.parent >= 0 &&
             m_source->grouping.groups[static_cast<size_t>(group.parent)].level == m_extent.focus->level;
    });
    for (size_t k = 0; k < m_source->grouping.groups.size(); ++k) {
      const Group& group = m_source->grouping.groups[k];
      if (group.level != m_extent.focus->level) continue;
      if (group.kind == GroupKind::Level)
        m_extent.root = static_cast<GroupId>(k);
      else if (sizeOf(*m_extent.focus) <= kOpenBelow)
        m_extent.open.insert(static_cast<GroupId>(k));
    }
  }
  changeExtent();
}

void GraphView::setDarkTheme(bool dark) {
  m_canvas->setDarkTheme(dark);
  m_messages->setDarkTheme(dark);
}

} // namespace nodewise::ui
