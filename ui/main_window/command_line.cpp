#include "ui/main_window/command_line.h"

#include <QRegularExpression>

#include <algorithm>
#include <array>

namespace nodewise::ui {
namespace {

/// {file}, {node} and {key} are filled in; a line whose place holder is empty does not stand.
struct LineRow {
  Command command;
  const char* line;
  bool compiles; ///< takes --level
};
constexpr std::array kLines{
    LineRow{Command::Open, "nodewise gui {file}", true},
    LineRow{Command::CompileAll, "nodewise compile {file}", true},
    LineRow{Command::RecompileAll, "nodewise compile {file} --recompile", true},
    LineRow{Command::CompileNode, "nodewise explain {file} {node}", true},
    LineRow{Command::Run, "nodewise run {file} --profile", true},
    LineRow{Command::Invalidate, "nodewise cache invalidate key:{key}", false},
    LineRow{Command::Undo, "nodewise cache restore", false},
    LineRow{Command::ShowCache, "nodewise cache list", false},
    LineRow{Command::ShowNodes, "nodewise explain {file}", true},
    LineRow{Command::ShowGraph, "nodewise draw {file} -o graph.svg", true},
    LineRow{Command::Export, "nodewise draw {file} -o graph.svg", true},
    LineRow{Command::About, "nodewise --version", false},
};

} // namespace

QString shellWord(const QString& word) {
  static const QRegularExpression plain(QStringLiteral("^[A-Za-z0-9_./:=@%+,-]+$"));
  if (plain.match(word).hasMatch()) return word;
  QString quoted = word;
  quoted.replace(u'\'', QStringLiteral("'\\''"));
  return u'\'' + quoted + u'\'';
}

QString commandLineOf(Command command, const CommandPlace& place) {
  const auto row = std::ranges::find(kLines, command, &LineRow::command);
  if (row == kLines.end()) return {};
  QString line = QString::fromLatin1(row->line);
  for (const auto& [name, value] :
       {std::pair(QStringLiteral("{file}"), place.file), std::pair(QStringLiteral("{node}"), place.node),
        std::pair(QStringLiteral("{key}"), place.key)}) {
    if (!line.contains(name)) continue;
    if (value.isEmpty()) return {};
    line.replace(name, shellWord(value));
  }
  constexpr int kUsualLevel = 2;
  if (row->compiles && place.level != kUsualLevel) line += QStringLiteral(" --level %1").arg(place.level);
  if (!place.cacheFile.isEmpty() && command != Command::About)
    line += QStringLiteral(" --cache ") + shellWord(place.cacheFile);
  return line;
}

} // namespace nodewise::ui
