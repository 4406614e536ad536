// Commands about the window itself: palette, command lines, pictures, files that change.
#include "ui/graph/export.h"
#include "ui/main_window/command_line.h"
#include "ui/main_window/main_window.h"
#include "ui/runs/run_pages.h"
#include "ui/runs/write_report.h"
#include "ui/theme/text.h"
#include "ui/widgets/file_dialog.h"

#include <QApplication>
#include <QClipboard>
#include <QDesktopServices>
#include <QFileInfo>
#include <QUrl>

#include <tuple>

namespace nodewise::ui {
namespace {

/// Said where it was written, with a button that opens it.
Message wroteMessage(const QString& path) {
  return {MessageKind::Info,
          MainWindow::tr("Wrote %1").arg(path),
          {},
          MainWindow::tr("Open"),
          [path] { QDesktopServices::openUrl(QUrl::fromLocalFile(path)); },
          QStringLiteral("export")};
}

} // namespace

void MainWindow::connectTools() {
  const auto on = [this](Command command, auto action) {
    connect(&m_commands[command], &QAction::triggered, this, action);
  };
  on(Command::Palette, [this] { openPalette(); });
  on(Command::CopyLine, [this] { copyLine(); });
  on(Command::Export, [this] { chooseExport(); });
  on(Command::Report, [this] { chooseReport(0); });
  connect(m_runPages, &RunPages::reportWanted, this, &MainWindow::chooseReport);
  on(Command::Reload, [this] {
    m_messages->dismiss(QStringLiteral("reload"));
    m_reselect = m_selection.current();
    m_sameGraph = true;
    m_document.open(m_document.path());
  });
  connect(&m_watch, &FileWatch::changed, this, &MainWindow::offerReload);
  connect(&m_watch, &FileWatch::removed, this, &MainWindow::sayRemoved);
  connect(&m_watch, &FileWatch::returned, this, [this] { m_messages->dismiss(QStringLiteral("reload")); });
  connectLines();
}

/// Remembers what was done last, for its command line. What only says something (keys, versions), or changes
/// the window, was not done to anything.
void MainWindow::connectLines() {
  CommandPlace anywhere;
  anywhere.file = anywhere.node = anywhere.key = QStringLiteral("0");
  for (const CommandRow& row : commandTable()) {
    // These have a line once it is known which file they write.
    if (row.command == Command::Export || row.command == Command::Report) continue;
    if (commandLineOf(row.command, anywhere).isEmpty()) continue;
    connect(&m_commands[row.command], &QAction::triggered, this, [this, command = row.command] {
      m_lastCommand = command;
      m_lastLine.clear();
    });
  }
  connect(&m_graph->canvas(), &GraphCanvas::toggleRequested, this, &MainWindow::pictureDone);
  connect(&m_graph->canvas(), &GraphCanvas::enterRequested, this, &MainWindow::pictureDone);
  connect(m_outline, &OutlineView::groupActivated, this, &MainWindow::pictureDone);
  connect(m_search, &SearchBar::queryChanged, this, &MainWindow::pictureDone);
  // What was done with a file, a filter or a run of its own says its line itself.
  const auto done = [this](const QString& line) { m_lastLine = line; };
  connect(&m_cache, &CacheService::done, this, done);
  connect(&m_runPages->service(), &RunService::done, this, done);
}

/// The picture was changed by hand: what is seen can be drawn.
void MainWindow::pictureDone() {
  m_lastCommand = Command::ShowGraph;
  m_lastLine.clear();
}

/// What of the picture `nodewise draw` has no options for.
QString MainWindow::pictureNote() const {
  const Extent& extent = m_graph->extent();
  const bool plain = extent.open.empty() && extent.root == 0 && !extent.focus;
  return plain ? QString() : tr("the command draws the graph as it opens: all of it, with its groups closed");
}

void MainWindow::openPalette() {
  if (!m_palette) m_palette = new CommandPalette(this);
  QList<QAction*> actions;
  QStringList texts;
  for (const CommandRow& row : commandTable()) {
    if (row.command == Command::Palette) continue;
    actions.push_back(&m_commands[row.command]);
    texts.push_back(fullText(row));
  }
  for (const CacheActionRow& row : cacheActions()) {
    if (row.scope != ActionScope::Entries) continue; // the others stand in the menu
    actions.push_back(&m_cacheView->action(row.action));
    texts.push_back(tr("Cache: %1 (selected entries)").arg(tr(row.text).remove(u'…')));
  }
  m_palette->open(actions, texts);
}

CommandPlace MainWindow::commandPlace() const {
  CommandPlace place;
  place.file = m_document.path();
  place.level = m_document.level();
  for (const ColourByRow& row : colourByTable())
    if (row.by == m_colourBy) place.colour = text(row.name);
  place.look = lookOptions();
  // By option, environment or settings: a line copied elsewhere means the same cache.
  if (const auto settings = resolveCacheSettings(m_options.cache);
      settings.ok() && settings->file.value != defaultCacheFile())
    place.cacheFile = QFileInfo(QString::fromStdString(settings->file.value)).absoluteFilePath();
  if (const auto run = m_runPages->service().current()) place.run = run->record.run.id;
  std::tie(place.before, place.after) = m_runPages->service().comparedRuns();
  if (const NodeIndex node = m_selection.current(); node >= 0) {
    const NodeInfo& info = m_document.nodes()[static_cast<size_t>(node)];
    place.node = info.parent < 0 ? QString::number(info.indexInGraph) : QString::fromStdString(info.path);
    if (info.kind == NodeKind::Kernel) place.key = QString::fromStdString(info.key.shortHex());
  }
  return place;
}

/// What dims the picture, and how it is drawn, as options of `nodewise draw`. Filters that are not queries
/// (a range of time, a group) have none.
QString MainWindow::lookOptions() const {
  QString look;
  if (isDark(QApplication::palette())) look += QStringLiteral(" --dark");
  if (m_graph->canvas().hasEdgeBytes()) look += QStringLiteral(" --edge-width bytes");
  QStringList queries;
  for (const NodeFilterEntry& entry : m_runPages->filter().entries())
    if (entry.of == NodeFilterEntry::Of::Query) queries.push_back(entry.query);
  if (!m_query.trimmed().isEmpty()) queries.push_back(m_query.simplified());
  if (!queries.isEmpty()) look += QStringLiteral(" --find ") + shellWord(queries.join(u' '));
  return look;
}

void MainWindow::copyLine() {
  const CommandPlace place = commandPlace();
  const QString line =
      m_lastLine.isEmpty() ? commandLineOf(m_lastCommand, place) : withCache(m_lastLine, place);
  const QString topic = QStringLiteral("copied");
  if (line.isEmpty()) {
    m_messages->show({MessageKind::Info,
                      tr("Nothing to copy yet"),
                      tr("open a graph and compile it first"),
                      {},
                      {},
                      topic});
    return;
  }
  QApplication::clipboard()->setText(line);
  const QString note = line.startsWith(QStringLiteral("nodewise draw ")) ? pictureNote() : QString();
  m_messages->show({MessageKind::Info, tr("Copied: %1").arg(line), note, {}, {}, topic});
}

void MainWindow::chooseExport() {
  FileQuestion question;
  question.title = tr("Export the picture");
  question.save = true;
  question.nameFilters = {tr("Pictures (*.svg *.pdf *.png *.dot)")};
  question.suffix = QStringLiteral("svg");
  question.name =
      QFileInfo(m_document.path()).completeBaseName().section(u'.', 0, 0) + QStringLiteral(".svg");
  askForFile(this, question, [this](const QString& path) { exportPicture(path); });
}

void MainWindow::exportPicture(const QString& path) {
  const std::shared_ptr<const CanvasPicture> picture = m_graph->canvas().picture();
  if (!picture) return;
  const CommandPlace place = commandPlace();
  m_lastLine = QStringLiteral("nodewise draw %1 -o %2 --color %3")
                   .arg(shellWord(place.file), shellWord(path), place.colour) +
               place.look;
  m_jobs.start(
      {tr("Writing %1").arg(QFileInfo(path).fileName()), QStringLiteral("export"), {}, false},
      [picture, path](JobContext&) { return exportScene(picture->input(), path); },
      [this, path](const Result<void>& written) {
        m_messages->show(written.ok() ? wroteMessage(path)
                                      : errorMessage(written.error(), tr("Could not write %1").arg(path)));
      });
}

/// Run 0 is that of the open graph's last compile; without one the graph is compiled first.
void MainWindow::chooseReport(qlonglong run) {
  FileQuestion question;
  question.title = tr("Write a report");
  question.save = true;
  question.nameFilters = {tr("Reports (*.html)")};
  question.suffix = QStringLiteral("html");
  question.name = QStringLiteral("report.html");
  askForFile(this, question, [this, run](const QString& path) { writeReport(run, path); });
}

void MainWindow::writeReport(qlonglong run, const QString& path) {
  ReportRequest request;
  request.run = run;
  request.session = m_document.sharedSession();
  request.picture = m_document.isOpen() ? m_graph->canvas().picture() : nullptr;
  request.path = path;
  const auto settings = resolveCacheSettings(m_options.cache);
  if (settings.ok()) request.settings = *settings;
  m_lastLine =
      run > 0 ? QStringLiteral("nodewise report --run %1 -o %2").arg(run).arg(shellWord(path))
              : QStringLiteral("nodewise report %1 -o %2").arg(shellWord(m_document.path()), shellWord(path));
  m_jobs.start(
      {tr("Writing %1").arg(QFileInfo(path).fileName()),
       run > 0 ? QStringLiteral("export") : Document::lane(),
       {},
       false},
      [request](JobContext& context) { return ui::writeReport(request, context); },
      [this, path](const Result<void>& written) {
        m_messages->show(written.ok() ? wroteMessage(path) : errorMessage(written.error(), tr("Report")));
      });
}

/// The graph was read: what is shown of it does not need the file.
void MainWindow::sayRemoved() {
  m_messages->show({MessageKind::Warning,
                    tr("%1 is gone from its folder").arg(QFileInfo(m_document.path()).fileName()),
                    tr("the graph stays as it was read, and can be compiled and run, until it is closed"),
                    {},
                    {},
                    QStringLiteral("reload")});
}

void MainWindow::offerReload() {
  m_messages->show({MessageKind::Info,
                    tr("%1 was changed").arg(QFileInfo(m_document.path()).fileName()),
                    {},
                    tr("Reload"),
                    [this] { m_commands[Command::Reload].trigger(); },
                    QStringLiteral("reload")});
}

} // namespace nodewise::ui
