// Focus: the part of the graph that alone is shown.
#include "ui/graph/focus.h"
#include "ui/main_window/main_window.h"
#include "ui/models/group_summary.h"
#include "ui/models/node_name.h"
#include "ui/theme/numbers.h"

namespace nodewise::ui {
namespace {

QString focusTopic() { return QStringLiteral("focus"); }

} // namespace

void MainWindow::connectFocusCommands() {
  const auto on = [this](Command command, auto action) {
    connect(&m_commands[command], &QAction::triggered, this, action);
  };
  on(Command::FocusNeighbours, [this] { focusOnNeighbours(1); });
  on(Command::FocusFewer, [this] { focusOnNeighbours(-1); });
  on(Command::FocusAncestors, [this] {
    if (const NodeIndex node = nodeToFocus(); node >= 0)
      focusOn(ancestorsOf(m_document.source()->structure, node), tr("what feeds %1").arg(nameOf(node)));
  });
  on(Command::FocusDescendants, [this] {
    if (const NodeIndex node = nodeToFocus(); node >= 0)
      focusOn(descendantsOf(m_document.source()->structure, node), tr("what %1 feeds").arg(nameOf(node)));
  });
  on(Command::FocusBetween, [this] { focusOnWays(); });
  on(Command::FocusCritical, [this] { focusOnCriticalPath(false); });
  on(Command::FocusCriticalRun, [this] { focusOnCriticalPath(true); });
  on(Command::FocusAll, [this] { m_graph->setFocus(std::shared_ptr<const Focus>()); });
}

QString MainWindow::nameOf(NodeIndex node) const {
  return nodeName(m_document.nodes()[static_cast<size_t>(node)]);
}

void MainWindow::sayOfFocus(const QString& what, const QString& remedy) {
  m_messages->show({MessageKind::Info, what, remedy, {}, {}, focusTopic()});
}

/// The node that is picked; -1: none is, which is said.
NodeIndex MainWindow::nodeToFocus() {
  const NodeIndex node = m_selection.current();
  if (node < 0) sayOfFocus(tr("No node is picked"), tr("pick the one to look at, then focus"));
  return node;
}

void MainWindow::focusOn(Focus focus, const QString& title) {
  m_messages->dismiss(focusTopic());
  focus.title = title;
  m_pages->setCurrentIndex(0);
  m_graph->setFocus(std::make_shared<const Focus>(std::move(focus)));
}

/// One step around the node at first, then one more or less each time.
void MainWindow::focusOnNeighbours(int more) {
  const NodeIndex node = nodeToFocus();
  if (node < 0) return;
  const bool again = node == m_hopsNode && m_graph->extent().focus && m_hops > 0;
  m_hops = std::max(1, again ? m_hops + more : 1);
  m_hopsNode = node;
  focusOn(neighbourhoodOf(m_document.source()->structure, node, m_hops),
          tr("%1 around %2").arg(countedText(m_hops, tr("step")), nameOf(node)));
}

void MainWindow::focusOnWays() {
  const NodeIndex to = nodeToFocus(), from = m_history.previous();
  if (to < 0) return;
  if (from < 0) return sayOfFocus(tr("Only one node was picked yet"), tr("pick one, then the other"));
  auto ways = waysBetween(m_document.source()->structure, from, to);
  if (!ways)
    return sayOfFocus(tr("There is no way between %1 and %2").arg(nameOf(from), nameOf(to)),
                      tr("pick one, then the other, in one graph"));
  focusOn(std::move(*ways), tr("ways between %1 and %2").arg(nameOf(from), nameOf(to)));
}

/// Of the level that is shown. A node stands for its inner graph: its time in a run has that in it already,
/// what compiling costs is added here.
void MainWindow::focusOnCriticalPath(bool byRun) {
  const std::span<const NodeInfo> nodes = m_document.nodes();
  std::vector<int64_t> costs;
  if (byRun) {
    for (const NodeState& state : m_document.states()) costs.push_back(state.runNs);
  } else {
    costs = ownCompileCosts(nodes, m_document.states());
    for (size_t n = nodes.size(); n-- > 0;) // inner nodes stand after the ones that hold them
      if (nodes[n].parent >= 0) costs[static_cast<size_t>(nodes[n].parent)] += costs[n];
  }
  const SceneSource& source = *m_document.source();
  const int level = source.grouping.groups[static_cast<size_t>(m_graph->extent().root)].level;
  Focus focus =
      criticalPath(source.structure, level, [&](NodeIndex n) { return costs[static_cast<size_t>(n)]; });
  int64_t total = 0;
  for (size_t n = 0; n < focus.nodes.size(); ++n)
    if (focus.nodes[n]) total += costs[n];
  if (total == 0)
    return byRun ? sayOfFocus(tr("No time of a run is known yet"), tr("run the graph first (F6)"))
                 : sayOfFocus(tr("No cost of compiling is known yet"), tr("compile the graph first (F5)"));
  focusOn(std::move(focus), byRun ? tr("critical path to run, %1").arg(durationText(total))
                                  : tr("critical path to compile, %1").arg(durationText(total)));
}

} // namespace nodewise::ui
