// Ways around the graph: back and forward, bookmarks, inner graphs.
#include "ui/main_window/main_window.h"
#include "ui/models/node_name.h"
#include "ui/runs/run_pages.h"

#include <QMenu>

namespace nodewise::ui {

void MainWindow::connectGraphCommands() {
  const auto on = [this](Command command, auto action) {
    connect(&m_commands[command], &QAction::triggered, this, action);
  };
  connectFocusCommands();
  on(Command::EnterGroup, [this] { m_graph->enter(groupToEnter()); });
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
  // Without a node they say so: a key that does nothing explains nothing.
  for (const Command command :
       {Command::FocusNeighbours, Command::FocusFewer, Command::FocusAncestors, Command::FocusDescendants,
        Command::FocusBetween, Command::FocusCritical, Command::FocusCriticalRun})
    m_commands[command].setEnabled(open);
  m_commands[Command::FocusAll].setEnabled(m_graph->extent().focus != nullptr);
  m_commands[Command::EnterGroup].setEnabled(groupToEnter() >= 0);
  m_commands[Command::LeaveGroup].setEnabled(m_graph->extent().focus || m_graph->extent().root > 0);
  m_commands[Command::Back].setEnabled(m_history.previous() >= 0);
  m_commands[Command::Forward].setEnabled(m_history.next() >= 0);
}

/// The group that is picked, or the inner graph of the node that is; -1: neither.
GroupId MainWindow::groupToEnter() const {
  if (!m_document.isOpen()) return -1;
  if (const GroupId group = m_selection.currentGroup(); group >= 0) return group;
  const NodeIndex node = m_selection.current();
  return node < 0 ? -1 : m_document.source()->grouping.levelGroupInNode[static_cast<size_t>(node)];
}

/// As the keys do it: 1 to 9 go, Alt with them sets.
void MainWindow::buildBookmarkMenu(QMenu& graphMenu) {
  QMenu* menu = graphMenu.addMenu(tr("Boo&kmarks"));
  auto* set = new QMenu(tr("&Set for the selected node"), menu);
  connect(menu, &QMenu::aboutToShow, this, [this, menu, set] {
    menu->clear();
    set->clear();
    const NodeIndex node = m_selection.current();
    menu->addMenu(set)->setEnabled(node >= 0);
    menu->addSeparator();
    for (int number = 1; number <= 9; ++number) {
      const auto at = m_bookmarks.find(number);
      const bool there =
          at != m_bookmarks.end() && static_cast<size_t>(at->second) < m_document.nodes().size();
      const QString name =
          there ? nodeName(m_document.nodes()[static_cast<size_t>(at->second)]) : tr("not set");
      QAction* go = menu->addAction(QStringLiteral("&%1  %2\t%1").arg(number).arg(name));
      go->setEnabled(there);
      connect(go, &QAction::triggered, this, [this, number] { useBookmark(number, false); });
      connect(set->addAction(QStringLiteral("&%1  %2\tAlt+%1").arg(number).arg(name)), &QAction::triggered,
              this, [this, number] { useBookmark(number, true); });
    }
  });
}

void MainWindow::useBookmark(int number, bool set) {
  const QString topic = QStringLiteral("bookmark");
  if (set && m_selection.current() >= 0) {
    m_bookmarks[number] = m_selection.current();
    m_messages->show({MessageKind::Info,
                      tr("%1 goes to %2 from now on")
                          .arg(number)
                          .arg(nodeName(m_document.nodes()[static_cast<size_t>(m_selection.current())])),
                      {},
                      {},
                      {},
                      topic});
  } else if (const auto at = m_bookmarks.find(number);
             at != m_bookmarks.end() && static_cast<size_t>(at->second) < m_document.nodes().size()) {
    goToNode(at->second);
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
