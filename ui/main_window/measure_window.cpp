#include "ui/main_window/measure_window.h"

#include "graph/generate.h"
#include "graph/writer.h"
#include "ui/jobs/stall_watchdog.h"
#include "ui/main_window/main_window.h"
#include "ui/widgets/platform_guard.h"

#include <QApplication>
#include <QElapsedTimer>
#include <QEventLoop>
#include <QFile>
#include <QTemporaryDir>
#include <QTimer>

#include <functional>
#include <optional>

namespace nodewise {
namespace {

using namespace ui;

constexpr int kLongest = 120'000; // milliseconds; what takes longer hangs
constexpr int kLookMs = 5;

/// Runs the event loop until something holds; milliseconds it took.
Result<double> waitFor(const char* what, const std::function<bool()>& holds) {
  QElapsedTimer timer;
  timer.start();
  QTimer look; // a loop that is awake all the time would take a core from what is measured
  look.start(kLookMs);
  while (!holds()) {
    if (timer.elapsed() > kLongest)
      return Error{std::string(what) + ": nothing after two minutes", {}, "try again on an idle machine", {}};
    QCoreApplication::processEvents(QEventLoop::AllEvents | QEventLoop::WaitForMoreEvents);
  }
  return static_cast<double>(timer.nsecsElapsed()) / 1e6;
}

WindowOptions optionsIn(const QTemporaryDir& folder) {
  WindowOptions options;
  options.cache.file = folder.filePath(QStringLiteral("cache.db")).toStdString();
  options.restoreSession = false;
  options.theme = ThemeChoice::Light;
  return options;
}

struct Measurer {
  QTemporaryDir folder;
  std::vector<WindowMeasure> rows;

  void add(const char* name, double value, const char* unit, std::optional<double> atMost, const char* note) {
    rows.push_back({name, value, unit, atMost, note});
  }
  Result<std::string> write(int nodes) {
    const std::string path = folder.filePath(QStringLiteral("%1.nwg.json").arg(nodes)).toStdString();
    NW_CHECK(writeGraphFile(generateNetwork(nodes, 1), path));
    return path;
  }
  Result<void> open(int nodes, double limit, const char* name, const char* stallName);
  Result<void> pan();
  Result<void> cancelLayout();
};

Result<void> Measurer::open(int nodes, double limit, const char* name, const char* stallName) {
  NW_TRY(const std::string path, write(nodes));
  MainWindow window(optionsIn(folder));
  window.resize(1600, 1000);
  window.show();
  NW_CHECK(waitFor("starting", [&] { return window.jobs().idle(); }));
  bool shown = false;
  QObject::connect(&window.graphView(), &GraphView::sceneShown, &window, [&] { shown = true; });
  StallWatchdog watchdog;
  window.openFile(QString::fromStdString(path));
  NW_TRY(const double ms, waitFor(name, [&] { return shown; }));
  window.graphView().canvas().grab();
  add(name, ms / 1000, "s", limit, "from the file to the picture, grouped");
  add(stallName, watchdog.longestMs(), "ms", 50, "the longest time that the window did not answer meanwhile");
  return {};
}

/// All nodes of a large part in view.
Result<void> Measurer::pan() {
  constexpr int kNodes = 5000, kFrames = 60;
  const auto file = std::make_shared<const GraphFile>(generateNetwork(kNodes, 1));
  NW_TRY(std::unique_ptr<Session> session, Session::open(*file, SessionSettings()));
  Structure structure = makeStructure(session->nodes());
  Grouping grouping = makeGrouping(structure, kNodes + 1);
  const auto source = std::make_shared<const SceneSource>(SceneSource{
      session->nodes(), std::move(structure), std::move(grouping), TextMeasure(QApplication::font()), {}});
  LayoutCache layouts;
  const auto scene = std::make_shared<const Scene>(makeScene(*source, {}, {}, layouts, {}));
  GraphCanvas canvas;
  canvas.resize(1600, 1000);
  canvas.setScene(source, scene);
  const std::vector<NodeState> states(source->nodes.size());
  canvas.setColouring(makeColouring(ColourBy::Family, source->nodes, states));
  QPixmap target(canvas.size());
  canvas.render(&target);
  double sum = 0, longest = 0;
  for (int frame = 0; frame < kFrames; ++frame) {
    canvas.panBy(QPointF(frame % 2 == 0 ? 3 : -3, 1));
    QElapsedTimer timer;
    timer.start();
    canvas.render(&target);
    const double ms = static_cast<double>(timer.nsecsElapsed()) / 1e6;
    sum += ms;
    longest = std::max(longest, ms);
  }
  add("panning over 5,000 nodes, a frame", sum / kFrames, "ms", 16,
      "all of them in view, 1600 x 1000 pixels, mean");
  add("panning, longest frame", longest, "ms", {}, "the same");
  return {};
}

/// A dot that never ends, and Cancel.
Result<void> Measurer::cancelLayout() {
  QFile script(folder.filePath(QStringLiteral("dot")));
  if (!script.open(QIODevice::WriteOnly) || script.write("#!/bin/sh\nexec sleep 60\n") < 0)
    return Error{"no temporary file", {}, {}, {}};
  script.close();
  script.setPermissions(QFile::ReadOwner | QFile::ExeOwner);
  NW_TRY(const std::string path, write(100));
  WindowOptions options = optionsIn(folder);
  options.dotProgram = script.fileName().toStdString();
  MainWindow window(options);
  window.show();
  bool shown = false;
  QObject::connect(&window.graphView(), &GraphView::sceneShown, &window, [&] { shown = true; });
  window.openFile(QString::fromStdString(path));
  NW_CHECK(waitFor("layout", [&] { return window.graphView().isLayingOut(); }));
  window.jobs().cancelShown();
  NW_TRY(const double ms, waitFor("cancel", [&] { return shown; }));
  add("Cancel of a layout", ms / 1000, "s", 0.2, "until the built-in layout stands there");
  return {};
}

} // namespace

Result<std::vector<WindowMeasure>> measureWindow() {
  if (!qEnvironmentVariableIsSet("QT_QPA_PLATFORM")) qputenv("QT_QPA_PLATFORM", "offscreen");
  int argc = 1;
  std::string name = "nodewise";
  char* argv[] = {name.data(), nullptr};
  std::optional<ui::PlatformGuard> guard(std::in_place);
  const QApplication application(argc, argv);
  guard.reset();
  Measurer measurer;
  NW_CHECK(measurer.open(20'000, 3, "opening 20,000 nodes", "longest stall, 20,000 nodes"));
  NW_CHECK(measurer.open(100'000, 5, "opening 100,000 nodes", "longest stall, 100,000 nodes"));
  NW_CHECK(measurer.pan());
  NW_CHECK(measurer.cancelLayout());
  return std::move(measurer.rows);
}

} // namespace nodewise
