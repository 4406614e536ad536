#include "ui/main_window/command_line.h"

#include <algorithm>
#include <array>

namespace nodewise::ui {
namespace {

/// Place holders are filled in; a line whose place holder is empty does not stand.
struct LineRow {
  Command command;
  const char* line;
  bool compiles; ///< takes --level
};
constexpr std::array kLines{
    LineRow{Command::Open, "nodewise gui {file}", true},
    LineRow{Command::Reload, "nodewise gui {file}", true},
    LineRow{Command::Report, "nodewise report {file} -o report.html", true},
    LineRow{Command::CompileAll, "nodewise compile {file}", true},
    LineRow{Command::RecompileAll, "nodewise compile {file} --recompile", true},
    LineRow{Command::CompileNode, "nodewise compile {file} --node {node}", true},
    LineRow{Command::RecompileNode, "nodewise compile {file} --node {node} --recompile", true},
    LineRow{Command::Run, "nodewise run {file} --profile", true},
    LineRow{Command::Invalidate, "nodewise cache invalidate key:{key}", false},
    LineRow{Command::Undo, "nodewise cache restore", false},
    LineRow{Command::Redo, "nodewise cache redo", false},
    LineRow{Command::CheckDatabase, "nodewise cache doctor", false},
    // These say first what they would do.
    LineRow{Command::Prune, "nodewise cache prune --dry-run", false},
    LineRow{Command::Clear, "nodewise cache clear --dry-run", false},
    LineRow{Command::Vacuum, "nodewise cache vacuum --dry-run", false},
    LineRow{Command::ShowGraph, "nodewise draw {file} -o graph.svg --color {colour}", true},
    LineRow{Command::Export, "nodewise draw {file} -o graph.svg --color {colour}", true},
    LineRow{Command::ShowNodes, "nodewise explain {file}", true},
    LineRow{Command::ShowCache, "nodewise cache list", false},
    LineRow{Command::ShowRuns, "nodewise cache runs", false},
    LineRow{Command::ShowCompare, "nodewise diff {before} {after}", false},
    LineRow{Command::ShowCost, "nodewise cost {run}", false},
    LineRow{Command::ShowReasons, "nodewise explain {file}", true},
    LineRow{Command::ShowStatistics, "nodewise cache stats --days", false},
};

/// Commands that change what the graph shows, or how: their line draws what is seen.
constexpr std::array kPictureCommands{
    Command::EdgeWidth,        Command::OpenAllGroups,   Command::CloseAllGroups, Command::EnterGroup,
    Command::LeaveGroup,       Command::FocusNeighbours, Command::FocusFewer,     Command::FocusAncestors,
    Command::FocusDescendants, Command::FocusBetween,    Command::FocusCritical,  Command::FocusCriticalRun,
    Command::FocusAll,         Command::FilterToFound,   Command::FilterToThis,   Command::FilterBack,
    Command::FilterClear};

QString numberOr(int64_t number, const char* otherwise) {
  return number > 0 ? QString::number(number) : QString::fromLatin1(otherwise);
}

} // namespace

bool changesPicture(Command command) {
  return std::ranges::find(kPictureCommands, command) != kPictureCommands.end();
}

QString commandLineOf(Command command, const CommandPlace& place) {
  if (changesPicture(command)) command = Command::ShowGraph;
  const auto row = std::ranges::find(kLines, command, &LineRow::command);
  if (row == kLines.end()) return {};
  QString line = QString::fromLatin1(row->line);
  const std::array<std::pair<const char*, QString>, 7> values{
      {{"{file}", place.file},
       {"{node}", place.node},
       {"{key}", place.key},
       {"{colour}", place.colour.isEmpty() ? QStringLiteral("outcome") : place.colour},
       {"{run}", numberOr(place.run, "last")},
       {"{before}", numberOr(place.before, "last~1")},
       {"{after}", numberOr(place.after, "last")}}};
  for (const auto& [holder, value] : values) {
    const QLatin1String name(holder);
    if (!line.contains(name)) continue;
    if (value.isEmpty()) return {};
    line.replace(name, shellWord(value));
  }
  constexpr int kUsualLevel = 2;
  if (line.startsWith(QLatin1String("nodewise draw "))) line += place.look;
  if (row->compiles && place.level != kUsualLevel) line += QStringLiteral(" --level %1").arg(place.level);
  return withCache(line, place);
}

QString withCache(const QString& line, const CommandPlace& place) {
  return place.cacheFile.isEmpty() ? line : line + QStringLiteral(" --cache ") + shellWord(place.cacheFile);
}

} // namespace nodewise::ui
