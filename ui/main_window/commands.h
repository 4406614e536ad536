// The window's commands: one row each, for menus, tool bar, keys and tool tips.
#pragma once

#include <QAction>
#include <QKeySequence>
#include <QWidget>

#include <array>
#include <map>
#include <span>

namespace nodewise::ui {

enum class Command : uint8_t {
  Open,
  Reload,
  Export,
  Report,
  ReopenLast,
  Close,
  Quit,
  Undo,
  Redo,
  CopyLine,
  Find,
  FindNext,
  FindPrevious,
  FilterToFound,
  FilterToThis,
  FilterBack,
  FilterClear,
  Fit,
  ZoomIn,
  ZoomOut,
  OpenAllGroups,
  CloseAllGroups,
  EnterGroup,
  LeaveGroup,
  FocusNeighbours,
  FocusFewer,
  FocusAncestors,
  FocusDescendants,
  FocusBetween,
  FocusCritical,
  FocusCriticalRun,
  FocusAll,
  Back,
  Forward,
  EdgeWidth,
  ThemeSystem,
  ThemeLight,
  ThemeDark,
  CompileAll,
  CompileNode,
  RecompileAll,
  RecompileNode,
  Stop,
  Invalidate,
  CheckDatabase,
  Prune,
  Clear,
  Vacuum,
  Import,
  Run,
  ShowGraph,
  ShowNodes,
  ShowCache,
  ShowRuns,
  ShowCompare,
  ShowCost,
  ShowReasons,
  ShowStatistics,
  Palette,
  Keys,
  About
};

struct CommandRow {
  Command command;
  const char* menu; ///< title of the menu it is in
  const char* text;
  const char* keys; ///< portable text; empty: none
  const char* help; ///< one sentence for the tool tip
  bool checkable = false;
};
std::span<const CommandRow> commandTable();
/// Whether the keys of a command count only where the graph has the focus: elsewhere they edit text.
bool isGraphKey(Command command);
/// Where a command stands and what it is called, without mnemonics: "View: Graph".
QString fullText(const CommandRow& row);

/// Actions of all commands, with texts and keys.
class Commands {
public:
  explicit Commands(QWidget& owner);
  QAction& operator[](Command command) const { return *m_actions.at(command); }

private:
  std::map<Command, QAction*> m_actions;
};

} // namespace nodewise::ui
