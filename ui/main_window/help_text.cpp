#include "ui/main_window/help_text.h"

#include <QCoreApplication>

namespace nodewise::ui {

QString keysText() {
  return QCoreApplication::translate("nodewise::ui::Help",
                                     "In the graph: drag or Space and drag moves, wheel or + and - zooms, F "
                                     "fits, arrow keys pick the next box, Shift and "
                                     "arrows move, Enter or double click opens and closes a group. Ctrl+F "
                                     "finds, F3 goes on. F5 compiles, F6 runs, "
                                     "Ctrl+Z takes back a change of the cache.");
}

QString aboutText() {
  return QStringLiteral("Nodewise %1 · Qt %2")
      .arg(QCoreApplication::applicationVersion(), QString::fromLatin1(qVersion()));
}

} // namespace nodewise::ui
