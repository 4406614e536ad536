#include "ui/main_window/run_window.h"

#include "ui/main_window/main_window.h"
#include "ui/theme/outline_style.h"
#include "ui/widgets/platform_guard.h"

#include <QApplication>
#include <QTimer>

#include <optional>

namespace nodewise {

int runWindow(const WindowOptions& options, int& argc, char** argv) {
  std::optional<ui::PlatformGuard> guard(std::in_place);
  QApplication application(argc, argv);
  guard.reset();
  QApplication::setApplicationName(QStringLiteral("Nodewise"));
  QApplication::setApplicationVersion(QStringLiteral(NODEWISE_VERSION));
  QApplication::setStyle(new ui::OutlineStyle); // the application owns it
  ui::MainWindow window(options);
  window.show();
  QTimer::singleShot(0, &window, &ui::MainWindow::openAtStart);
  return QApplication::exec();
}

} // namespace nodewise
