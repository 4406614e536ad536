#include "ui/graph/graph_view.h"

#include "ui/graph/mini_map.h"

#include <QVBoxLayout>

namespace nodewise::ui {
namespace {

constexpr int kSlowMs = 1000;
/// Opening everything stops here; more boxes than this at once help nobody.
constexpr int64_t kMaxOpenBoxes = 6000;

} // namespace

GraphView::GraphView(JobTracker& jobs, DotSettings dot, QWidget* parent)
    : QWidget(parent), m_jobs(jobs), m_dot(std::move(dot)), m_canvas(new GraphCanvas),
      m_messages(new MessageBar) {
  new MiniMap(*m_canvas); // the canvas owns it
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(0);
  layout->addWidget(m_messages);
  layout->addWidget(m_canvas, 1);
  setFocusProxy(m_canvas);
  connect(m_canvas, &GraphCanvas::toggleRequested, this, &GraphView::toggle);
  m_slow.setSingleShot(true);
  m_slow.setInterval(kSlowMs);
  connect(&m_slow, &QTimer::timeout, this, [this] {
    if (m_layoutJob == 0) return;
    m_messages->show({MessageKind::Warning, tr("Laying the graph out…"),
                      tr("Cancel shows it by the built-in layout."), tr("Cancel"),
                      [this] { m_jobs.cancel(m_layoutJob); }, QStringLiteral("slow")});
  });
}

void GraphView::setSource(std::shared_ptr<const SceneSource> source) {
  m_messages->dismiss(QStringLiteral("layout"));
  // The same graph with other keys (another level) keeps its picture.
  const bool sameShape = m_source && source && m_source->nodes.size() == source->nodes.size() &&
                         m_source->grouping.groups.size() == source->grouping.groups.size();
  m_source = std::move(source);
  if (!sameShape) {
    m_open.clear();
    m_canvas->clearScene(m_source ? tr("Laying the graph out…") : QString());
  }
  m_showNext = -1;
  if (m_source) return layOut();
  m_open.clear();
  m_jobs.dropLane(QStringLiteral("layout"));
  m_layoutJob = 0;
  m_slow.stop();
  m_messages->dismiss(QStringLiteral("slow"));
}

void GraphView::layOut() {
  m_slow.start();
  m_layoutJob = m_jobs.start(
      {tr("Laying the graph out"), QStringLiteral("layout"), QStringLiteral("layout"), false},
      [source = m_source, open = m_open, dot = m_dot, layouts = m_layouts](JobContext& context) {
        return makeScene(*source, open, dot, *layouts, context.stop());
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
  if (m_showNext >= 0) m_canvas->reveal(m_canvas->itemOfNode(std::exchange(m_showNext, -1)));
  Q_EMIT sceneShown();
}

void GraphView::toggle(GroupId group) {
  m_canvas->keepInPlace(group, m_source->grouping.groups[static_cast<size_t>(group)].owner);
  if (m_open.erase(group) == 0) m_open.insert(group);
  layOut();
}

void GraphView::show(NodeIndex node) {
  if (!m_source || node < 0) return;
  bool opened = false;
  for (const GroupId group : groupsAround(m_source->grouping, node))
    if (group != 0) opened = m_open.insert(group).second || opened;
  if (!opened && m_layoutJob == 0) return m_canvas->reveal(m_canvas->itemOfNode(node));
  m_showNext = node;
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
    m_open.insert(static_cast<GroupId>(k));
  }
  layOut();
}

void GraphView::closeAll() {
  if (!m_source || m_open.empty()) return;
  m_open.clear();
  layOut();
}

void GraphView::setDarkTheme(bool dark) {
  m_canvas->setDarkTheme(dark);
  m_messages->setDarkTheme(dark);
}

} // namespace nodewise::ui
