// Search and filters: what they leave is what graph and tables show.
#include "ui/main_window/main_window.h"
#include "ui/models/group_summary.h"
#include "ui/models/node_query.h"
#include "ui/runs/filter_bar.h"
#include "ui/runs/run_pages.h"
#include "ui/search/found_view.h"

#include <QDateTime>

#include <algorithm>

namespace nodewise::ui {
namespace {

std::vector<NodeIndex> indices(const std::vector<bool>& nodes) {
  std::vector<NodeIndex> found;
  for (size_t n = 0; n < nodes.size(); ++n)
    if (nodes[n]) found.push_back(static_cast<NodeIndex>(n));
  return found;
}

} // namespace

/// The list of what was found, under the outline; there while something is looked for.
void MainWindow::buildFound() {
  m_found = new FoundView;
  m_foundDock = new QDockWidget(tr("Found"), this);
  m_foundDock->setObjectName(QStringLiteral("foundDock"));
  m_foundDock->setWidget(m_found);
  m_foundDock->setFeatures(QDockWidget::DockWidgetMovable | QDockWidget::DockWidgetClosable);
  m_found->setMinimumWidth(200); // as the outline: pages do not jump when something is looked for
  addDockWidget(Qt::LeftDockWidgetArea, m_foundDock);
  m_foundDock->hide();
}

void MainWindow::connectFilters() {
  const auto on = [this](Command command, auto action) {
    connect(&m_commands[command], &QAction::triggered, this, action);
  };
  NodeFilter& filter = m_runPages->filter();
  on(Command::FilterToFound, [this, &filter] {
    if (m_search->found().empty()) return;
    const QString query = m_query;
    m_search->clear(); // the chip has it from now on
    filter.push(queryFilter(query));
  });
  on(Command::FilterToThis, [this] { filterToThis(); });
  on(Command::FilterBack, [&filter] { filter.removeLast(); });
  on(Command::FilterClear, [&filter] { filter.clear(); });
  connect(m_search, &SearchBar::filterRequested, &m_commands[Command::FilterToFound], &QAction::trigger);
  connect(m_runPages, &RunPages::filtered, this, [this] { showFound(); });
  connect(m_found, &FoundView::nodePicked, &m_selection, &NodeSelection::select);
  connect(&m_selection, &NodeSelection::changed, this, [this](int node) {
    m_found->showNode(node);
    m_search->showNode(node);
  });
  // What a query finds changes with the states.
  connect(&m_document, &Document::statesChanged, this, [this] {
    m_found->model().setStates(m_document.states());
    if (!m_query.trimmed().isEmpty()) showFound();
  });
}

void MainWindow::findNodes(const QString& query) {
  const bool hadQuery = !m_query.trimmed().isEmpty();
  m_query = query;
  const bool hasQuery = !m_query.trimmed().isEmpty() && m_document.isOpen();
  if (!hasQuery || !hadQuery) m_foundDock->setVisible(hasQuery); // not again, if it was closed meanwhile
  if (hasQuery && !hadQuery)
    resizeDocks({findChild<QDockWidget*>(QStringLiteral("outlineDock")), m_foundDock}, {1, 1}, Qt::Vertical);
  showFound(true);
}

void MainWindow::showFound(bool always) {
  const std::span<const NodeInfo> nodes = m_document.nodes();
  std::optional<std::vector<bool>> shown = m_runPages->filter().keptInGraph(nodes.size());
  m_filterBar->setCounts(shown ? std::ranges::count(*shown, true) : static_cast<int64_t>(nodes.size()),
                         static_cast<int64_t>(nodes.size()));
  if (m_query.trimmed().isEmpty() || !m_document.isOpen()) {
    m_search->setFound({});
    m_found->setFound({});
  } else {
    FilterPlace place;
    const auto query = parseFilter(m_query.toStdString(), FilterOn::Nodes, &place);
    if (query.ok()) {
      std::vector<NodeIndex> found =
          ui::findNodes(*query, nodes, m_document.states(), QDateTime::currentSecsSinceEpoch());
      if (shown) std::erase_if(found, [&](NodeIndex n) { return !(*shown)[static_cast<size_t>(n)]; });
      shown.emplace(nodes.size(), false);
      for (const NodeIndex n : found) (*shown)[static_cast<size_t>(n)] = true;
      if (always || found != m_search->found()) m_found->setFound(found);
      m_found->showNode(m_selection.current());
      m_search->setFound(std::move(found));
    } else {
      m_found->setFound({}, tr("The query cannot be read."));
      m_search->setProblem(query.error(), place);
    }
  }
  updateFilterCommands();
  if (!always && shown == m_graph->canvas().matches()) return;
  if (shown) {
    const std::vector<NodeIndex> rows = indices(*shown);
    m_nodes->model().setShown(&rows);
  } else {
    m_nodes->model().setShown(nullptr);
  }
  m_graph->canvas().setMatches(std::move(shown));
  m_nodes->showNode(m_selection.current());
}

void MainWindow::filterToThis() {
  if (FlameView& flame = m_runPages->timeDock().flame(); flame.hasFocus() && flame.focus() > 0)
    return flame.filterTo(flame.focus());
  if (m_pages->currentWidget() == &m_runPages->costView()) return m_runPages->costView().filterToThis();
  if (m_pages->currentWidget() == &m_runPages->reasonsView()) return m_runPages->reasonsView().filterToThis();
  if (const GroupId group = m_selection.currentGroup(); group >= 0) return filterToGroup(group);
  if (const NodeIndex node = m_selection.current(); node >= 0) {
    const QString op = QString::fromStdString(m_document.nodes()[static_cast<size_t>(node)].op);
    m_runPages->filter().push(fieldFilter(QStringLiteral("op"), op));
  }
}

void MainWindow::filterToGroup(GroupId id) {
  const Grouping& grouping = m_document.source()->grouping;
  const Group& group = grouping.groups[static_cast<size_t>(id)];
  std::vector<bool> nodes(m_document.nodes().size());
  for (const NodeIndex n : nodesIn(grouping, id)) nodes[static_cast<size_t>(n)] = true;
  const QString title = QString::fromStdString(group.title);
  m_runPages->filter().push(
      graphFilter(group.kind == GroupKind::Scope ? tr("scope %1").arg(title) : tr("group %1").arg(title),
                  std::move(nodes)));
}

void MainWindow::updateFilterCommands() {
  const bool any = !m_runPages->filter().empty();
  m_commands[Command::FilterBack].setEnabled(any);
  m_commands[Command::FilterClear].setEnabled(any);
  m_commands[Command::FilterToFound].setEnabled(!m_search->found().empty());
}

} // namespace nodewise::ui
