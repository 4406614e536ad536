// What the window does when something happens.
#include "ui/main_window/help_text.h"
#include "ui/main_window/main_window.h"
#include "ui/problems/log_view.h"
#include "ui/runs/run_pages.h"
#include "ui/search/found_view.h"
#include "ui/theme/numbers.h"

#include <QApplication>
#include <QClipboard>
#include <QFileInfo>
#include <QMenu>

namespace nodewise::ui {
namespace {

/// For the log: "Compiled radon: 58 of 62 hit, 3 contents made in 14 ms; saved 412 ms".
QString compiledText(const QString& title, const CompileSummary& done) {
  QString said = MainWindow::tr("Compiled %1: %2 of %3 hit")
                     .arg(title, countText(done.hits),
                          countText(done.hits + done.misses + done.stale + done.uncacheable + done.failed +
                                    done.lookupErrors));
  if (done.compiled > 0)
    said += MainWindow::tr(", %1 made").arg(countedText(done.compiled, MainWindow::tr("content")));
  if (done.failed > 0) said += MainWindow::tr(", %1 failed").arg(countText(done.failed));
  said += MainWindow::tr("; it took %1").arg(durationText(done.wallNs));
  return done.savedNs > 0 ? said + MainWindow::tr(" and saved %1").arg(durationText(done.savedNs)) : said;
}

} // namespace

void MainWindow::connectDocument() {
  const auto say = [this](const Message& message) { m_messages->show(message); };
  connect(&m_document, &Document::message, this, say);
  connect(&m_cache, &CacheService::message, this, say);
  if (const auto settings = resolveCacheSettings(m_options.cache); !settings.ok())
    m_messages->show(errorMessage(settings.error(), tr("Settings of the cache")));
  connect(&m_document, &Document::nodeWanted, this, [this](int node) {
    m_pages->setCurrentIndex(0);
    if (static_cast<size_t>(node) < m_document.nodes().size()) goToNode(node);
  });
  connect(&m_document, &Document::opened, this, &MainWindow::showOpened);
  connect(&m_document, &Document::closed, this, &MainWindow::showOpened);
  connect(&m_document, &Document::statesChanged, this, &MainWindow::showStates);
  connect(&m_document, &Document::compiled, this, [this] {
    m_cache.lookForChanges();
    if (const auto& done = m_document.summary())
      m_log->add({MessageKind::Info, compiledText(m_document.title(), *done), {}, {}, {}, {}});
  });
  connect(&m_cache, &CacheService::changed, this, &MainWindow::showStates);
  connect(&m_cache, &CacheService::actedOn, this, [this](const std::vector<Hash>& keys) {
    // An undo does not name its keys: all nodes that were looked up are asked again.
    std::vector<NodeIndex> nodes = m_document.nodesOfKeys(keys);
    if (keys.empty())
      for (const NodeInfo& info : m_document.nodes())
        if (info.kind == NodeKind::Kernel && m_document.states()[static_cast<size_t>(info.index)].outcome)
          nodes.push_back(info.index);
    m_document.lookAgain(std::move(nodes));
  });
  connect(&m_jobs, &JobTracker::changed, this, &MainWindow::updateCommands);
}

void MainWindow::showOpened() {
  const bool open = m_document.isOpen();
  setWindowTitle(open ? tr("%1 — Nodewise").arg(m_document.title()) : tr("Nodewise"));
  m_graphPage->setCurrentWidget(open ? static_cast<QWidget*>(m_graph) : m_empty);
  const NodeIndex reselect = std::exchange(m_reselect, -1);
  const GroupId group = m_selection.currentGroup();
  const bool same = std::exchange(m_sameGraph, false);
  m_selection.select(-1);
  m_inspector->showNode(-1);
  m_history.clear();
  if (!same) m_bookmarks.clear();
  m_graph->setSource(m_document.source(), m_document.title());
  m_outline->setTree(m_document.outline());
  m_nodes->model().setNodes(m_document.nodes(), m_document.states(), m_document.source());
  m_found->model().setNodes(m_document.nodes(), m_document.states(), m_document.source());
  dropMessages(same);
  m_watch.setFile(open ? m_document.path() : QString());
  if (!open) showStates(); // counts of a graph that is gone
  if (open) {
    m_recent.add(m_document.path());
    m_graph->setFocus();
    const std::string why = m_document.session().whyNotRunnable();
    if (!why.empty())
      m_messages->show({MessageKind::Warning,
                        tr("This graph cannot be run as a whole: %1").arg(QString::fromStdString(why)),
                        tr("its other nodes can be compiled"),
                        {},
                        {},
                        QStringLiteral("runnable")});
  }
  showFiles();
  findNodes(m_query);
  showEdgeBytes();
  m_pickedInGraph = same; // the view stays where it is
  if (same && reselect >= 0 && static_cast<size_t>(reselect) < m_document.nodes().size())
    m_selection.select(reselect);
  if (same && group >= 0 && static_cast<size_t>(group) < m_document.source()->grouping.groups.size())
    m_selection.selectGroup(group);
  m_pickedInGraph = false;
  restorePlace();
  updateCommands();
}

/// What was said of a graph goes with it; `same`: it is there again, read anew or with other keys.
void MainWindow::dropMessages(bool same) {
  for (const char* topic : {"open", "reload", "runnable", "run", "compile", "cancel", "focus"})
    m_messages->dismiss(QString::fromLatin1(topic));
  if (same) return;
  for (const char* topic : {"bookmark", "export", "copied"}) m_messages->dismiss(QString::fromLatin1(topic));
}

/// Selects it and brings it into view, also where it is selected already.
void MainWindow::goToNode(NodeIndex node) {
  m_selection.select(node);
  m_graph->show(node);
}

void MainWindow::showStates() {
  colourBy(m_colourBy);
  m_nodes->model().setStates(m_document.states());
  m_inspector->refresh();
  StatusCounts counts{};
  for (size_t n = 0; n < m_document.nodes().size(); ++n)
    ++countOf(counts, statusOf(m_document.nodes()[n], m_document.states()[n]));
  const auto& summary = m_document.summary();
  m_status->setLine(statusLine(counts, summary ? summary->phases.compile() : 0,
                               summary ? summary->savedNs : 0, m_cache.stats()));
}

void MainWindow::connectSelection() {
  const auto select = [this](int node) { m_selection.select(node); };
  connect(&m_graph->canvas(), &GraphCanvas::nodePicked, this, [this](int node) {
    m_pickedInGraph = true;
    m_selection.select(node);
    m_pickedInGraph = false;
  });
  connect(&m_graph->canvas(), &GraphCanvas::groupPicked, this, [this](int group) {
    m_pickedInGraph = true;
    m_selection.selectGroup(group);
    m_pickedInGraph = false;
  });
  connect(&m_graph->canvas(), &GraphCanvas::contextMenuRequested, this,
          [this](int, QPoint at) { showNodeMenu(at); });
  connect(m_nodes, &NodesView::nodePicked, this, select);
  connect(m_inspector, &Inspector::keyWanted, this, [this] {
    m_pages->setCurrentWidget(&m_runPages->reasonsView());
    m_runPages->reasonsView().showKeyTab();
  });
  connect(m_nodes, &NodesView::contextMenuRequested, this, &MainWindow::showNodeMenu);
  connect(m_outline, &OutlineView::nodePicked, this, select);
  connect(m_outline, &OutlineView::groupPicked, &m_selection, &NodeSelection::selectGroup);
  connect(m_outline, &OutlineView::groupActivated, m_graph, &GraphView::toggle);
  connect(m_outline, &OutlineView::queryPicked, m_search, &SearchBar::setQuery);
  connect(m_search, &SearchBar::queryChanged, this, &MainWindow::findNodes);
  connect(m_search, &SearchBar::nodePicked, this, select);
  connect(m_cacheView, &CacheView::keyPicked, this, [this](const Hash& key) {
    const std::vector<NodeIndex> nodes = m_document.nodesOfKeys(std::span(&key, 1));
    if (!nodes.empty()) m_selection.select(nodes.front());
  });
  connect(&m_selection, &NodeSelection::changed, this, &MainWindow::showNode);
  connect(&m_selection, &NodeSelection::groupChanged, this, &MainWindow::showGroup);
}

void MainWindow::showGroup(GroupId group) {
  if (group >= 0 || m_selection.current() < 0) m_graph->canvas().selectGroup(group);
  if (group >= 0 && !m_pickedInGraph) m_graph->showGroup(group);
  if (group >= 0) m_outline->showGroup(group);
  if (group < 0 && m_selection.current() < 0) m_outline->showNode(-1);
  m_inspector->showGroup(group);
  updateCommands();
}

void MainWindow::showNode(NodeIndex node) {
  m_history.visit(node);
  m_graph->canvas().select(node);
  if (node >= 0 && !m_pickedInGraph) m_graph->show(node);
  m_nodes->showNode(node);
  m_outline->showNode(node);
  m_inspector->showNode(node);
  if (node >= 0 && m_document.nodes()[static_cast<size_t>(node)].kind == NodeKind::Kernel)
    m_cacheView->showKey(m_document.nodes()[static_cast<size_t>(node)].key);
  updateCommands();
}

void MainWindow::compileNodes(std::vector<NodeIndex> nodes, bool ignoreCache) {
  const QString title = ignoreCache ? tr("Compiling again") : tr("Compiling");
  m_document.compile({std::move(nodes), ignoreCache}, title);
}

void MainWindow::invalidateSelected() {
  const NodeIndex node = m_selection.current();
  if (node < 0 || m_document.nodes()[static_cast<size_t>(node)].kind != NodeKind::Kernel) return;
  m_cache.invalidateKeys({m_document.nodes()[static_cast<size_t>(node)].key});
}

void MainWindow::showNodeMenu(QPoint globalPosition) {
  QMenu menu(this);
  if (m_selection.current() < 0) {
    if (m_selection.currentGroup() < 0) return;
    for (const Command command : {Command::EnterGroup, Command::FilterToThis})
      menu.addAction(&m_commands[command]);
    menu.exec(globalPosition);
    return;
  }
  for (const Command command : {Command::CompileNode, Command::RecompileNode, Command::Invalidate})
    menu.addAction(&m_commands[command]);
  menu.addSeparator();
  for (const Command command :
       {Command::EnterGroup, Command::FocusNeighbours, Command::FocusFewer, Command::FocusAncestors,
        Command::FocusDescendants, Command::FocusBetween, Command::FocusAll})
    if (m_commands[command].isEnabled()) menu.addAction(&m_commands[command]);
  menu.addSeparator();
  menu.addAction(&m_commands[Command::FilterToThis]);
  menu.exec(globalPosition);
}

void MainWindow::connectCommands() {
  const auto on = [this](Command command, auto action) {
    connect(&m_commands[command], &QAction::triggered, this, action);
  };
  on(Command::Open, [this] { chooseFile(); });
  on(Command::Close, [this] { m_document.close(); });
  on(Command::Quit, [this] { close(); });
  on(Command::Undo, [this] { m_cache.undoLast(); });
  on(Command::Redo, [this] { m_cache.redoLast(); });
  on(Command::CheckDatabase, [this] {
    m_pages->setCurrentWidget(m_cacheView);
    m_cache.checkDatabase(Repair::No);
  });
  for (const auto& [command, action] :
       {std::pair(Command::Prune, CacheAction::Prune), std::pair(Command::Clear, CacheAction::Clear),
        std::pair(Command::Vacuum, CacheAction::Vacuum), std::pair(Command::Import, CacheAction::Import)})
    on(command, [this, action = action] { m_cacheView->action(action).trigger(); });
  // What an action would do is shown on its page, from wherever it was called.
  for (const CacheActionRow& row : cacheActions())
    connect(&m_cacheView->action(row.action), &QAction::triggered, this,
            [this] { m_pages->setCurrentWidget(m_cacheView); });
  on(Command::Find, [this] {
    m_search->box().setFocus(Qt::ShortcutFocusReason);
    m_search->box().selectAll();
  });
  on(Command::FindNext, [this] { m_search->next(1); });
  on(Command::FindPrevious, [this] { m_search->next(-1); });
  on(Command::Fit, [this] { m_graph->canvas().fit(); });
  on(Command::ZoomIn, [this] { m_graph->canvas().zoomBy(1.25); });
  on(Command::ZoomOut, [this] { m_graph->canvas().zoomBy(0.8); });
  on(Command::OpenAllGroups, [this] { m_graph->openAll(); });
  on(Command::CloseAllGroups, [this] { m_graph->closeAll(); });
  on(Command::ThemeSystem, [this] { chooseTheme(ThemeChoice::System); });
  on(Command::ThemeLight, [this] { chooseTheme(ThemeChoice::Light); });
  on(Command::ThemeDark, [this] { chooseTheme(ThemeChoice::Dark); });
  on(Command::CompileAll, [this] { compileNodes({}, false); });
  on(Command::RecompileAll, [this] { compileNodes({}, true); });
  on(Command::CompileNode, [this] { compileNodes({m_selection.current()}, false); });
  on(Command::RecompileNode, [this] { compileNodes({m_selection.current()}, true); });
  on(Command::Stop, [this] { m_jobs.cancelShown(); });
  on(Command::Invalidate, [this] { invalidateSelected(); });
  on(Command::Run, [this] { m_document.run(); });
  on(Command::ShowGraph, [this] { m_pages->setCurrentIndex(0), m_graph->setFocus(); });
  on(Command::ShowNodes, [this] { m_pages->setCurrentIndex(1), m_nodes->setFocus(); });
  on(Command::ShowCache, [this] { m_pages->setCurrentIndex(2), m_cacheView->table().setFocus(); });
  on(Command::Keys, [this] {
    if (!m_keyHelp) m_keyHelp = new KeyHelp(this);
    m_keyHelp->open();
  });
  on(Command::About, [this] {
    m_messages->show({MessageKind::Info,
                      aboutText(),
                      {},
                      tr("Copy"),
                      [] { QApplication::clipboard()->setText(aboutText()); },
                      QStringLiteral("help")});
  });
  connectGraphCommands();
  connectTools();
  connect(m_empty, &EmptyPage::openRequested, this, &MainWindow::chooseFile);
  connect(m_empty, &EmptyPage::fileRequested, this, &MainWindow::openFile);
  connect(m_colour, &QComboBox::activated, this, [this](int row) {
    colourBy(colourByTable()[static_cast<size_t>(row)].by);
    pictureDone();
  });
  connect(m_level, &QComboBox::activated, this, [this](int level) {
    m_reselect = m_selection.current(); // the same graph comes back
    m_sameGraph = true;
    m_document.setLevel(level);
  });
  m_cache.setWorker([this] { return CacheService::Worker{m_document.settings(), m_document.engine()}; });
}

void MainWindow::updateCommands() {
  const bool open = m_document.isOpen();
  const bool idle = open && !m_document.isWorking();
  const NodeIndex node = m_selection.current();
  const bool kernel =
      open && node >= 0 && m_document.nodes()[static_cast<size_t>(node)].kind == NodeKind::Kernel;
  const bool runnable = idle && m_document.session().whyNotRunnable().empty();
  for (const Command command :
       {Command::Close, Command::Reload, Command::Export, Command::Report, Command::Fit, Command::ZoomIn,
        Command::ZoomOut, Command::OpenAllGroups, Command::CloseAllGroups})
    m_commands[command].setEnabled(open);
  for (const Command command : {Command::CompileAll, Command::RecompileAll})
    m_commands[command].setEnabled(idle);
  for (const Command command : {Command::CompileNode, Command::RecompileNode})
    m_commands[command].setEnabled(idle && kernel);
  m_commands[Command::Invalidate].setEnabled(kernel);
  m_commands[Command::Run].setEnabled(runnable);
  updateGraphCommands();
  for (const auto& [command, about] :
       {std::pair(Command::Undo, m_cache.undoable()), std::pair(Command::Redo, m_cache.redoable())}) {
    m_commands[command].setEnabled(!about.isEmpty());
    const QString name = command == Command::Undo ? tr("&Undo") : tr("&Redo");
    m_commands[command].setText(about.isEmpty() ? name : name + u' ' + about);
  }
  m_commands[Command::FilterToThis].setEnabled(open);
  updateFilterCommands();
  bool working = false;
  for (const JobInfo& job : m_jobs.jobs()) working = working || !job.spec.quiet;
  m_commands[Command::Stop].setEnabled(working);
}

} // namespace nodewise::ui
