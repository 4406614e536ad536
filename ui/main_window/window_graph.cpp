// Ways around the graph: focus, back and forward, bookmarks, inner graphs.
#include "ui/graph/focus.h"
#include "ui/main_window/main_window.h"
#include "ui/runs/run_pages.h"
#include "ui/theme/numbers.h"

#include <algorithm>

namespace nodewise::ui {

void MainWindow::connectGraphCommands() {
  const auto on = [this](Command command, auto action) {
    connect(&m_commands[command], &QAction::triggered, this, action);
  };
  on(Command::FocusNeighbours, [this] {
    const NodeIndex node = m_selection.current();
    m_hops = node == m_hopsNode && m_graph->extent().focus ? m_hops + 1 : 2; // again: one step more
    m_hopsNode = node;
    focusOn(neighbourhoodOf(m_document.source()->structure, node, m_hops));
  });
  on(Command::FocusAncestors,
     [this] { focusOn(ancestorsOf(m_document.source()->structure, m_selection.current())); });
  on(Command::FocusDescendants,
     [this] { focusOn(descendantsOf(m_document.source()->structure, m_selection.current())); });
  on(Command::FocusBetween, [this] {
    focusOn(waysBetween(m_document.source()->structure, m_history.previous(), m_selection.current()));
  });
  on(Command::FocusCritical, [this] { focusOnCriticalPath(); });
  on(Command::FocusAll, [this] { m_graph->setFocus(std::shared_ptr<const Focus>()); });
  on(Command::EnterGroup, [this] {
    m_graph->enter(
        m_document.source()->grouping.levelGroupInNode[static_cast<size_t>(m_selection.current())]);
  });
  on(Command::LeaveGroup, [this] { m_graph->leaveGroup(); });
  on(Command::Back, [this] { m_selection.select(m_history.step(-1)); });
  on(Command::Forward, [this] { m_selection.select(m_history.step(1)); });
  on(Command::EdgeWidth, [this] { showEdgeBytes(); });
  connect(m_runPages, &RunPages::valuesKnown, this, &MainWindow::showEdgeBytes);
  connect(m_graph, &GraphView::extentChanged, this, &MainWindow::updateCommands);
  connect(&m_graph->canvas(), &GraphCanvas::jumpRequested, &m_selection, &NodeSelection::select);
  connect(&m_graph->canvas(), &GraphCanvas::bookmarkRequested, this, &MainWindow::useBookmark);
}

void MainWindow::showEdgeBytes() {
  std::shared_ptr<const EdgeBytes> bytes;
  if (m_commands[Command::EdgeWidth].isChecked() && m_document.isOpen())
    bytes = std::make_shared<const EdgeBytes>(bytesOfValues(*m_document.source(), m_runPages->values()));
  m_graph->canvas().setEdgeBytes(bytes);
  m_outline->edgeLegend().setBytes(std::move(bytes));
}

void MainWindow::updateGraphCommands() {
  const bool open = m_document.isOpen();
  const NodeIndex node = open ? m_selection.current() : -1;
  for (const Command command : {Command::FocusNeighbours, Command::FocusAncestors, Command::FocusDescendants})
    m_commands[command].setEnabled(node >= 0);
  m_commands[Command::FocusBetween].setEnabled(node >= 0 && m_history.previous() >= 0);
  m_commands[Command::FocusCritical].setEnabled(open);
  m_commands[Command::FocusAll].setEnabled(m_graph->extent().focus != nullptr);
  m_commands[Command::EnterGroup].setEnabled(
      node >= 0 && m_document.source()->grouping.levelGroupInNode[static_cast<size_t>(node)] >= 0);
  m_commands[Command::LeaveGroup].setEnabled(m_graph->extent().focus || m_graph->extent().root > 0);
  m_commands[Command::Back].setEnabled(m_history.previous() >= 0);
  m_commands[Command::Forward].setEnabled(m_history.next() >= 0);
}

void MainWindow::focusOn(std::optional<Focus> focus) {
  const QString topic = QStringLiteral("focus");
  m_messages->dismiss(topic);
  if (!focus) {
    m_messages->show({MessageKind::Info,
                      tr("There is no way between these two nodes"),
                      tr("pick one, then the other, in one graph"),
                      {},
                      {},
                      topic});
    return;
  }
  m_pages->setCurrentIndex(0);
  m_graph->setFocus(std::make_shared<const Focus>(std::move(*focus)));
}

/// By run cost where the graph was run, else by compile cost.
void MainWindow::focusOnCriticalPath() {
  const std::span<const NodeState> states = m_document.states();
  const bool byRun = std::ranges::any_of(states, [](const NodeState& state) { return state.runNs > 0; });
  const auto cost = [&](NodeIndex n) {
    const NodeState& state = states[static_cast<size_t>(n)];
    return byRun ? state.runNs : state.recordedCompileNs;
  };
  const Extent& extent = m_graph->extent();
  const SceneSource& source = *m_document.source();
  Focus focus =
      criticalPath(source.structure, source.grouping.groups[static_cast<size_t>(extent.root)].level, cost);
  int64_t total = 0;
  for (size_t n = 0; n < focus.nodes.size(); ++n)
    if (focus.nodes[n]) total += cost(static_cast<NodeIndex>(n));
  if (total == 0) {
    m_messages->show({MessageKind::Info,
                      tr("No cost is known yet"),
                      tr("compile (F5) or run (F6) the graph first"),
                      {},
                      {},
                      QStringLiteral("focus")});
    return;
  }
  focus.title = byRun ? tr("critical path by run cost, %1").arg(durationText(total))
                      : tr("critical path by compile cost, %1").arg(durationText(total));
  focusOn(std::move(focus));
}

void MainWindow::useBookmark(int number, bool set) {
  const QString topic = QStringLiteral("bookmark");
  if (set && m_selection.current() >= 0) {
    m_bookmarks[number] = m_selection.current();
    m_messages->show(
        {MessageKind::Info, tr("%1 goes to this node from now on").arg(number), {}, {}, {}, topic});
  } else if (const auto at = m_bookmarks.find(number);
             at != m_bookmarks.end() && static_cast<size_t>(at->second) < m_document.nodes().size()) {
    m_selection.select(at->second);
    m_graph->show(at->second);
  } else {
    m_messages->show({MessageKind::Info,
                      tr("No bookmark %1").arg(number),
                      tr("pick a node and press Alt+%1 to make one").arg(number),
                      {},
                      {},
                      topic});
  }
}

} // namespace nodewise::ui
