// Where things stand in the window.
#include "ui/main_window/main_window.h"
#include "ui/theme/text.h"

#include <QActionGroup>
#include <QDockWidget>
#include <QMenu>
#include <QMenuBar>
#include <QToolBar>
#include <QToolButton>
#include <QVBoxLayout>

namespace nodewise::ui {

void MainWindow::buildPages() {
  m_graphPage->addWidget(m_empty);
  m_graphPage->addWidget(m_graph);
  m_pages->setDocumentMode(true);
  m_pages->setAccessibleName(tr("Pages"));
  m_pages->addTab(m_graphPage, tr("Graph"));
  m_pages->addTab(m_nodes, tr("Nodes"));
  m_pages->addTab(m_cacheView, tr("Cache"));
  auto* centre = new QWidget;
  auto* layout = new QVBoxLayout(centre);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(0);
  layout->addWidget(m_pages, 1);
  layout->addWidget(m_messages); // below: tabs do not move under the mouse when a message comes or goes
  setCentralWidget(centre);
}

void MainWindow::buildDocks() {
  const auto add = [this](const QString& title, const QString& name, QWidget* widget, Qt::DockWidgetArea area,
                          int leastWidth) {
    auto* dock = new QDockWidget(title, this);
    dock->setObjectName(name);
    dock->setWidget(widget);
    dock->setFeatures(QDockWidget::DockWidgetMovable | QDockWidget::DockWidgetClosable);
    widget->setMinimumWidth(leastWidth);
    addDockWidget(area, dock);
  };
  add(tr("Outline"), QStringLiteral("outlineDock"), m_outline, Qt::LeftDockWidgetArea, 200);
  add(tr("Inspector"), QStringLiteral("inspectorDock"), m_inspector, Qt::RightDockWidgetArea, 300);
  setDockOptions(QMainWindow::AnimatedDocks | QMainWindow::AllowNestedDocks);
}

void MainWindow::buildMenus() {
  auto* themes = new QActionGroup(this); // one of them
  for (const Command theme : {Command::ThemeSystem, Command::ThemeLight, Command::ThemeDark})
    themes->addAction(&m_commands[theme]);
  std::map<QString, QMenu*> menus;
  for (const CommandRow& row : commandTable()) {
    const QString title = tr(row.menu);
    QMenu*& menu = menus[title];
    if (!menu) menu = menuBar()->addMenu(title);
    // Lines between what belongs together.
    const bool line = row.command == Command::Quit || row.command == Command::EdgeWidth ||
                      row.command == Command::ThemeSystem || row.command == Command::Stop ||
                      row.command == Command::OpenAllGroups || row.command == Command::RecompileAll ||
                      row.command == Command::Find || row.command == Command::FilterToFound ||
                      row.command == Command::EnterGroup || row.command == Command::FocusNeighbours ||
                      row.command == Command::Back || row.command == Command::Reload ||
                      row.command == Command::CheckDatabase || row.command == Command::Prune ||
                      row.command == Command::Import || row.command == Command::CopyLine;
    if (line) menu->addSeparator();
    menu->addAction(&m_commands[row.command]);
    if (isGraphKey(row.command)) m_graph->canvas().addAction(&m_commands[row.command]);
    if (row.command == Command::Forward) buildBookmarkMenu(*menu);
    if (row.command == Command::Invalidate) {
      QMenu* entries = menu->addMenu(tr("&Selected entries"));
      for (const CacheActionRow& action : cacheActions())
        if (action.scope == ActionScope::Entries) entries->addAction(&m_cacheView->action(action.action));
    }
    if (row.command == Command::Open) {
      m_recentMenu = menu->addMenu(tr("Open &recent"));
      m_recentMenu->setToolTipsVisible(true);
      QMenu* samples = menu->addMenu(tr("&Samples"));
      samples->setEnabled(!m_samples.empty());
      for (const Sample& sample : m_samples)
        connect(samples->addAction(sample.title), &QAction::triggered, this,
                [this, path = sample.path] { openFile(path); });
    }
  }
  if (QMenu* view = menus[tr("&View")]) {
    view->addSeparator();
    for (const QDockWidget* dock : findChildren<QDockWidget*>()) view->addAction(dock->toggleViewAction());
  }
}

void MainWindow::buildToolBar() {
  auto* bar = addToolBar(tr("Tools"));
  bar->setObjectName(QStringLiteral("tools"));
  bar->setMovable(false);
  bar->setToolButtonStyle(Qt::ToolButtonTextOnly);
  const auto addButton = [&](const QString& text, Command command, std::initializer_list<Command> more) {
    auto* button = new QToolButton;
    button->setDefaultAction(&m_commands[command]);
    button->setText(text);
    connect(&m_commands[command], &QAction::changed, button, [button, text] { button->setText(text); });
    if (more.size() > 0) {
      auto* menu = new QMenu(button);
      for (const Command other : more) menu->addAction(&m_commands[other]);
      if (command == Command::Open) menu->addMenu(m_recentMenu);
      button->setMenu(menu);
      button->setPopupMode(QToolButton::MenuButtonPopup);
    }
    bar->addWidget(button);
  };
  addButton(tr("Open"), Command::Open, {Command::Close});
  bar->addSeparator();
  addButton(tr("▶ Compile all"), Command::CompileAll,
            {Command::CompileNode, Command::RecompileAll, Command::RecompileNode});
  addButton(tr("▶ Run"), Command::Run, {});
  addButton(tr("■ Stop"), Command::Stop, {});
  bar->addSeparator();
  for (int level = 0; level <= 3; ++level) m_level->addItem(tr("Level O%1").arg(level), level);
  m_level->setCurrentIndex(m_document.level());
  m_level->setToolTip(tr("Optimisation level: part of every key"));
  m_level->setAccessibleName(tr("Optimisation level"));
  bar->addWidget(m_level);
  for (const ColourByRow& row : colourByTable()) m_colour->addItem(tr("Colour: %1").arg(text(row.title)));
  m_colour->setAccessibleName(tr("Colour nodes by"));
  bar->addWidget(m_colour);
  auto* space = new QWidget;
  space->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Preferred);
  bar->addWidget(space);
  bar->addWidget(m_search);
}

} // namespace nodewise::ui
