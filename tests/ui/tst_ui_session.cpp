// What the window keeps from one time to the next, and how wide edges are drawn.
#include "window_fixture.h"

#include "graph_fixture.h"
#include "session/values.h"
#include "ui/runs/run_pages.h"

#include <QFile>
#include <QImage>
#include <QPainter>
#include <QSettings>

using namespace nodewise;
using namespace nodewise::ui;
using namespace nodewise::ui::test;

namespace {

/// A window that keeps its session in a folder of the test.
struct Kept {
  QTemporaryDir dir;
  std::unique_ptr<MainWindow> window;

  void start(const QString& file = {}) {
    window.reset();
    WindowOptions options;
    options.cache.file = dir.filePath("cache.db").toStdString();
    options.samplesDir = NODEWISE_SAMPLES;
    options.theme = ThemeChoice::Light;
    options.file = file.toStdString();
    window = std::make_unique<MainWindow>(options);
    window->resize(1200, 800);
    window->show();
  }
  bool opened() {
    QSignalSpy shown(&window->graphView(), &GraphView::sceneShown);
    window->openAtStart();
    return shown.wait(kLong);
  }
  void close() {
    window->close();
    window.reset();
  }
};

} // namespace

class TestUiSession : public QObject {
  Q_OBJECT

  QTemporaryDir m_config;
private Q_SLOTS:
  void initTestCase() { QSettings::setPath(QSettings::NativeFormat, QSettings::UserScope, m_config.path()); }
  void init() { QSettings(QStringLiteral("Nodewise"), QStringLiteral("Nodewise")).clear(); }
  void theLastGraphComesBackWhereItWas();
  void filtersOfGroupsAndTimesComeBack();
  void bookmarksAndFocusComeBack();
  void whatIsChosenOutlivesAKill();
  void nothingIsReopenedWhereThatIsOff();
  void aGraphThatIsGoneIsSaidInPlace();
  void bytesOfEdgesComeFromTypesOrValues();
  void widthsGrowWithTheLogOfBytes();
  void widthsAreToggledByKey();
};

void TestUiSession::theLastGraphComesBackWhereItWas() {
  Kept kept;
  kept.start(kSample);
  QVERIFY(kept.opened());
  GraphCanvas& canvas = kept.window->graphView().canvas();
  canvas.zoomBy(1.5);
  canvas.panBy(QPointF(-40, 30));
  const ViewTransform view = canvas.view();
  kept.window->runPages().filter().push(fieldFilter("op", "Elemwise"));
  kept.window->selection().select(2);
  const ViewTransform seen = kept.window->graphView().canvas().view();
  kept.window->pages().setCurrentIndex(1);
  kept.close();

  kept.start();
  QVERIFY(kept.opened());
  QVERIFY(kept.window->document().path().endsWith("hierarchical_normal.nwg.json"));
  QCOMPARE(kept.window->pages().currentIndex(), 1);
  QCOMPARE(kept.window->selection().current(), 2);
  QCOMPARE(kept.window->runPages().filter().entries().size(), size_t{1});
  QCOMPARE(kept.window->runPages().filter().entries()[0].text, QString("op Elemwise"));
  QVERIFY(kept.window->graphView().canvas().matches());
  QTRY_COMPARE_WITH_TIMEOUT(kept.window->graphView().canvas().view().scale, seen.scale, kLong);
  QVERIFY((kept.window->graphView().canvas().view().offset - seen.offset).manhattanLength() < 1);
  QVERIFY(view.scale > 0);
}

void TestUiSession::filtersOfGroupsAndTimesComeBack() {
  Kept kept;
  kept.start(kSample);
  QVERIFY(kept.opened());
  std::vector<bool> nodes(kept.window->document().nodes().size());
  nodes[1] = nodes[3] = true;
  kept.window->runPages().filter().push(graphFilter("group likelihood", nodes));
  kept.window->runPages().filter().push(queryFilter("op:Elemwise"));
  kept.close();
  kept.start();
  QVERIFY(kept.opened());
  const auto& filters = kept.window->runPages().filter().entries();
  QCOMPARE(filters.size(), size_t{2});
  QCOMPARE(filters[0].text, QString("group likelihood"));
  QCOMPARE(filters[0].graph, nodes);
  QCOMPARE(filters[1].query, QString("op:Elemwise"));
}

void TestUiSession::bookmarksAndFocusComeBack() {
  Kept kept;
  kept.start(kSample);
  QVERIFY(kept.opened());
  kept.window->selection().select(3);
  QTest::keyClick(&kept.window->graphView().canvas(), Qt::Key_4, Qt::AltModifier);
  QTest::keyClick(kept.window.get(), Qt::Key_N, Qt::ControlModifier | Qt::ShiftModifier);
  const auto before = kept.window->graphView().extent().focus;
  QVERIFY(before);
  kept.close();
  kept.start();
  QVERIFY(kept.opened());
  GraphCanvas& canvas = kept.window->graphView().canvas();
  const auto& focus = kept.window->graphView().extent().focus;
  QVERIFY(focus);
  QCOMPARE(focus->nodes, before->nodes);
  QCOMPARE(focus->title, before->title);
  QTRY_COMPARE_WITH_TIMEOUT(canvas.scene()->items.size() < kept.window->document().nodes().size(), true,
                            kLong);
  QCOMPARE(canvas.selected(), 3); // and its mark is there
  QVERIFY(canvas.accessibleDescription().startsWith(
      canvas.scene()->items[static_cast<size_t>(canvas.itemOfNode(3))].title));
  kept.window->selection().select(5);
  QTest::keyClick(&canvas, Qt::Key_4);
  QCOMPARE(kept.window->selection().current(), 3);
}

void TestUiSession::whatIsChosenOutlivesAKill() {
  Kept kept;
  kept.start(kSample);
  QVERIFY(kept.opened());
  kept.window->commands()[Command::ThemeDark].trigger();
  kept.window->selection().select(2);
  const auto stored = [](const char* name) {
    return QSettings(QStringLiteral("Nodewise"), QStringLiteral("Nodewise")).value(QString::fromLatin1(name));
  };
  // Without closing the window.
  QTRY_COMPARE_WITH_TIMEOUT(stored("last/selected").toInt(), 2, kLong);
  QCOMPARE(stored("theme").toInt(), static_cast<int>(ThemeChoice::Dark));
}

void TestUiSession::nothingIsReopenedWhereThatIsOff() {
  Kept kept;
  kept.start(kSample);
  QVERIFY(kept.opened());
  kept.window->commands()[Command::ReopenLast].trigger();
  QVERIFY(!kept.window->commands()[Command::ReopenLast].isChecked());
  kept.close();
  kept.start();
  kept.window->openAtStart();
  QVERIFY(!kept.window->commands()[Command::ReopenLast].isChecked());
  QVERIFY(kept.window->document().pendingPath().isEmpty());
}

void TestUiSession::aGraphThatIsGoneIsSaidInPlace() {
  Kept kept;
  const QString copy = kept.dir.filePath("model.nwg.json");
  QVERIFY(QFile::copy(kSample, copy));
  kept.start(copy);
  QVERIFY(kept.opened());
  kept.close();
  QVERIFY(QFile::remove(copy));
  kept.start();
  kept.window->openAtStart();
  QCOMPARE(kept.window->messages().texts().size(), 1);
  QVERIFY(kept.window->messages().texts()[0].contains("model.nwg.json"));
  QVERIFY(!kept.window->document().isOpen());
}

void TestUiSession::bytesOfEdgesComeFromTypesOrValues() {
  QCOMPARE(bytesOf(tensorType(DType::Float64, {919})), int64_t{7352});
  QCOMPARE(bytesOf(tensorType(DType::Float32, {})), int64_t{4});
  QCOMPARE(bytesOf(tensorType(DType::Float64, {0, 5})), int64_t{0});
  QCOMPARE(bytesOf(tensorType(DType::Float64, {kUnknownLength, 3})), kUnknownBytes);
  QCOMPARE(bytesOf(tensorType(DType::Float64, {int64_t{1} << 40, int64_t{1} << 40})),
           kUnknownBytes); // too much
  Type rng;
  rng.kind = Kind::Rng;
  QCOMPARE(bytesOf(rng), kUnknownBytes);

  GraphBuilder b;
  const Type open = tensorType(DType::Float64, {kUnknownLength});
  const ValueId x = b.input(open, "x");
  b.graph.outputs = {b.apply("Exp", {x}, open)};
  const auto source = sourceOf(b.graph);
  EdgeBytes bytes = bytesOfValues(*source);
  QCOMPARE(bytes.unknown, int64_t{2});
  QVERIFY(exampleSizes(bytes).empty());
  ValueReport report;
  report.nodes.push_back({0, 1, {ValueStats{"float64", {100}}}, {ValueStats{"float64", {3}}}});
  report.nodes.push_back({77, 1, {}, {}}); // of another graph: left out
  bytes = bytesOfValues(*source, &report);
  QVERIFY(bytes.measured);
  QCOMPARE(bytes.unknown, int64_t{0});
  QCOMPARE(bytes.least, int64_t{24});
  QCOMPARE(bytes.greatest, int64_t{800});
  LayoutCache layouts;
  const Scene scene = makeScene(*source, OpenGroups(), noDot(), layouts, {});
  QCOMPARE(scene.edges.size(), size_t{2});
  QCOMPARE(bytesOf(bytes, scene.edges[0]), int64_t{800});
}

void TestUiSession::widthsGrowWithTheLogOfBytes() {
  EdgeBytes bytes;
  bytes.least = 8;
  bytes.greatest = 8'000'000;
  QCOMPARE(edgeWidth(bytes, 8), 1.0);
  QCOMPARE(edgeWidth(bytes, 8'000'000), 8.0);
  QVERIFY(std::abs(edgeWidth(bytes, 8000) - 4.5) < 1e-9);
  QCOMPARE(edgeWidth(bytes, 80'000'000), 8.0); // joined edges
  QCOMPARE(edgeWidth(bytes, 0), 1.0);
  QCOMPARE(exampleSizes(bytes), (std::vector<int64_t>{8, 8000, 8'000'000}));
  bytes.greatest = 8;
  QCOMPARE(exampleSizes(bytes), (std::vector<int64_t>{8}));
}

void TestUiSession::widthsAreToggledByKey() {
  Opened o;
  QVERIFY(o.open(kSample));
  o.window->activateWindow();
  EdgeLegend& legend = o.window->outlineView().edgeLegend();
  QVERIFY(!legend.isVisible());
  const auto shot = [&] { return o.canvas().grab().toImage(); };
  o.canvas().setFocus();
  const QImage thin = shot();
  QTest::keyClick(o.window.get(), Qt::Key_B, Qt::ControlModifier);
  QVERIFY(legend.isVisible());
  QCOMPARE(legend.texts().size() >= 1, true);
  QVERIFY(thin != shot());
  QTest::keyClick(o.window.get(), Qt::Key_B, Qt::ControlModifier);
  QVERIFY(!legend.isVisible());
  QCOMPARE(thin, shot());
}

QTEST_MAIN(TestUiSession)
#include "tst_ui_session.moc"
