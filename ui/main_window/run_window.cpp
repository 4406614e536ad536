#include "ui/main_window/run_window.h"

#include "ui/main_window/main_window.h"

#include <QApplication>
#include <QTimer>

namespace nodewise {

int runWindow(const WindowOptions& options, int& argc, char** argv) {
  QApplication application(argc, argv);
  QApplication::setApplicationName(QStringLiteral("Nodewise"));
  QApplication::setApplicationVersion(QStringLiteral(NODEWISE_VERSION));
  ui::MainWindow window(options);
  window.show();
  if (!options.file.empty())
    QTimer::singleShot(0, &window, [&] { window.openFile(QString::fromStdString(options.file)); });
  return QApplication::exec();
}

} // namespace nodewise
