// The window as tests use it: with a cache of its own, opened, compiled and clicked.
#pragma once

#include "ui/main_window/main_window.h"

#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

#include <algorithm>

namespace nodewise::ui::test {

inline const QString kSample = QStringLiteral(NODEWISE_SAMPLES "/hierarchical_normal.nwg.json");
inline constexpr int kLong = 60000; ///< milliseconds; sanitized builds on a busy machine are slow

/// A window with a cache of its own.
struct Opened {
  QTemporaryDir dir;
  std::unique_ptr<MainWindow> window;

  Opened() { start(); }
  /// The window anew, on the same cache.
  void start() {
    window.reset();
    WindowOptions options;
    options.cache.file = dir.filePath("cache.db").toStdString();
    options.samplesDir = NODEWISE_SAMPLES;
    options.restoreSession = false;
    options.theme = ThemeChoice::Light;
    window = std::make_unique<MainWindow>(options);
    window->resize(1200, 800);
    window->show();
  }
  Document& document() { return window->document(); }
  GraphCanvas& canvas() { return window->graphView().canvas(); }

  bool open(const QString& path) {
    QSignalSpy shown(&window->graphView(), &GraphView::sceneShown);
    window->openFile(path);
    return shown.wait(kLong);
  }
  bool compileAll() {
    QSignalSpy compiled(&document(), &Document::compiled);
    QTest::keyClick(window.get(), Qt::Key_F5);
    return compiled.wait(kLong);
  }
  NodeIndex firstKernel() {
    for (const NodeInfo& info : document().nodes())
      if (info.kind == NodeKind::Kernel && info.parent < 0) return info.index;
    return -1;
  }
  int64_t countOf(Outcome outcome) {
    return std::ranges::count_if(document().states(),
                                 [&](const NodeState& state) { return state.outcome == outcome; });
  }
  int64_t kernels() { return std::ranges::count(document().nodes(), NodeKind::Kernel, &NodeInfo::kind); }
  void click(NodeIndex node) {
    canvas().reveal(canvas().itemOfNode(node));
    QTest::mouseClick(&canvas(), Qt::LeftButton, {},
                      canvas().screenRect(canvas().itemOfNode(node)).center().toPoint());
  }
};

} // namespace nodewise::ui::test
