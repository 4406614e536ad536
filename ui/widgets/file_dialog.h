// Asking for a file. All of the program asks here: a dialog of its own kind could open the files that it
// lists.
#pragma once

#include <QString>
#include <QStringList>
#include <QWidget>

#include <functional>

namespace nodewise::ui {

struct FileQuestion {
  QString title;
  bool save = false;       ///< a file to write; else one that is there
  QStringList nameFilters; ///< "Graphs (*.nwg.json)"
  QString suffix;          ///< of a file to write, where none was typed: "svg"
  QString name;            ///< that is proposed
  QString folder;          ///< that is shown first; empty: the current one
  bool mayReplace = true;  ///< asks before a file is written over; false: who writes refuses it
};

/// Opens a dialog over `parent`, which goes on meanwhile; `chosen` gets the path, if one is.
///
/// The dialog never opens a file: POSIX drops all locks of a process on a file as soon as the process closes
/// any descriptor of it, and one of the files listed may be the cache's database, whose locks SQLite holds.
/// Qt's own icons and type names look into files whose names do not tell; these go by name and kind alone.
void askForFile(QWidget* parent, const FileQuestion& question, std::function<void(const QString&)> chosen);

} // namespace nodewise::ui
