// The window: puts document, views and commands together. What each does is in its own folder.
#pragma once

#include "ui/cache/cache_view.h"
#include "ui/document/document.h"
#include "ui/document/file_watch.h"
#include "ui/document/node_history.h"
#include "ui/document/node_selection.h"
#include "ui/graph/graph_view.h"
#include "ui/inspector/inspector.h"
#include "ui/main_window/command_line.h"
#include "ui/main_window/command_palette.h"
#include "ui/main_window/commands.h"
#include "ui/main_window/empty_page.h"
#include "ui/main_window/key_help.h"
#include "ui/main_window/recent_files.h"
#include "ui/main_window/run_window.h"
#include "ui/main_window/search_bar.h"
#include "ui/main_window/status_strip.h"
#include "ui/nodes/nodes_view.h"
#include "ui/outline/outline_view.h"

#include <QComboBox>
#include <QDockWidget>
#include <QMainWindow>
#include <QStackedWidget>
#include <QTabWidget>
#include <QTimer>

namespace nodewise::ui {

class FilterBar;
class FoundView;
class LogView;
class ProblemsView;
class RunPages;

class MainWindow : public QMainWindow {
  Q_OBJECT
public:
  explicit MainWindow(const WindowOptions& options);
  ~MainWindow() override;

  void openFile(const QString& path);
  /// The file of the options, or else the graph of the last time, where one was in it.
  void openAtStart();
  void setTheme(ThemeChoice choice);

  Document& document() { return m_document; }
  NodeSelection& selection() { return m_selection; }
  JobTracker& jobs() { return m_jobs; }
  CacheService& cache() { return m_cache; }
  GraphView& graphView() { return *m_graph; }
  NodesView& nodesView() { return *m_nodes; }
  CacheView& cacheView() { return *m_cacheView; }
  OutlineView& outlineView() { return *m_outline; }
  Inspector& inspector() { return *m_inspector; }
  SearchBar& searchBar() { return *m_search; }
  StatusStrip& statusStrip() { return *m_status; }
  MessageBar& messages() { return *m_messages; }
  QTabWidget& pages() { return *m_pages; }
  Commands& commands() { return m_commands; }
  CommandPalette* commandPalette() { return m_palette; }
  RunPages& runPages() { return *m_runPages; }
  FilterBar& filterBar() { return *m_filterBar; }
  FoundView& foundView() { return *m_found; }
  ProblemsView& problemsView() { return *m_problems; }
  LogView& logView() { return *m_log; }

protected:
  void changeEvent(QEvent* event) override;
  void closeEvent(QCloseEvent* event) override;
  void showEvent(QShowEvent* event) override;
  void dragEnterEvent(QDragEnterEvent* event) override;
  void dropEvent(QDropEvent* event) override;

private:
  void buildPages();
  void buildDocks();
  void buildMenus();
  void buildToolBar();
  void buildRunPages();
  void buildFound();
  void connectDocument();
  void connectSelection();
  void connectCommands();
  void connectGraphCommands();
  void connectTools();
  void connectFilters();

  void chooseFile();
  void showFiles();
  void showOpened();
  void showStates();
  void showNode(NodeIndex node);
  void showGroup(GroupId group);
  void goToNode(NodeIndex node);
  void dropMessages(bool same);
  void findNodes(const QString& query);
  void showFound(bool always = false);
  void filterToThis();
  void filterToGroup(GroupId group);
  void updateFilterCommands();
  void colourBy(ColourBy by);
  void showEdgeBytes();
  void updateCommands();
  void updateGraphCommands();
  void connectFocusCommands();
  QString nameOf(NodeIndex node) const;
  void sayOfFocus(const QString& what, const QString& remedy);
  NodeIndex nodeToFocus();
  void focusOn(Focus focus, const QString& title);
  void focusOnNeighbours(int more);
  void focusOnWays();
  void focusOnCriticalPath(bool byRun);
  GroupId groupToEnter() const;
  void buildBookmarkMenu(QMenu& graphMenu);
  void useBookmark(int number, bool set);
  void openPalette();
  void copyLine();
  void connectLines();
  void pictureDone();
  QString pictureNote() const;
  void sayRemoved();
  void exportPicture(const QString& path);
  void chooseExport();
  void chooseReport(qlonglong run);
  void writeReport(qlonglong run, const QString& path);
  CommandPlace commandPlace() const;
  QString lookOptions() const;
  void offerReload();
  void compileNodes(std::vector<NodeIndex> nodes, bool ignoreCache);
  void invalidateSelected();
  void chooseTheme(ThemeChoice choice);
  void applyDark();
  void showNodeMenu(QPoint globalPosition);
  void loadSession();
  void saveSession();
  void saveSoonAfterChanges();
  void savePlace(QSettings& settings);
  void restorePlace();

  WindowOptions m_options;
  JobTracker m_jobs;
  Document m_document;
  CacheService m_cache;
  NodeSelection m_selection;
  NodeHistory m_history;
  std::map<int, NodeIndex> m_bookmarks;
  FileWatch m_watch;
  Command m_lastCommand = Command::Open; ///< of those that have a command line
  QString m_lastLine;                    ///< what was done last where the command alone does not say it
  NodeIndex m_hopsNode = -1;             ///< that the focus on neighbours was last asked for
  int m_hops = 0;
  Commands m_commands;
  RecentFiles m_recent;
  std::vector<Sample> m_samples;
  ColourBy m_colourBy = ColourBy::Outcome;
  ThemeChoice m_theme = ThemeChoice::System;
  QPalette m_systemPalette;
  QString m_query;
  QString m_placePath;          ///< the graph of the last time, until it is open
  NodeIndex m_reselect = -1;    ///< after the same graph is opened anew
  bool m_sameGraph = false;     ///< that is on its way is the one that is open
  bool m_pickedInGraph = false; ///< what was picked is in view already

  MessageBar* m_messages;
  QTabWidget* m_pages;
  QStackedWidget* m_graphPage;
  EmptyPage* m_empty;
  GraphView* m_graph;
  NodesView* m_nodes;
  CacheView* m_cacheView;
  OutlineView* m_outline;
  Inspector* m_inspector;
  SearchBar* m_search;
  StatusStrip* m_status;
  CommandPalette* m_palette = nullptr;
  KeyHelp* m_keyHelp = nullptr;
  QComboBox *m_level, *m_colour;
  QMenu* m_recentMenu = nullptr;
  RunPages* m_runPages = nullptr;
  FilterBar* m_filterBar = nullptr;
  FoundView* m_found = nullptr;
  ProblemsView* m_problems = nullptr;
  LogView* m_log = nullptr;
  QDockWidget* m_foundDock = nullptr;
  QTimer m_saveSoon;
  bool m_docksSized = false; ///< as they were the last time, or as they are at first
  bool m_applyingTheme = false;
};

} // namespace nodewise::ui
