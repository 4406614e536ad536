#include "ui/main_window/main_window.h"

#include "ui/problems/problems_view.h"
#include "ui/runs/run_pages.h"
#include "ui/search/found_view.h"
#include "ui/widgets/file_dialog.h"

#include <QApplication>
#include <QCloseEvent>
#include <QDateTime>
#include <QDragEnterEvent>
#include <QFileInfo>
#include <QMimeData>
#include <QStyle>

namespace nodewise::ui {
namespace {

SessionSettings sessionSettings(const WindowOptions& options) {
  SessionSettings settings;
  settings.cache = options.cache;
  settings.options.optLevel = options.optLevel;
  settings.command = "window";
  return settings;
}

/// What is wrong with the settings is said by connectDocument(); until then the default holds.
CacheSettings resolved(const CacheOptions& options) {
  auto settings = resolveCacheSettings(options);
  if (settings.ok()) return std::move(settings).value();
  CacheSettings fallback;
  fallback.file.value = defaultCacheFile();
  return fallback;
}

} // namespace

MainWindow::MainWindow(const WindowOptions& options)
    : m_options(options), m_document(m_jobs, sessionSettings(options), TextMeasure(QApplication::font())),
      m_cache(m_jobs, resolved(options.cache)), m_commands(*this),
      m_samples(findSamples(QString::fromStdString(options.samplesDir))),
      m_systemPalette(systemPalette(QApplication::palette(), QApplication::style()->standardPalette())),
      m_messages(new MessageBar), m_pages(new QTabWidget), m_graphPage(new QStackedWidget),
      m_empty(new EmptyPage), m_graph(new GraphView(m_jobs, {QString::fromStdString(options.dotProgram)},
                                                    std::make_shared<LayoutCache>(resolved(options.cache)))),
      m_nodes(new NodesView), m_cacheView(new CacheView(m_cache)), m_outline(new OutlineView),
      m_inspector(new Inspector(m_document)), m_search(new SearchBar), m_status(new StatusStrip(m_jobs)),
      m_level(new QComboBox), m_colour(new QComboBox) {
  setWindowTitle(tr("Nodewise"));
  setAcceptDrops(true);
  resize(1280, 800);
  buildPages();
  buildDocks();
  buildFound();
  buildRunPages();
  buildMenus();
  buildToolBar();
  setStatusBar(m_status);
  connectDocument();
  connectSelection();
  connectCommands();
  connectFilters();
  loadSession();
  showFiles();
  showStates();
  updateCommands();
  m_cache.lookForChanges();
  m_cacheView->model().refresh();
}

MainWindow::~MainWindow() = default;

void MainWindow::openFile(const QString& path) {
  m_messages->dismiss(QStringLiteral("open"));
  m_reselect = -1;
  m_sameGraph = false;
  m_document.open(path);
}

void MainWindow::chooseFile() {
  FileQuestion question;
  question.title = tr("Open a graph (.nwg.json)");
  question.nameFilters = {tr("Graphs (*.nwg.json)"), tr("All files (*)")};
  if (!m_recent.paths().isEmpty()) question.folder = QFileInfo(m_recent.paths().front()).absolutePath();
  askForFile(this, question, [this](const QString& path) { openFile(path); });
}

void MainWindow::showFiles() {
  m_empty->setFiles(m_samples, m_recent.paths());
  m_recentMenu->clear();
  for (const QString& path : m_recent.paths()) {
    QAction* action = m_recentMenu->addAction(QFileInfo(path).fileName());
    action->setToolTip(path);
    connect(action, &QAction::triggered, this, [this, path] { openFile(path); });
  }
  m_recentMenu->setEnabled(!m_recent.paths().isEmpty());
}

void MainWindow::colourBy(ColourBy by) {
  m_colourBy = by;
  m_colour->setCurrentIndex(static_cast<int>(by)); // rows are in the order of the enumeration
  Colouring colouring = makeColouring(by, m_document.nodes(), m_document.states(),
                                      QDateTime::currentSecsSinceEpoch(), m_runPages->followers());
  m_outline->setColouring(colouring);
  m_graph->canvas().setColouring(std::move(colouring));
}

void MainWindow::chooseTheme(ThemeChoice choice) {
  m_theme = choice;
  m_commands[Command::ThemeSystem].setChecked(choice == ThemeChoice::System);
  m_commands[Command::ThemeLight].setChecked(choice == ThemeChoice::Light);
  m_commands[Command::ThemeDark].setChecked(choice == ThemeChoice::Dark);
  m_applyingTheme = true;
  QApplication::setPalette(choice == ThemeChoice::System ? m_systemPalette
                                                         : makePalette(choice == ThemeChoice::Dark));
  m_applyingTheme = false;
  applyDark();
}

void MainWindow::setTheme(ThemeChoice choice) { chooseTheme(choice); }

/// Tells what we paint ourselves whether the palette is dark.
void MainWindow::applyDark() {
  const bool dark = isDark(QApplication::palette());
  m_graph->setDarkTheme(dark);
  m_messages->setDarkTheme(dark);
  m_nodes->model().setDarkTheme(dark);
  m_found->model().setDarkTheme(dark);
  m_outline->setDarkTheme(dark);
  m_inspector->setDarkTheme(dark);
  m_cacheView->setDarkTheme(dark);
  m_runPages->setDarkTheme(dark);
  m_problems->setDarkTheme(dark);
}

void MainWindow::changeEvent(QEvent* event) {
  QMainWindow::changeEvent(event);
  if (event->type() != QEvent::PaletteChange || m_applyingTheme || !m_graph) return;
  if (m_theme == ThemeChoice::System) applyDark(); // the system changed its colours
}

void MainWindow::dragEnterEvent(QDragEnterEvent* event) {
  const QList<QUrl> urls = event->mimeData()->urls();
  if (urls.size() == 1 && urls.front().isLocalFile()) event->acceptProposedAction();
}

void MainWindow::dropEvent(QDropEvent* event) {
  event->acceptProposedAction();
  openFile(event->mimeData()->urls().front().toLocalFile());
}

/// Docks take sizes only once the window has been laid out.
void MainWindow::showEvent(QShowEvent* event) {
  QMainWindow::showEvent(event);
  if (std::exchange(m_docksSized, true)) return;
  QMetaObject::invokeMethod(
      this,
      [this] {
        resizeDocks({findChild<QDockWidget*>(QStringLiteral("outlineDock")),
                     findChild<QDockWidget*>(QStringLiteral("inspectorDock"))},
                    {260, 380}, Qt::Horizontal);
        resizeDocks({findChild<QDockWidget*>(QStringLiteral("timeDock"))}, {230}, Qt::Vertical);
      },
      Qt::QueuedConnection);
}

void MainWindow::closeEvent(QCloseEvent* event) {
  saveSession();
  event->accept();
}

} // namespace nodewise::ui
