// Commands about the window itself: palette, command lines, pictures, files that change.
#include "ui/graph/export.h"
#include "ui/main_window/command_line.h"
#include "ui/main_window/main_window.h"

#include <QApplication>
#include <QClipboard>
#include <QFileDialog>
#include <QFileInfo>

namespace nodewise::ui {

void MainWindow::connectTools() {
  const auto on = [this](Command command, auto action) {
    connect(&m_commands[command], &QAction::triggered, this, action);
  };
  on(Command::Palette, [this] { openPalette(); });
  on(Command::CopyLine, [this] { copyLine(); });
  on(Command::Export, [this] { chooseExport(); });
  on(Command::Reload, [this] {
    m_messages->dismiss(QStringLiteral("reload"));
    m_reselect = m_selection.current();
    m_document.open(m_document.path());
  });
  connect(&m_watch, &FileWatch::changed, this, &MainWindow::offerReload);
  for (const CommandRow& row : commandTable()) {
    CommandPlace anywhere{QStringLiteral("f"), QStringLiteral("0"), QStringLiteral("0"), {}, 2};
    if (!commandLineOf(row.command, anywhere).isEmpty())
      on(row.command, [this, command = row.command] { m_lastCommand = command; });
  }
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
  m_palette->open(actions, texts);
}

void MainWindow::copyLine() {
  CommandPlace place;
  place.file = m_document.path();
  place.level = m_document.level();
  if (m_options.cache.file) place.cacheFile = QString::fromStdString(*m_options.cache.file);
  if (const NodeIndex node = m_selection.current(); node >= 0) {
    const NodeInfo& info = m_document.nodes()[static_cast<size_t>(node)];
    place.node = info.parent < 0 ? QString::number(info.indexInGraph) : QString::fromStdString(info.path);
    if (info.kind == NodeKind::Kernel) place.key = QString::fromStdString(info.key.shortHex());
  }
  const QString line = commandLineOf(m_lastCommand, place);
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
  m_messages->show({MessageKind::Info, tr("Copied: %1").arg(line), {}, {}, {}, topic});
}

void MainWindow::chooseExport() {
  auto* dialog = new QFileDialog(this, tr("Export the picture"));
  dialog->setAcceptMode(QFileDialog::AcceptSave);
  dialog->setNameFilters({tr("Pictures (*.svg *.pdf *.png *.dot)")});
  dialog->setDefaultSuffix(QStringLiteral("svg"));
  dialog->selectFile(QFileInfo(m_document.path()).completeBaseName().section(u'.', 0, 0) +
                     QStringLiteral(".svg"));
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  connect(dialog, &QFileDialog::fileSelected, this, &MainWindow::exportPicture);
  dialog->open();
}

void MainWindow::exportPicture(const QString& path) {
  const std::shared_ptr<const CanvasPicture> picture = m_graph->canvas().picture();
  if (!picture) return;
  m_jobs.start(
      {tr("Writing %1").arg(QFileInfo(path).fileName()), QStringLiteral("export"), {}, false},
      [picture, path](JobContext&) { return exportScene(picture->input(), path); },
      [this, path](const Result<void>& written) {
        m_messages->show(
            written.ok()
                ? Message{MessageKind::Info, tr("Wrote %1").arg(path), {}, {}, {}, QStringLiteral("export")}
                : errorMessage(written.error(), tr("Export")));
      });
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
