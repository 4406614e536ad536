// What the window does, as a command line that does the same.
#pragma once

#include "ui/document/shell_word.h"
#include "ui/main_window/commands.h"

#include <QString>
#include <QStringList>

namespace nodewise::ui {

/// Where things stand when a command is asked for.
struct CommandPlace {
  QString file;                  ///< the graph; empty: none is open
  QString node;                  ///< number of the selected node, as `nodewise explain` takes it; empty: none
  QString key;                   ///< of the selected node, hex; empty: none
  QString cacheFile;             ///< empty: the default
  int64_t run = 0;               ///< that Cost and the time show; 0: none
  int64_t before = 0, after = 0; ///< that are compared; 0: the last two
  QString colour;                ///< what nodes are coloured by
  QString look;                  ///< further options of `nodewise draw`, each after a blank
  int level = 2;
};

/// Whether a command changes what the graph shows, or how.
bool changesPicture(Command command);
/// The command line of a command, or empty where there is none (zooming), or where what it needs is not
/// there.
QString commandLineOf(Command command, const CommandPlace& place);
/// The line with what every line has: the cache it is about.
QString withCache(const QString& line, const CommandPlace& place);

} // namespace nodewise::ui
