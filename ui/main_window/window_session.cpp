// What outlasts the window: its shape and looks, and where one was in which graph.
#include "ui/main_window/main_window.h"
#include "ui/runs/run_pages.h"
#include "ui/theme/text.h"

#include <QBitArray>
#include <QFileInfo>
#include <QSettings>

#include <algorithm>

namespace nodewise::ui {
namespace {

QSettings settingsFile() { return QSettings(QStringLiteral("Nodewise"), QStringLiteral("Nodewise")); }

QBitArray toBits(const std::vector<bool>& nodes) {
  QBitArray bits(static_cast<qsizetype>(nodes.size()));
  for (size_t n = 0; n < nodes.size(); ++n) bits.setBit(static_cast<qsizetype>(n), nodes[n]);
  return bits;
}

std::vector<bool> fromBits(const QBitArray& bits) {
  std::vector<bool> nodes(static_cast<size_t>(bits.size()));
  for (size_t n = 0; n < nodes.size(); ++n) nodes[n] = bits.testBit(static_cast<qsizetype>(n));
  return nodes;
}

} // namespace

void MainWindow::loadSession() {
  ThemeChoice theme = ThemeChoice::System;
  m_commands[Command::ReopenLast].setChecked(true);
  if (m_options.restoreSession) {
    QSettings settings = settingsFile();
    restoreGeometry(settings.value(QStringLiteral("geometry")).toByteArray());
    m_docksSized = restoreState(settings.value(QStringLiteral("docks")).toByteArray());
    m_foundDock->hide(); // until something is looked for
    m_colourBy =
        parseColourBy(settings.value(QStringLiteral("colour")).toString().toStdString()).value_or(m_colourBy);
    m_pages->setCurrentIndex(settings.value(QStringLiteral("page"), 0).toInt());
    m_cacheView->filterBox().setText(settings.value(QStringLiteral("cacheFilter")).toString());
    m_cacheView->restoreColumns(settings.value(QStringLiteral("cacheColumns")).toByteArray());
    m_cacheView->detailsButton().setChecked(settings.value(QStringLiteral("cacheDetails")).toBool());
    m_cacheView->setGrouping(std::clamp(settings.value(QStringLiteral("cacheGroups"), 0).toInt(), 0,
                                        m_cacheView->groupBox().count() - 1));
    m_commands[Command::EdgeWidth].setChecked(settings.value(QStringLiteral("edgeWidth"), false).toBool());
    m_commands[Command::ReopenLast].setChecked(settings.value(QStringLiteral("reopenLast"), true).toBool());
    theme = static_cast<ThemeChoice>(std::clamp(settings.value(QStringLiteral("theme"), 0).toInt(), 0, 2));
    m_recent.load(settings);
  }
  chooseTheme(m_options.theme.value_or(theme));
  saveSoonAfterChanges();
}

/// A window that is killed loses nothing but the last seconds.
void MainWindow::saveSoonAfterChanges() {
  if (!m_options.restoreSession) return;
  constexpr int kSoonMs = 1500;
  m_saveSoon.setSingleShot(true);
  m_saveSoon.setInterval(kSoonMs);
  connect(&m_saveSoon, &QTimer::timeout, this, &MainWindow::saveSession);
  const auto changed = [this] { m_saveSoon.start(); };
  for (const CommandRow& row : commandTable())
    connect(&m_commands[row.command], &QAction::triggered, this, changed);
  connect(&m_document, &Document::opened, this, changed);
  connect(&m_selection, &NodeSelection::changed, this, changed);
  connect(&m_selection, &NodeSelection::groupChanged, this, changed);
  connect(&m_graph->canvas(), &GraphCanvas::bookmarkRequested, this, changed);
  connect(m_pages, &QTabWidget::currentChanged, this, changed);
  connect(m_runPages, &RunPages::filtered, this, changed);
  connect(m_colour, &QComboBox::activated, this, changed);
}

void MainWindow::saveSession() {
  if (!m_options.restoreSession) return;
  QSettings settings = settingsFile();
  settings.setValue(QStringLiteral("geometry"), saveGeometry());
  settings.setValue(QStringLiteral("docks"), saveState());
  for (const ColourByRow& row : colourByTable())
    if (row.by == m_colourBy) settings.setValue(QStringLiteral("colour"), text(row.name));
  settings.setValue(QStringLiteral("page"), m_pages->currentIndex());
  settings.setValue(QStringLiteral("cacheFilter"), m_cacheView->filterBox().text());
  settings.setValue(QStringLiteral("cacheColumns"), m_cacheView->saveColumns());
  settings.setValue(QStringLiteral("cacheDetails"), m_cacheView->detailsButton().isChecked());
  settings.setValue(QStringLiteral("cacheGroups"), m_cacheView->grouping());
  settings.setValue(QStringLiteral("edgeWidth"), m_commands[Command::EdgeWidth].isChecked());
  settings.setValue(QStringLiteral("reopenLast"), m_commands[Command::ReopenLast].isChecked());
  settings.setValue(QStringLiteral("theme"), static_cast<int>(m_theme));
  m_recent.save(settings);
  savePlace(settings);
}

/// Where one is in the open graph. Groups and nodes by number: they count only for the same graph.
void MainWindow::savePlace(QSettings& settings) {
  if (!m_placePath.isEmpty() && m_placePath == m_document.pendingPath())
    return; // on its way: see restorePlace()
  settings.remove(QStringLiteral("last"));
  if (!m_document.isOpen()) return;
  settings.beginGroup(QStringLiteral("last"));
  settings.setValue(QStringLiteral("file"), m_document.path());
  settings.setValue(QStringLiteral("nodes"), static_cast<qulonglong>(m_document.nodes().size()));
  settings.setValue(QStringLiteral("selected"), m_selection.current());
  settings.setValue(QStringLiteral("selectedGroup"), m_selection.currentGroup());
  QVariantMap bookmarks;
  for (const auto& [number, node] : m_bookmarks) bookmarks[QString::number(number)] = node;
  settings.setValue(QStringLiteral("bookmarks"), bookmarks);
  if (const Focus* focus = m_graph->extent().focus.get()) {
    settings.setValue(QStringLiteral("focus"), toBits(focus->nodes));
    settings.setValue(QStringLiteral("focusLevel"), focus->level);
    settings.setValue(QStringLiteral("focusTitle"), focus->title);
  }
  settings.setValue(QStringLiteral("query"), m_query);
  const std::vector<NodeFilterEntry>& filters = m_runPages->filter().entries();
  settings.beginWriteArray(QStringLiteral("filters"), static_cast<int>(filters.size()));
  for (size_t k = 0; k < filters.size(); ++k) {
    settings.setArrayIndex(static_cast<int>(k));
    settings.setValue(QStringLiteral("text"), filters[k].text);
    settings.setValue(QStringLiteral("query"), filters[k].query);
    // A range of time as well: the nodes are known by the time, and the run may be gone by then.
    if (filters[k].of != NodeFilterEntry::Of::Query)
      settings.setValue(QStringLiteral("nodes"), toBits(filters[k].graph));
  }
  settings.endArray();
  QVariantList open;
  for (const GroupId group : m_graph->openGroups()) open.push_back(group);
  settings.setValue(QStringLiteral("open"), open);
  settings.setValue(QStringLiteral("root"), m_graph->extent().root);
  const GraphCanvas& canvas = m_graph->canvas();
  if (canvas.hasScene() && !canvas.isFitted()) {
    settings.setValue(QStringLiteral("scale"), canvas.view().scale);
    settings.setValue(QStringLiteral("offset"), canvas.view().offset);
  }
  settings.endGroup();
}

void MainWindow::openAtStart() {
  if (!m_options.file.empty()) return openFile(QString::fromStdString(m_options.file));
  if (!m_options.restoreSession || !m_commands[Command::ReopenLast].isChecked()) return;
  QSettings settings = settingsFile();
  const QString path = settings.value(QStringLiteral("last/file")).toString();
  if (path.isEmpty()) return;
  if (!QFileInfo::exists(path)) {
    m_messages->show({MessageKind::Info,
                      tr("The graph of the last time is gone: %1").arg(path),
                      tr("open another one"),
                      {},
                      {},
                      QStringLiteral("open")});
    return;
  }
  openFile(path);
  m_placePath = m_document.pendingPath();
}

/// Once, when the graph of the last time has come again.
void MainWindow::restorePlace() {
  if (std::exchange(m_placePath, QString()) != m_document.path() || !m_document.isOpen()) return;
  QSettings settings = settingsFile();
  settings.beginGroup(QStringLiteral("last"));
  const int filters = settings.beginReadArray(QStringLiteral("filters"));
  for (int k = 0; k < filters; ++k) {
    settings.setArrayIndex(k);
    const QString text = settings.value(QStringLiteral("text")).toString(),
                  query = settings.value(QStringLiteral("query")).toString();
    std::vector<bool> nodes = fromBits(settings.value(QStringLiteral("nodes")).toBitArray());
    if (query.isEmpty() && nodes.size() == m_document.nodes().size())
      m_runPages->filter().push(graphFilter(text, std::move(nodes)));
    if (query.isEmpty() || !parseFilter(query.toStdString(), FilterOn::Nodes).ok()) continue;
    NodeFilterEntry entry = queryFilter(query);
    entry.text = text;
    m_runPages->filter().push(std::move(entry));
  }
  settings.endArray();
  if (const QString query = settings.value(QStringLiteral("query")).toString(); !query.isEmpty())
    m_search->setQuery(query);
  if (settings.value(QStringLiteral("nodes")).toULongLong() != m_document.nodes().size())
    return; // it has changed
  const auto groups = static_cast<int>(m_document.source()->grouping.groups.size());
  Extent extent;
  for (const QVariant& group : settings.value(QStringLiteral("open")).toList())
    if (group.toInt() > 0 && group.toInt() < groups) extent.open.insert(group.toInt());
  if (const int root = settings.value(QStringLiteral("root")).toInt(); root > 0 && root < groups)
    extent.root = root;
  if (std::vector<bool> focused = fromBits(settings.value(QStringLiteral("focus")).toBitArray());
      focused.size() == m_document.nodes().size()) {
    const auto levels = static_cast<int>(m_document.source()->structure.levels.size());
    const int level = settings.value(QStringLiteral("focusLevel")).toInt();
    if (level >= 0 && level < levels)
      extent.focus = std::make_shared<const Focus>(
          Focus{level, std::move(focused), settings.value(QStringLiteral("focusTitle")).toString()});
  }
  const QVariantMap bookmarks = settings.value(QStringLiteral("bookmarks")).toMap();
  for (auto at = bookmarks.begin(); at != bookmarks.end(); ++at)
    if (const int number = at.key().toInt(), node = at.value().toInt();
        number >= 1 && number <= 9 && node >= 0 && static_cast<size_t>(node) < m_document.nodes().size())
      m_bookmarks[number] = node;
  std::optional<ViewTransform> view;
  if (const double scale = settings.value(QStringLiteral("scale")).toDouble();
      scale >= ViewTransform::kMinScale && scale <= ViewTransform::kMaxScale)
    view = ViewTransform{scale, settings.value(QStringLiteral("offset")).toPointF()};
  m_graph->setPlace(extent, view);
  const int node = settings.value(QStringLiteral("selected"), -1).toInt(),
            group = settings.value(QStringLiteral("selectedGroup"), -1).toInt();
  m_pickedInGraph = true; // the view is what it was, wherever the node is
  if (node >= 0 && static_cast<size_t>(node) < m_document.nodes().size())
    m_selection.select(node);
  else if (group > 0 && group < groups)
    m_selection.selectGroup(group);
  m_pickedInGraph = false;
}

} // namespace nodewise::ui
