#include "ui/main_window/commands.h"

#include <QCoreApplication>

namespace nodewise::ui {
namespace {

constexpr std::array kCommands{
    CommandRow{Command::Open, "&File", "&Open…", "Ctrl+O", "Open a graph file"},
    CommandRow{Command::Reload, "&File", "Re&load", "Ctrl+R", "Read the graph file again"},
    CommandRow{Command::Export, "&File", "&Export the picture…", "Ctrl+E",
               "Write what the graph shows as SVG, PDF, PNG or DOT"},
    CommandRow{Command::Report, "&File", "&Write a report…", "Ctrl+Shift+R",
               "Write this run as one HTML file: the graph, the reasons, the costs"},
    CommandRow{Command::ReopenLast, "&File", "Reopen the last graph at s&tart", "",
               "Begin where this window was closed: graph, view, filters", true},
    CommandRow{Command::Close, "&File", "&Close graph", "Ctrl+W", "Close the graph"},
    CommandRow{Command::Quit, "&File", "&Quit", "Ctrl+Q", "Close the window"},
    CommandRow{Command::Undo, "&Edit", "&Undo", "Ctrl+Z", "Take back the last change of the cache"},
    CommandRow{Command::Redo, "&Edit", "&Redo", "Ctrl+Shift+Z", "Do again what was taken back"},
    CommandRow{Command::CopyLine, "&Edit", "&Copy as command", "Ctrl+Shift+X",
               "Copy the command line that does what was done last"},
    CommandRow{Command::Find, "&Edit", "&Find…", "Ctrl+F",
               "Find nodes by words or by op:, dtype:, state:, cost>, …"},
    CommandRow{Command::FindNext, "&Edit", "Find &next", "F3", "Go to the next node found"},
    CommandRow{Command::FindPrevious, "&Edit", "Find &previous", "Shift+F3", "Go to the previous node found"},
    CommandRow{Command::FilterToFound, "&Edit", "Fi&lter to what is found", "Ctrl+Shift+F",
               "All views show only what the search found (Ctrl+Enter in the search field)"},
    CommandRow{Command::FilterToThis, "&Edit", "Filter to t&his", "Ctrl+T",
               "All views show only this op, group, row or cause"},
    CommandRow{Command::FilterBack, "&Edit", "Take the l&ast filter off", "Ctrl+Shift+T",
               "Back to what was shown before the last filter"},
    CommandRow{Command::FilterClear, "&Edit", "Ta&ke all filters off", "", "All views show everything again"},
    CommandRow{Command::ShowGraph, "&View", "&Graph", "Ctrl+1", "Show the graph"},
    CommandRow{Command::ShowNodes, "&View", "&Nodes", "Ctrl+2", "Show all nodes as a table"},
    CommandRow{Command::ShowCache, "&View", "&Cache", "Ctrl+3", "Show the cache as a table"},
    CommandRow{Command::ShowRuns, "&View", "&Runs", "Ctrl+4", "Show what was compiled when"},
    CommandRow{Command::ShowCompare, "&View", "C&ompare", "Ctrl+5", "Show what differs between two runs"},
    CommandRow{Command::ShowCost, "&View", "Co&st", "Ctrl+6", "Show what costs the most to compile"},
    CommandRow{Command::ShowReasons, "&View", "R&easons", "Ctrl+7", "Show why nodes missed, by cause"},
    CommandRow{Command::ShowStatistics, "&View", "S&tatistics", "Ctrl+8",
               "Show what the cache holds and what it has saved"},
    CommandRow{Command::EdgeWidth, "&View", "Edge &width by bytes", "Ctrl+B",
               "Draw edges as wide as what goes along them", true},
    CommandRow{Command::ThemeSystem, "&View", "S&ystem theme", "", "Colours as the system has them", true},
    CommandRow{Command::ThemeLight, "&View", "&Light theme", "", "Light colours", true},
    CommandRow{Command::ThemeDark, "&View", "&Dark theme", "", "Dark colours", true},
    CommandRow{Command::Fit, "&Graph", "&Fit", "Ctrl+0", "Show the whole graph (F)"},
    CommandRow{Command::ZoomIn, "&Graph", "Zoom &in", "Ctrl++", "Come closer (+)"},
    CommandRow{Command::ZoomOut, "&Graph", "Zoom &out", "Ctrl+-", "Go farther away (-)"},
    CommandRow{Command::OpenAllGroups, "&Graph", "O&pen all groups", "Ctrl+Shift+E",
               "Show what is in the groups and inner graphs"},
    CommandRow{Command::CloseAllGroups, "&Graph", "&Close all groups", "Ctrl+Shift+W",
               "Show groups and inner graphs as boxes"},
    CommandRow{Command::EnterGroup, "&Graph", "Show on&ly what is in it", "Ctrl+Return",
               "Fill the picture with the selected group or inner graph"},
    CommandRow{Command::LeaveGroup, "&Graph", "Go &up a level", "Backspace",
               "Back to the graph around what is shown"},
    CommandRow{Command::FocusNeighbours, "&Graph", "Focus on &neighbours", "Ctrl+Shift+N",
               "Show only what is one step around the selected node; again: one step more"},
    CommandRow{Command::FocusFewer, "&Graph", "Focus on &a step less", "Ctrl+Alt+N",
               "One step less around the node that the focus on neighbours is about"},
    CommandRow{Command::FocusAncestors, "&Graph", "Focus on w&hat feeds it", "Ctrl+Shift+Up",
               "Show only what the selected node depends on"},
    CommandRow{Command::FocusDescendants, "&Graph", "Focus on what it f&eeds", "Ctrl+Shift+Down",
               "Show only what depends on the selected node"},
    CommandRow{Command::FocusBetween, "&Graph", "Focus on the &ways from the node before", "Ctrl+Shift+B",
               "Show only what lies between the node selected before and this one"},
    CommandRow{Command::FocusCritical, "&Graph", "Focus on the critical pa&th to compile", "Ctrl+Shift+K",
               "Show only the way through the graph that costs the most to compile"},
    CommandRow{Command::FocusCriticalRun, "&Graph", "Focus on the critical path to &run", "Ctrl+Alt+K",
               "Show only the way through the graph that took the most time in the last run"},
    CommandRow{Command::FocusAll, "&Graph", "&Show everything", "Ctrl+Shift+A", "Leave the focus"},
    CommandRow{Command::Back, "&Graph", "&Back", "Alt+Left", "To the node selected before"},
    CommandRow{Command::Forward, "&Graph", "Forwar&d", "Alt+Right", "To the node selected after"},
    CommandRow{Command::CompileAll, "&Compile", "Compile &all", "F5",
               "Look every node up and compile what is missing"},
    CommandRow{Command::CompileNode, "&Compile", "Compile &this node", "Ctrl+F5",
               "Look the selected node up, and compile it if it is missing"},
    CommandRow{Command::RecompileAll, "&Compile", "&Recompile all, ignoring the cache", "Shift+F5",
               "Compile every node anew"},
    CommandRow{Command::RecompileNode, "&Compile", "Recompile this &node, ignoring the cache",
               "Ctrl+Shift+F5", "Compile the selected node anew"},
    CommandRow{Command::Stop, "&Compile", "&Stop", "Ctrl+.", "Cancel what is being done"},
    CommandRow{Command::Invalidate, "C&ache", "&Invalidate this node", "Ctrl+Del",
               "The selected node is compiled again when it is next needed; can be undone"},
    CommandRow{Command::CheckDatabase, "C&ache", "&Check the database", "",
               "Integrity of the file, checksums of all entries, totals; offers to repair"},
    CommandRow{Command::Prune, "C&ache", "&Apply the caps…", "",
               "Drop what the caps of age and size would drop; says first what"},
    CommandRow{Command::Clear, "C&ache", "Clea&r…", "",
               "Delete all entries but pinned ones; says first what, and can be undone"},
    CommandRow{Command::Vacuum, "C&ache", "&Vacuum…", "",
               "Drop for good what was deleted or invalidated, and make the file smaller; says first what"},
    CommandRow{Command::Import, "C&ache", "I&mport a bundle…", "",
               "Store the entries of a bundle, or of a cache that was moved aside"},
    CommandRow{Command::Run, "&Run", "&Run once", "F6",
               "Run the graph on its first recorded case, or on made-up inputs"},
    CommandRow{Command::Palette, "&Help", "&Commands…", "Ctrl+Shift+P", "Find any command by its name"},
    CommandRow{Command::Keys, "&Help", "&Keys", "F1", "Show what the keys do (?)"},
    CommandRow{Command::About, "&Help", "&About Nodewise", "", "Versions"},
};

} // namespace

bool isGraphKey(Command command) { return command == Command::EnterGroup || command == Command::LeaveGroup; }

std::span<const CommandRow> commandTable() { return kCommands; }

QString fullText(const CommandRow& row) {
  const QString menu = QCoreApplication::translate("nodewise::ui::MainWindow", row.menu);
  const QString text = QCoreApplication::translate("nodewise::ui::Commands", row.text);
  QString full = menu + QStringLiteral(": ") + text;
  return full.remove(u'&');
}

Commands::Commands(QWidget& owner) {
  for (const CommandRow& row : kCommands) {
    auto* action = new QAction(QCoreApplication::translate("nodewise::ui::Commands", row.text), &owner);
    action->setShortcut(QKeySequence::fromString(QString::fromLatin1(row.keys), QKeySequence::PortableText));
    if (row.command == Command::Keys)
      action->setShortcuts({action->shortcut(), QKeySequence(QStringLiteral("?"))});
    action->setCheckable(row.checkable);
    // Keys of text fields too: they count in the graph only (see MainWindow::buildMenus).
    if (isGraphKey(row.command)) action->setShortcutContext(Qt::WidgetWithChildrenShortcut);
    const QString help = QCoreApplication::translate("nodewise::ui::Commands", row.help);
    action->setToolTip(
        *row.keys ? help + QStringLiteral(" (%1)").arg(action->shortcut().toString(QKeySequence::NativeText))
                  : help);
    if (!isGraphKey(row.command)) owner.addAction(action);
    m_actions[row.command] = action;
  }
}

} // namespace nodewise::ui
