#include "ui/runs/run_pages.h"

#include <QDateTime>

namespace nodewise::ui {

RunPages::RunPages(JobTracker& jobs, Document& document, CacheSettings settings, QObject* parent)
    : QObject(parent), m_document(document), m_service(jobs, settings), m_runs(new RunsView(m_service)),
      m_compare(new CompareView(jobs, m_service, std::make_shared<LayoutCache>(settings))),
      m_cost(new CostView(m_service, m_filter)), m_time(new TimeDock(m_service, m_filter)),
      m_reasonService(jobs, document, settings),
      m_reasons(new ReasonsView(m_reasonService, document, m_service, m_filter)),
      m_nodeService(jobs, document), m_passes(new PassesView(m_nodeService, document)),
      m_values(new ValuesView(m_nodeService, document)), m_statsService(jobs, std::move(settings)),
      m_stats(new StatsView(m_statsService)) {
  connect(&m_service, &RunService::message, this, &RunPages::message);
  connect(&m_service, &RunService::shown, this, [this, last = int64_t{0}]() mutable {
    const int64_t run = m_service.current() ? m_service.current()->record.run.id : 0;
    m_filter.refresh(run != last);
    last = run;
    const std::optional<size_t> node = runNodeOf(m_node);
    m_cost->showNode(node);
    m_time->showNode(node);
  });
  m_filter.setScope([this] { return filterScope(); });
  connect(&m_filter, &NodeFilter::changed, this, &RunPages::filtered);
  for (const auto signal : {&Document::opened, &Document::closed, &Document::statesChanged})
    connect(&m_document, signal, &m_filter, [this] { m_filter.refresh(); });
  connect(m_runs, &RunsView::runPicked, this, [this] { Q_EMIT pageWanted(m_cost); });
  connect(m_runs, &RunsView::compareRequested, this, [this](qlonglong before, qlonglong after) {
    m_compare->compare(before, after);
    Q_EMIT pageWanted(m_compare);
  });
  connect(m_runs, &RunsView::reportRequested, this, &RunPages::reportWanted);
  connect(m_compare, &CompareView::nodePicked, this, &RunPages::pickPath);
  connect(m_cost, &CostView::nodePicked, this, &RunPages::pickRunNode);
  connect(m_time, &TimeDock::nodePicked, this, &RunPages::pickRunNode);
  connect(m_reasons, &ReasonsView::nodePicked, this, &RunPages::nodePicked);
  connect(m_values, &ValuesView::nodePicked, this, &RunPages::nodePicked);
  connect(&m_nodeService, &NodeService::valuesReady, this,
          [this](const std::shared_ptr<const ValueReport>& values) {
            m_lastValues = values;
            Q_EMIT valuesKnown();
          });
  for (const auto signal : {&Document::opened, &Document::closed}) {
    connect(&m_document, signal, m_values, &ValuesView::clear);
    connect(&m_document, signal, m_passes, [this] { m_passes->showNode(-1); });
    connect(&m_document, signal, m_reasons, &ReasonsView::clear);
    connect(&m_document, signal, this, [this] {
      m_lastValues.reset();
      m_followers.clear();
    });
  }
  connect(&m_document, &Document::compiled, m_reasons, &ReasonsView::refresh);
  connect(&m_reasonService, &ReasonService::causesReady, this,
          [this](const std::vector<CascadeItem>& items, bool recorded) {
            if (recorded) setFollowers(items);
          });
  connect(&m_document, &Document::compiled, this, [this] {
    // Which misses follow from others is drawn, whether or not the reasons are looked at.
    const auto& summary = m_document.summary();
    if (summary && summary->runId > 0 && summary->misses > 0)
      m_reasonService.requestCauses(summary->runId);
    else
      setFollowers({});
    m_service.refresh();
    if (m_document.summary() && m_document.summary()->runId > 0) m_service.show(m_document.summary()->runId);
  });
  // The open graph's newest recorded run, and no other one's, which would look as if it were this graph's;
  // without a graph the newest of all, so that the views have something to show.
  const auto showNewest = [this] {
    const std::vector<RunRow>& runs = m_service.runs();
    const auto own = std::ranges::find(runs, m_document.path().toStdString(), &RunRow::file);
    if (own != runs.end()) return m_service.show(own->id);
    if (m_document.isOpen()) return m_service.showNone();
    if (!m_service.current() && !runs.empty()) m_service.show(runs.front().id);
  };
  connect(&m_service, &RunService::listed, this, [this, showNewest] {
    if (!m_service.current()) showNewest();
  });
  connect(&m_document, &Document::opened, this, showNewest);
  // A run in a process of its own is recorded as another one; else the one that is shown has run times now.
  connect(&m_document, &Document::ran, this, [this, showNewest] {
    m_service.showAgain();
    connect(&m_service, &RunService::listed, this, showNewest, Qt::SingleShotConnection);
    m_service.refresh();
  });
  m_service.refresh();
}

NodeIndex RunPages::nodeOf(size_t runNode) const {
  const auto run = m_service.current();
  if (!run || runNode >= run->record.nodes.size()) return -1;
  const RunNode& node = run->record.nodes[runNode];
  const auto nodes = m_document.nodes();
  if (node.position < 0 || static_cast<size_t>(node.position) >= nodes.size()) return -1;
  const NodeInfo& info = nodes[static_cast<size_t>(node.position)];
  return info.path == node.path && info.op == node.op ? info.index : -1;
}

std::optional<size_t> RunPages::runNodeOf(NodeIndex node) const {
  const auto run = m_service.current();
  if (!run || node < 0) return {};
  // Records are in the order of the file.
  const auto at = std::ranges::lower_bound(run->record.nodes, int64_t{node}, {}, &RunNode::position);
  const auto n = static_cast<size_t>(at - run->record.nodes.begin());
  if (at == run->record.nodes.end() || nodeOf(n) != node) return {};
  return n;
}

void RunPages::setFollowers(const std::vector<CascadeItem>& items) {
  std::vector<bool> followers(m_document.nodes().size());
  bool any = false;
  for (const CascadeItem& item : items) {
    if (!item.node || item.parent < 0 || item.ofKey || static_cast<size_t>(*item.node) >= followers.size()) continue;
    if (!items[static_cast<size_t>(item.parent)].node)
      continue; // follows from no node, but from what all share
    followers[static_cast<size_t>(*item.node)] = any = true;
  }
  if (!any) followers.clear();
  if (followers == m_followers) return;
  m_followers = std::move(followers);
  Q_EMIT followersKnown();
}

void RunPages::pickRunNode(size_t node) {
  if (const NodeIndex found = nodeOf(node); found >= 0) Q_EMIT nodePicked(found);
}

void RunPages::pickPath(const QString& path) {
  const std::string wanted = path.toStdString();
  for (const NodeInfo& info : m_document.nodes())
    if (info.path == wanted) {
      Q_EMIT nodePicked(info.index);
      return;
    }
}

void RunPages::showNode(NodeIndex node) {
  m_node = node;
  const std::optional<size_t> runNode = runNodeOf(node);
  m_cost->showNode(runNode);
  m_time->showNode(runNode);
  m_reasons->showNode(node);
  m_passes->showNode(node);
  m_values->showNode(node);
  if (node >= 0 && static_cast<size_t>(node) < m_document.nodes().size())
    m_compare->showNode(QString::fromStdString(m_document.nodes()[static_cast<size_t>(node)].path));
}

FilterScope RunPages::filterScope() const {
  FilterScope scope;
  scope.nodes = m_document.nodes();
  scope.states = m_document.states();
  scope.nowUnix = QDateTime::currentSecsSinceEpoch();
  if (const auto run = m_service.current()) {
    scope.run = &run->record;
    scope.nodeOfRun.resize(run->record.nodes.size());
    for (size_t n = 0; n < scope.nodeOfRun.size(); ++n) scope.nodeOfRun[n] = nodeOf(n);
  }
  return scope;
}

void RunPages::setDarkTheme(bool dark) {
  m_compare->setDarkTheme(dark);
  m_time->setDarkTheme(dark);
  m_reasons->setDarkTheme(dark);
  m_values->setDarkTheme(dark);
  m_stats->setDarkTheme(dark);
}

} // namespace nodewise::ui
