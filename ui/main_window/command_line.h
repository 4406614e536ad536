// What the window does, as a command line that does the same.
#pragma once

#include "ui/main_window/commands.h"

#include <QString>
#include <QStringList>

namespace nodewise::ui {

/// Where things stand when a command is asked for.
struct CommandPlace {
  QString file;      ///< the graph; empty: none is open
  QString node;      ///< number of the selected node, as `nodewise explain` takes it; empty: none
  QString key;       ///< of the selected node, hex; empty: none
  QString cacheFile; ///< empty: the default
  int level = 2;
};

/// The command line of a command, or empty where there is none (zooming).
QString commandLineOf(Command command, const CommandPlace& place);
/// A word as a shell reads it.
QString shellWord(const QString& word);

} // namespace nodewise::ui
