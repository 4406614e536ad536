#include "ui/main_window/help_text.h"

#include "jit/host.h"

#include <QCoreApplication>

#include <sqlite3.h>

namespace nodewise::ui {

QString aboutText() {
  return QStringLiteral("Nodewise %1 · Qt %2 · LLVM %3 · SQLite %4 · code for %5")
      .arg(QCoreApplication::applicationVersion(), QString::fromLatin1(qVersion()),
           QString::fromStdString(hostToolchain().llvmVersion), QString::fromLatin1(sqlite3_libversion()),
           QString::fromStdString(hostTarget().cpu));
}

} // namespace nodewise::ui
