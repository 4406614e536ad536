#include "ui/document/document.h"

#include "ui/document/open_graph.h"

#include <QFileInfo>

#include <algorithm>

namespace nodewise::ui {
namespace {

constexpr int kTickMs = 33, kSweepMs = 500;
constexpr size_t kMaxChangesATick = 4000;

std::vector<NodeState> statesOf(const Session& session) {
  std::vector<NodeState> states;
  states.reserve(session.nodes().size());
  for (const NodeInfo& info : session.nodes()) states.push_back(session.state(info.index));
  return states;
}

OpenGraph derive(std::unique_ptr<Session> opened, const TextMeasure& measure) {
  OpenGraph graph;
  graph.session = std::move(opened);
  graph.source = sceneSourceOf(graph.session, measure);
  graph.outline = std::make_shared<const OutlineTree>(makeOutlineTree(
      graph.source->nodes, graph.source->grouping, QString::fromStdString(graph.session->file().name)));
  graph.states = statesOf(*graph.session);
  return graph;
}

} // namespace

Document::Document(JobTracker& jobs, SessionSettings settings, TextMeasure measure, QObject* parent)
    : QObject(parent), m_jobs(jobs), m_settings(std::move(settings)),
      m_engine(std::make_shared<Engine>(m_settings.threads)), m_measure(measure) {
  m_ticker.setInterval(kTickMs);
  connect(&m_ticker, &QTimer::timeout, this, &Document::takeChanges);
  m_sweeper.setInterval(kSweepMs);
  connect(&m_sweeper, &QTimer::timeout, this, &Document::releaseLeft);
}

Document::~Document() = default;

void Document::startOpening(const QString& title,
                            std::function<Result<std::unique_ptr<Session>>()> openSession) {
  m_jobs.start(
      {title, lane(), QStringLiteral("open"), false},
      [openSession = std::move(openSession), measure = m_measure](JobContext&) -> Result<OpenGraph> {
        NW_TRY(std::unique_ptr<Session> session, openSession());
        return derive(std::move(session), measure);
      },
      [this](Result<OpenGraph> graph) { show(std::move(graph)); });
}

void Document::dropJobs() {
  m_jobs.dropLane(lane());
  m_jobs.dropLane(inspectLane());
}

void Document::open(const QString& path) {
  // Whatever still runs belongs to the graph that is left.
  dropJobs();
  m_pendingPath = QFileInfo(path).absoluteFilePath();
  startOpening(tr("Opening %1").arg(QFileInfo(path).fileName()),
               [file = m_pendingPath.toStdString(), settings = m_settings, engine = m_engine] {
                 return Session::open(file, settings, engine);
               });
}

void Document::setLevel(int level) {
  if (level == m_settings.options.optLevel) return;
  m_settings.options.optLevel = level;
  if (!isOpen()) return;
  dropJobs();
  m_pendingPath = m_path;
  startOpening(tr("Making keys for O%1").arg(level),
               [session = m_graph.session, settings = m_settings, engine = m_engine] {
                 return Session::open(session->file(), settings, engine);
               });
}

/// Names the file, and says what can be opened and what is shown still.
Message Document::notOpened(const Error& error) const {
  const QFileInfo file(m_pendingPath);
  const bool graphName = file.fileName().endsWith(QStringLiteral(".nwg.json"));
  Message said = errorMessage(error, tr("Could not open %1").arg(file.fileName()));
  said.topic = QStringLiteral("open");
  if (!graphName)
    said.remedy = tr("graphs are .nwg.json files, as nodewise.export of the Python package writes them");
  if (isOpen())
    said.text += m_pendingPath == m_path ? tr(" · shown is still the graph as it was read before")
                                         : tr(" · %1 is still shown").arg(title());
  return said;
}

void Document::show(Result<OpenGraph> graph) {
  if (!graph.ok()) {
    Q_EMIT message(notOpened(graph.error()));
    return;
  }
  leave(std::exchange(m_graph, std::move(graph).value()));
  m_path = m_pendingPath;
  m_summary.reset();
  m_ticker.stop();
  Q_EMIT opened();
  Q_EMIT statesChanged();
}

void Document::close() {
  dropJobs();
  leave(std::exchange(m_graph, {}));
  m_path.clear();
  m_summary.reset();
  m_ticker.stop();
  Q_EMIT closed();
}

/// Taking a large graph apart takes time: it is done on a worker, as soon as no view holds it any more.
void Document::leave(OpenGraph graph) {
  m_changes = std::make_shared<Changes>();
  if (!graph.session) return;
  m_left.push_back(std::move(graph));
  m_sweeper.start();
}

void Document::releaseLeft() {
  const auto unused =
      std::ranges::partition(m_left, [](const OpenGraph& graph) { return graph.source.use_count() > 1; });
  for (OpenGraph& graph : unused) {
    auto held = std::make_shared<OpenGraph>(std::move(graph));
    m_jobs.start(
        {tr("Closing"), QStringLiteral("release"), {}, true},
        [held](JobContext&) {
          *held = {};
          return true;
        },
        [](bool) {});
  }
  m_left.erase(unused.begin(), unused.end());
  if (m_left.empty()) m_sweeper.stop();
}

QString Document::title() const {
  if (!isOpen()) return {};
  const QString name = QString::fromStdString(session().file().name);
  return name.isEmpty() ? QFileInfo(m_path).fileName() : name;
}

std::span<const NodeInfo> Document::nodes() const {
  if (!isOpen()) return {};
  return m_graph.session->nodes();
}

std::vector<NodeIndex> Document::nodesOfKeys(std::span<const Hash> keys) const {
  std::vector<NodeIndex> found;
  const std::set<Hash> wanted(keys.begin(), keys.end());
  for (const NodeInfo& info : nodes())
    if (info.kind == NodeKind::Kernel && wanted.contains(info.key)) found.push_back(info.index);
  return found;
}

void Document::takeChanges() {
  std::vector<NodeIndex> changed;
  {
    const std::lock_guard lock(m_changes->mutex);
    auto& waiting = m_changes->nodes;
    const size_t take = std::min(waiting.size(), kMaxChangesATick);
    changed.assign(waiting.end() - static_cast<std::ptrdiff_t>(take), waiting.end());
    waiting.resize(waiting.size() - take);
  }
  if (changed.empty() || !isOpen()) return;
  for (const NodeIndex n : changed)
    if (n >= 0 && static_cast<size_t>(n) < m_graph.states.size())
      m_graph.states[static_cast<size_t>(n)] = m_graph.session->state(n);
  Q_EMIT statesChanged();
}

} // namespace nodewise::ui
