// Runs, costs, time and reasons in the window: where they stand, and how they share its selection.
#include "ui/main_window/main_window.h"
#include "ui/problems/log_view.h"
#include "ui/problems/problems_view.h"
#include "ui/runs/filter_bar.h"
#include "ui/runs/run_pages.h"
#include "ui/theme/numbers.h"

#include <QDockWidget>
#include <QLayout>

namespace nodewise::ui {

void MainWindow::buildRunPages() {
  m_document.setRunProgram({m_options.runProgram, std::chrono::seconds(m_options.runTimeoutSeconds)});
  const auto settings = resolveCacheSettings(m_options.cache);
  // Settings that cannot be read are said when the document is connected.
  m_runPages = new RunPages(m_jobs, m_document, settings.ok() ? *settings : CacheSettings(), this);
  const auto addPage = [this](QWidget& page, const QString& title, Command command) {
    m_pages->addTab(&page, title);
    connect(&m_commands[command], &QAction::triggered, this, [this, &page] {
      m_pages->setCurrentWidget(&page);
      page.setFocus();
    });
  };
  addPage(m_runPages->runsView(), tr("Runs"), Command::ShowRuns);
  addPage(m_runPages->compareView(), tr("Compare"), Command::ShowCompare);
  addPage(m_runPages->costView(), tr("Cost"), Command::ShowCost);
  addPage(m_runPages->reasonsView(), tr("Reasons"), Command::ShowReasons);
  addPage(m_runPages->statsView(), tr("Statistics"), Command::ShowStatistics);

  std::vector<QDockWidget*> docks;
  const auto addDock = [&](const QString& title, const QString& name, QWidget* widget) {
    auto* dock = new QDockWidget(title, this);
    dock->setObjectName(name);
    dock->setWidget(widget);
    dock->setFeatures(QDockWidget::DockWidgetMovable | QDockWidget::DockWidgetClosable);
    addDockWidget(Qt::BottomDockWidgetArea, dock);
    if (!docks.empty()) tabifyDockWidget(docks.front(), dock);
    docks.push_back(dock);
  };
  addDock(tr("Time"), QStringLiteral("timeDock"), &m_runPages->timeDock());
  addDock(tr("Passes"), QStringLiteral("passesDock"), &m_runPages->passesView());
  addDock(tr("Values"), QStringLiteral("valuesDock"), &m_runPages->valuesView());
  m_problems = new ProblemsView(m_document);
  m_log = new LogView;
  addDock(tr("Problems"), QStringLiteral("problemsDock"), m_problems);
  connect(m_problems, &ProblemsView::countChanged, docks.back(), [dock = docks.back()](qulonglong count) {
    dock->setWindowTitle(count > 0 ? tr("Problems (%1)").arg(countText(static_cast<int64_t>(count)))
                                   : tr("Problems"));
  });
  connect(m_problems, &ProblemsView::nodePicked, this, [this](int node) { m_selection.select(node); });
  connect(&m_selection, &NodeSelection::changed, m_problems, &ProblemsView::showNode);
  addDock(tr("Log"), QStringLiteral("logDock"), m_log);
  connect(m_messages, &MessageBar::said, m_log, &LogView::add);
  docks.front()->raise();

  connect(m_runPages, &RunPages::message, this,
          [this](const Message& message) { m_messages->show(message); });
  connect(m_runPages, &RunPages::followersKnown, this, [this] { colourBy(m_colourBy); });
  connect(m_runPages, &RunPages::pageWanted, m_pages, &QTabWidget::setCurrentWidget);
  connect(m_runPages, &RunPages::nodePicked, this, [this](int node) { m_selection.select(node); });
  connect(&m_selection, &NodeSelection::changed, m_runPages, &RunPages::showNode);
  connect(&m_cache, &CacheService::changed, &m_runPages->service(), &RunService::refresh);
  connect(&m_cache, &CacheService::changed, &m_runPages->statsView(), &StatsView::refresh);
  connect(&m_runPages->statsView(), &StatsView::filterPicked, this, [this](const QString& term) {
    m_pages->setCurrentWidget(m_cacheView);
    m_cacheView->filterBox().setText(term);
  });
  m_filterBar = new FilterBar(m_runPages->filter());
  // Below the pages, as messages are: tabs do not move under the mouse.
  centralWidget()->layout()->addWidget(m_filterBar);
}

} // namespace nodewise::ui
