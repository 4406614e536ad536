// Layouts by dot are kept in the cache database: the same graph is drawn again without dot.
#include "graph_fixture.h"

#include "ui/graph/graph_view.h"
#include "ui/graph/layout_blob.h"

#include <QFile>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

using namespace nodewise;
using namespace nodewise::ui;
using namespace nodewise::ui::test;

namespace {

constexpr int kLong = 60000; ///< milliseconds; only a hang ends here

LayoutRequest request() { return {{{{60, 30}}, {{80, 30}}, {{60, 40}}}, {{0, 1}, {0, 2}, {1, 2}}}; }
LayoutResult result() {
  LayoutResult layout;
  layout.centres = {{30, 15}, {40, 80}, {30.5, 150}};
  layout.splines = {{{30, 30}, {30, 40}, {40, 50}, {40, 65}},
                    {},
                    {{1, 2}, {3, 4}, {5, 6}, {7, 8}, {9, 10}, {11, 12}, {13, 14}}};
  layout.size = {120, 170};
  return layout;
}

CacheSettings settingsOf(const QString& file) {
  CacheOptions options;
  options.file = file.toStdString();
  return *resolveCacheSettings(options, [](const char*) { return nullptr; });
}

/// A dot that lays three boxes out, whatever it is asked, and notes each call.
QString fakeDot(const QTemporaryDir& dir) {
  const QString path = dir.filePath("dot");
  QFile file(path);
  if (!file.open(QIODevice::WriteOnly)) return {};
  file.write(("#!/bin/sh\necho x >> " + dir.filePath("calls") + "\nexec dot \"$@\"\n").toUtf8());
  file.close();
  file.setPermissions(QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
  return path;
}
qint64 calls(const QTemporaryDir& dir) { return QFile(dir.filePath("calls")).size() / 2; }

} // namespace

class TestUiLayoutKept : public QObject {
  Q_OBJECT
private Q_SLOTS:
  void bytesGiveTheLayoutBack();
  void bytesOfSomethingElseAreRefused();
  void theSecondOpeningNeedsNoDot();
  void aCacheThatCannotBeOpenedIsDoneWithout();
};

void TestUiLayoutKept::bytesGiveTheLayoutBack() {
  const auto back = layoutOfBytes(layoutBytes(result()), request());
  QVERIFY(back);
  QCOMPARE(back->size, result().size);
  QCOMPARE(back->centres, result().centres);
  QCOMPARE(back->splines, result().splines);
}

void TestUiLayoutKept::bytesOfSomethingElseAreRefused() {
  const std::vector<std::byte> sound = layoutBytes(result());
  LayoutRequest other = request();
  other.boxes.pop_back();
  QVERIFY(!layoutOfBytes(sound, other));
  other = request();
  other.edges.push_back({0, 1});
  QVERIFY(!layoutOfBytes(sound, other));
  // Cut anywhere, or longer: refused, never read beyond its end.
  for (size_t size = 0; size < sound.size(); ++size)
    QVERIFY(!layoutOfBytes(std::span(sound).first(size), request()));
  std::vector<std::byte> longer = sound;
  longer.push_back({});
  QVERIFY(!layoutOfBytes(longer, request()));
  // Any byte changed to any extreme: a layout of finite places, or none.
  for (size_t at = 0; at < sound.size(); ++at)
    for (const std::byte value : {std::byte{0x00}, std::byte{0x7f}, std::byte{0x80}, std::byte{0xff}}) {
      std::vector<std::byte> bytes = sound;
      bytes[at] = value;
      const auto layout = layoutOfBytes(bytes, request());
      if (!layout) continue;
      QCOMPARE(layout->centres.size(), request().boxes.size());
      for (const QPointF& p : layout->centres) QVERIFY(std::abs(p.x()) < 1e8 && std::abs(p.y()) < 1e8);
    }
  std::vector<std::byte> newer = sound;
  newer[0] = std::byte{2};
  QVERIFY(!layoutOfBytes(newer, request()));
}

void TestUiLayoutKept::theSecondOpeningNeedsNoDot() {
  if (QStandardPaths::findExecutable("dot").isEmpty()) QSKIP("Graphviz' dot is not installed");
  QTemporaryDir dir;
  DotSettings dot;
  dot.program = fakeDot(dir);
  const CacheSettings settings = settingsOf(dir.filePath("cache.db"));
  const auto draw = [&](const Graph& graph, const DotSettings& with) {
    JobTracker jobs;
    GraphView view(jobs, with, std::make_shared<LayoutCache>(settings));
    view.resize(400, 300);
    QSignalSpy shown(&view, &GraphView::sceneShown);
    view.setSource(sourceOf(graph));
    if (!shown.wait(kLong)) return std::pair(Scene(), int64_t{-1});
    const bool kept = QTest::qWaitFor([&] { return jobs.idle(); }, kLong);
    return std::pair(*view.canvas().scene(), kept ? view.layouts().loaded() : -1);
  };
  const auto [first, loadedFirst] = draw(smallGraph(), dot);
  QCOMPARE(first.notices, QStringList());
  QCOMPARE(calls(dir), qint64{1});
  QCOMPARE(loadedFirst, int64_t{0});
  const auto [second, loadedSecond] = draw(smallGraph(), dot);
  QCOMPARE(calls(dir), qint64{1});
  QCOMPARE(loadedSecond, int64_t{1});
  QCOMPARE(second.items.size(), first.items.size());
  for (size_t k = 0; k < first.items.size(); ++k)
    QVERIFY((second.items[k].rect.center() - first.items[k].rect.center()).manhattanLength() < 0.01);
  // It is drawn so even where dot has gone meanwhile.
  const auto [third, loadedThird] = draw(smallGraph(), noDot());
  QVERIFY(third.notices.isEmpty());
  QCOMPARE(loadedThird, int64_t{1});
  // Another graph is laid out anew.
  const auto [other, loadedOther] = draw(graphWithInner(), dot);
  QCOMPARE(calls(dir), qint64{2});
  QCOMPARE(loadedOther, int64_t{0});
}

void TestUiLayoutKept::aCacheThatCannotBeOpenedIsDoneWithout() {
  QTemporaryDir dir;
  QFile file(dir.filePath("plain"));
  QVERIFY(file.open(QIODevice::WriteOnly));
  file.close();
  LayoutCache cache(settingsOf(dir.filePath("plain/cache.db"))); // below a file
  QVERIFY(!cache.find("digraph", request()));
  cache.put("digraph", std::make_shared<const LayoutResult>(result()));
  QVERIFY(cache.find("digraph", request()));
  cache.save();
  QVERIFY(!cache.isUnsaved());
}

QTEST_MAIN(TestUiLayoutKept)
#include "tst_ui_layout_kept.moc"
