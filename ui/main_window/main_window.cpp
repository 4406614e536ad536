#include "ui/main_window/main_window.h"

#include "ui/runs/run_pages.h"

#include "ui/models/node_query.h"

#include <QApplication>
#include <QCloseEvent>
#include <QDateTime>
#include <QDragEnterEvent>
#include <QFileDialog>
#include <QFileInfo>
#include <QMimeData>
#include <QSettings>

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

QSettings settingsFile() { return QSettings(QStringLiteral("Nodewise"), QStringLiteral("Nodewise")); }

} // namespace

MainWindow::MainWindow(const WindowOptions& options)
    : m_options(options), m_document(m_jobs, sessionSettings(options), TextMeasure(QApplication::font())),
      m_cache(m_jobs, resolved(options.cache)), m_commands(*this),
      m_samples(findSamples(QString::fromStdString(options.samplesDir))),
      m_systemPalette(QApplication::palette()), m_messages(new MessageBar), m_pages(new QTabWidget),
      m_graphPage(new QStackedWidget), m_empty(new EmptyPage),
      m_graph(new GraphView(m_jobs, {QString::fromStdString(options.dotProgram)})), m_nodes(new NodesView),
      m_cacheView(new CacheView(m_cache)), m_outline(new OutlineView), m_inspector(new Inspector(m_document)),
      m_search(new SearchBar), m_status(new StatusStrip(m_jobs)), m_level(new QComboBox),
      m_colour(new QComboBox) {
  setWindowTitle(tr("Nodewise"));
  setAcceptDrops(true);
  resize(1280, 800);
  buildPages();
  buildDocks();
  buildRunPages();
  // At last: each dock that is added shares the room anew.
  resizeDocks({findChild<QDockWidget*>(QStringLiteral("outlineDock")),
               findChild<QDockWidget*>(QStringLiteral("inspectorDock"))},
              {220, 360}, Qt::Horizontal);
  buildMenus();
  buildToolBar();
  setStatusBar(m_status);
  connectDocument();
  connectSelection();
  connectCommands();
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
  m_document.open(path);
}

void MainWindow::chooseFile() {
  auto* dialog = new QFileDialog(this, tr("Open a graph"));
  dialog->setNameFilters({tr("Graphs (*.nwg.json)"), tr("All files (*)")});
  dialog->setFileMode(QFileDialog::ExistingFile);
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  if (!m_recent.paths().isEmpty()) dialog->setDirectory(QFileInfo(m_recent.paths().front()).absolutePath());
  connect(dialog, &QFileDialog::fileSelected, this, &MainWindow::openFile);
  dialog->open();
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

void MainWindow::findNodes(const QString& query) {
  m_query = query;
  if (query.trimmed().isEmpty() || !m_document.isOpen()) {
    m_search->setFound({});
    m_graph->canvas().setMatches({});
    m_nodes->model().setShown(nullptr);
    return;
  }
  const auto filter = parseFilter(query.toStdString());
  if (!filter.ok()) return m_search->setProblem(QString::fromStdString(filter.error().text()));
  std::vector<NodeIndex> found = ui::findNodes(*filter, m_document.nodes(), m_document.states());
  std::vector<bool> matches(m_document.nodes().size(), false);
  for (const NodeIndex n : found) matches[static_cast<size_t>(n)] = true;
  m_graph->canvas().setMatches(std::move(matches));
  m_nodes->model().setShown(&found);
  m_search->setFound(std::move(found));
}

void MainWindow::colourBy(ColourBy by) {
  m_colourBy = by;
  m_colour->setCurrentIndex(static_cast<int>(by)); // rows are in the order of the enumeration
  Colouring colouring =
      makeColouring(by, m_document.nodes(), m_document.states(), QDateTime::currentSecsSinceEpoch());
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
  m_outline->legend().setDarkTheme(dark);
  m_inspector->setDarkTheme(dark);
  m_cacheView->setDarkTheme(dark);
  m_runPages->setDarkTheme(dark);
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

void MainWindow::closeEvent(QCloseEvent* event) {
  saveSession();
  event->accept();
}

void MainWindow::loadSession() {
  ThemeChoice theme = ThemeChoice::System;
  if (m_options.restoreSession) {
    QSettings settings = settingsFile();
    restoreGeometry(settings.value(QStringLiteral("geometry")).toByteArray());
    restoreState(settings.value(QStringLiteral("docks")).toByteArray());
    m_colourBy =
        parseColourBy(settings.value(QStringLiteral("colour")).toString().toStdString()).value_or(m_colourBy);
    m_pages->setCurrentIndex(settings.value(QStringLiteral("page"), 0).toInt());
    m_cacheView->filterBox().setText(settings.value(QStringLiteral("cacheFilter")).toString());
    m_cacheView->restoreColumns(settings.value(QStringLiteral("cacheColumns")).toByteArray());
    m_cacheView->detailsButton().setChecked(settings.value(QStringLiteral("cacheDetails")).toBool());
    m_cacheView->setGrouping(std::clamp(settings.value(QStringLiteral("cacheGroups"), 0).toInt(), 0,
                                        m_cacheView->groupBox().count() - 1));
    theme = static_cast<ThemeChoice>(std::clamp(settings.value(QStringLiteral("theme"), 0).toInt(), 0, 2));
    m_recent.load(settings);
  }
  chooseTheme(m_options.theme.value_or(theme));
}

void MainWindow::saveSession() {
  if (!m_options.restoreSession) return;
  QSettings settings = settingsFile();
  settings.setValue(QStringLiteral("geometry"), saveGeometry());
  settings.setValue(QStringLiteral("docks"), saveState());
  for (const ColourByRow& row : colourByTable())
    if (row.by == m_colourBy)
      settings.setValue(QStringLiteral("colour"),
                        QString::fromUtf8(row.name.data(), static_cast<qsizetype>(row.name.size())));
  settings.setValue(QStringLiteral("page"), m_pages->currentIndex());
  settings.setValue(QStringLiteral("cacheFilter"), m_cacheView->filterBox().text());
  settings.setValue(QStringLiteral("cacheColumns"), m_cacheView->saveColumns());
  settings.setValue(QStringLiteral("cacheDetails"), m_cacheView->detailsButton().isChecked());
  settings.setValue(QStringLiteral("cacheGroups"), m_cacheView->grouping());
  settings.setValue(QStringLiteral("theme"), static_cast<int>(m_theme));
  m_recent.save(settings);
}

} // namespace nodewise::ui
