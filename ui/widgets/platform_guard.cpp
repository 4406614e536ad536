#include "ui/widgets/platform_guard.h"

#include <QString>
#include <QtGlobal>

#include <cstdio>
#include <cstdlib>

namespace nodewise::ui {
namespace {

constexpr int kNoEnvironment = 3;

void endOnFatal(QtMsgType type, const QMessageLogContext& context, const QString& text) {
  if (type != QtFatalMsg) {
    std::fprintf(stderr, "%s\n", qUtf8Printable(qFormatLogMessage(type, context, text)));
    return;
  }
  const QString reason = text.section(QLatin1Char('\n'), 0, 0).section(QStringLiteral(". "), 0, 0);
  std::fprintf(stderr,
               "nodewise: no window can be opened: %s (start it where DISPLAY or WAYLAND_DISPLAY names a "
               "display, or with QT_QPA_PLATFORM=offscreen; the command line needs none: nodewise --help)\n",
               qUtf8Printable(reason));
  std::_Exit(kNoEnvironment);
}

} // namespace

PlatformGuard::PlatformGuard() { qInstallMessageHandler(endOnFatal); }
PlatformGuard::~PlatformGuard() { qInstallMessageHandler(nullptr); }

} // namespace nodewise::ui
