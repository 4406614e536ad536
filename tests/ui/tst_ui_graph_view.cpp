#include "graph_fixture.h"
#include "ui/graph/edge_painter.h"
#include "ui/graph/focus.h"
#include "ui/graph/graph_view.h"
#include "ui/graph/mini_map.h"
#include "ui/jobs/stall_watchdog.h"

#include <QFile>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>
#include <QToolButton>

using namespace nodewise;
using namespace nodewise::ui;
using namespace nodewise::ui::test;

namespace {

/// A view of a graph, shown and laid out.
struct Shown {
  JobTracker jobs;
  std::shared_ptr<const SceneSource> source;
  std::unique_ptr<GraphView> view;

  explicit Shown(std::shared_ptr<const SceneSource> s, DotSettings dot = {})
      : source(std::move(s)), view(std::make_unique<GraphView>(jobs, std::move(dot))) {
    view->resize(800, 600);
    view->show();
    QSignalSpy sceneShown(view.get(), &GraphView::sceneShown);
    view->setSource(source);
    const bool came = sceneShown.wait(20000);
    if (!came) qWarning("no scene");
    const std::vector<NodeState> states = hits(source->nodes.size());
    canvas().setColouring(makeColouring(ColourBy::Outcome, source->nodes, states));
  }
  GraphCanvas& canvas() { return view->canvas(); }
  QPoint centreOf(NodeIndex node) {
    return canvas().screenRect(canvas().itemOfNode(node)).center().toPoint();
  }
  bool waitForScene() {
    QSignalSpy sceneShown(view.get(), &GraphView::sceneShown);
    return sceneShown.wait(20000);
  }
};

} // namespace

class TestUiGraphView : public QObject {
  Q_OBJECT
private Q_SLOTS:
  void aClickPicksTheNodeUnderIt();
  void aClickBesidePicksNothing();
  void draggingPansAndPicksNothing();
  void spaceDragPansEvenOnANode();
  void theWheelZoomsAtThePointer();
  void keysZoomAndFit();
  void arrowKeysPickNeighbours();
  void controlArrowsFollowEdges();
  void aTapOfSpaceFits();
  void numberKeysAskForBookmarks();
  void controlEnterFillsThePictureWithAnInnerGraph();
  void aFocusIsLeftByEscape();
  void aNodeOutsideTheFocusEndsIt();
  void theMapFollowsAndLeads();
  void theMapMarksWhatIsPicked();
  void theMapGivesWayToWhatIsPicked();
  void aDoubleClickOpensAnInnerGraphInPlace();
  void enterOpensWhatIsPicked();
  void showingANodeOpensWhatHidesIt();
  void aMissingDotIsSaidAndTheGraphIsShown();
  void cancelOfASlowDotShowsTheGraph();
  void aNewGraphDropsTheOldOnesLayout();
  void statusColoursAreSeenInBothThemes();
  void farOutNoTextIsPainted();
  void indexFindsWhatTouches();
};

void TestUiGraphView::aClickPicksTheNodeUnderIt() {
  Shown shown(sourceOf(smallGraph()));
  QSignalSpy picked(&shown.canvas(), &GraphCanvas::nodePicked);
  for (const NodeIndex node : {0, 1, 2}) {
    QTest::mouseClick(&shown.canvas(), Qt::LeftButton, {}, shown.centreOf(node));
    QCOMPARE(picked.last()[0].toInt(), node);
  }
  QVERIFY(shown.canvas().accessibleDescription().contains("Sum"));
}

void TestUiGraphView::aClickBesidePicksNothing() {
  Shown shown(sourceOf(smallGraph()));
  QSignalSpy picked(&shown.canvas(), &GraphCanvas::nodePicked);
  QTest::mouseClick(&shown.canvas(), Qt::LeftButton, {}, QPoint(2, 2));
  QCOMPARE(picked.last()[0].toInt(), -1);
}

void TestUiGraphView::draggingPansAndPicksNothing() {
  Shown shown(sourceOf(smallGraph()));
  QSignalSpy picked(&shown.canvas(), &GraphCanvas::nodePicked);
  const QPoint before = shown.centreOf(0);
  QTest::mousePress(&shown.canvas(), Qt::LeftButton, {}, QPoint(5, 5));
  QTest::mouseMove(&shown.canvas(), QPoint(45, 5));
  QTest::mouseMove(&shown.canvas(), QPoint(65, 25));
  QTest::mouseRelease(&shown.canvas(), Qt::LeftButton, {}, QPoint(65, 25));
  QCOMPARE(picked.count(), 0);
  QCOMPARE(shown.centreOf(0) - before, QPoint(60, 20));
}

void TestUiGraphView::spaceDragPansEvenOnANode() {
  Shown shown(sourceOf(smallGraph()));
  QSignalSpy picked(&shown.canvas(), &GraphCanvas::nodePicked);
  const QPoint before = shown.centreOf(1);
  QTest::keyPress(&shown.canvas(), Qt::Key_Space);
  QTest::mousePress(&shown.canvas(), Qt::LeftButton, {}, before);
  QTest::mouseMove(&shown.canvas(), before + QPoint(1, 30));
  QTest::mouseRelease(&shown.canvas(), Qt::LeftButton, {}, before + QPoint(1, 30));
  QTest::keyRelease(&shown.canvas(), Qt::Key_Space);
  QCOMPARE(picked.count(), 0);
  QCOMPARE(shown.centreOf(1) - before, QPoint(1, 30));
}

void TestUiGraphView::theWheelZoomsAtThePointer() {
  Shown shown(sourceOf(smallGraph()));
  const QPoint at = shown.centreOf(0);
  const double before = shown.canvas().view().scale;
  QWheelEvent wheel(at, shown.canvas().mapToGlobal(at), {}, QPoint(0, 120), Qt::NoButton, Qt::NoModifier,
                    Qt::NoScrollPhase, false);
  QCoreApplication::sendEvent(&shown.canvas(), &wheel);
  QVERIFY(shown.canvas().view().scale > before * 1.1);
  QVERIFY((shown.centreOf(0) - at).manhattanLength() <= 2);
}

void TestUiGraphView::keysZoomAndFit() {
  Shown shown(sourceOf(smallGraph()));
  const double fitted = shown.canvas().view().scale;
  QTest::keyClick(&shown.canvas(), Qt::Key_Plus);
  QVERIFY(shown.canvas().view().scale > fitted);
  QTest::keyClick(&shown.canvas(), Qt::Key_Minus);
  QTest::keyClick(&shown.canvas(), Qt::Key_Minus);
  QVERIFY(shown.canvas().view().scale < fitted);
  QTest::keyClick(&shown.canvas(), Qt::Key_F);
  QCOMPARE(shown.canvas().view().scale, fitted);
}

void TestUiGraphView::arrowKeysPickNeighbours() {
  Shown shown(sourceOf(smallGraph()));
  QSignalSpy picked(&shown.canvas(), &GraphCanvas::nodePicked);
  QTest::mouseClick(&shown.canvas(), Qt::LeftButton, {}, shown.centreOf(0));
  QTest::keyClick(&shown.canvas(), Qt::Key_Down);
  QCOMPARE(picked.last()[0].toInt(), 1);
  QTest::keyClick(&shown.canvas(), Qt::Key_Down);
  QCOMPARE(picked.last()[0].toInt(), 2);
  QTest::keyClick(&shown.canvas(), Qt::Key_Up);
  QCOMPARE(picked.last()[0].toInt(), 1);
  QTest::keyClick(&shown.canvas(), Qt::Key_Escape);
  QCOMPARE(picked.last()[0].toInt(), -1);
}

void TestUiGraphView::controlArrowsFollowEdges() {
  // exp is read by add and by the output; add reads exp and y.
  Shown shown(sourceOf(smallGraph()));
  QSignalSpy jumped(&shown.canvas(), &GraphCanvas::jumpRequested);
  QTest::mouseClick(&shown.canvas(), Qt::LeftButton, {}, shown.centreOf(1));
  QTest::keyClick(&shown.canvas(), Qt::Key_Up, Qt::ControlModifier);
  QCOMPARE(jumped.last()[0].toInt(), 0);
  QTest::keyClick(&shown.canvas(), Qt::Key_Down, Qt::ControlModifier);
  QCOMPARE(jumped.last()[0].toInt(), 2);
  shown.canvas().select(2);
  QTest::keyClick(&shown.canvas(), Qt::Key_Down, Qt::ControlModifier); // nothing reads it
  QCOMPARE(jumped.count(), 2);
}

void TestUiGraphView::aTapOfSpaceFits() {
  Shown shown(sourceOf(smallGraph()));
  const double fitted = shown.canvas().view().scale;
  shown.canvas().zoomBy(3);
  QTest::keyClick(&shown.canvas(), Qt::Key_Space);
  QCOMPARE(shown.canvas().view().scale, fitted);
}

void TestUiGraphView::numberKeysAskForBookmarks() {
  Shown shown(sourceOf(smallGraph()));
  QSignalSpy asked(&shown.canvas(), &GraphCanvas::bookmarkRequested);
  QTest::keyClick(&shown.canvas(), Qt::Key_4, Qt::AltModifier);
  QTest::keyClick(&shown.canvas(), Qt::Key_4);
  QCOMPARE(asked.count(), 2);
  QCOMPARE(asked[0], (QVariantList{4, true}));
  QCOMPARE(asked[1], (QVariantList{4, false}));
}

void TestUiGraphView::controlEnterFillsThePictureWithAnInnerGraph() {
  Shown shown(sourceOf(graphWithInner()));
  QVERIFY(!shown.view->breadcrumb().isVisible());
  QTest::mouseClick(&shown.canvas(), Qt::LeftButton, {}, shown.centreOf(1));
  QTest::keyClick(&shown.canvas(), Qt::Key_Return, Qt::ControlModifier);
  QVERIFY(shown.waitForScene());
  QVERIFY(shown.canvas().itemOfNode(3) >= 0);
  QCOMPARE(shown.canvas().itemOfNode(0), -1);
  QVERIFY(shown.view->breadcrumb().isVisible());
  QCOMPARE(shown.view->breadcrumb().texts().last(), "Scan");
  QTest::keyClick(&shown.canvas(), Qt::Key_Backspace);
  QVERIFY(shown.waitForScene());
  QVERIFY(shown.canvas().itemOfNode(0) >= 0);
  QVERIFY(!shown.view->breadcrumb().isVisible());
}

void TestUiGraphView::aFocusIsLeftByEscape() {
  Shown shown(sourceOf(chain(9, [](int) { return ""; })), noDot());
  shown.view->setFocus(std::make_shared<const Focus>(neighbourhoodOf(shown.source->structure, 4, 1)));
  QVERIFY(shown.waitForScene());
  QCOMPARE(shown.canvas().scene()->items.size(), size_t{3});
  QVERIFY(shown.view->breadcrumb().texts().last().contains("3 nodes"));
  QTest::keyClick(&shown.canvas(), Qt::Key_Escape);
  QVERIFY(shown.waitForScene());
  QVERIFY(shown.canvas().itemOfNode(0) >= 0);
}

void TestUiGraphView::aNodeOutsideTheFocusEndsIt() {
  Shown shown(sourceOf(chain(9, [](int) { return ""; })), noDot());
  shown.view->setFocus(std::make_shared<const Focus>(neighbourhoodOf(shown.source->structure, 4, 1)));
  QVERIFY(shown.waitForScene());
  shown.view->show(8);
  QVERIFY(shown.waitForScene());
  QVERIFY(!shown.view->extent().focus);
  QVERIFY(QRectF(shown.canvas().rect()).contains(shown.canvas().screenRect(shown.canvas().itemOfNode(8))));
}

void TestUiGraphView::theMapFollowsAndLeads() {
  Shown shown(sourceOf(chain(60, [](int) { return ""; })), noDot());
  auto* map = shown.canvas().findChild<MiniMap*>();
  QVERIFY(map && !map->isVisible()); // all is seen
  while (shown.canvas().view().scale < 1.5) shown.canvas().zoomBy(1.5);
  QVERIFY(map->isVisible());
  QTest::mouseClick(map, Qt::LeftButton, {}, QPoint(map->width() / 2, 2));
  const QPointF top = shown.canvas().view().toScene(QPointF(0, shown.canvas().height() / 2.0));
  QTest::mouseClick(map, Qt::LeftButton, {}, QPoint(map->width() / 2, map->height() - 2));
  const QPointF bottom = shown.canvas().view().toScene(QPointF(0, shown.canvas().height() / 2.0));
  QVERIFY(bottom.y() - top.y() > 0.8 * shown.canvas().scene()->bounds.height());
}

/// The middle of the mark on what is picked; nothing: there is none.
std::optional<double> markOn(MiniMap& map) {
  const QImage image = map.grab().toImage();
  const QRgb mark = map.palette().color(QPalette::Link).rgb();
  double sum = 0;
  int count = 0;
  for (int y = 0; y < image.height(); ++y)
    for (int x = 0; x < image.width(); ++x)
      if (image.pixel(x, y) == mark) {
        sum += y;
        ++count;
      }
  return count > 0 ? std::optional(sum / count) : std::nullopt;
}

void TestUiGraphView::theMapMarksWhatIsPicked() {
  Shown shown(sourceOf(chain(60, [](int) { return ""; })), noDot());
  auto* map = shown.canvas().findChild<MiniMap*>();
  while (shown.canvas().view().scale < 1.5) shown.canvas().zoomBy(1.5);
  QVERIFY(!markOn(*map));
  shown.canvas().select(2);
  const auto first = markOn(*map);
  shown.canvas().select(3);
  const auto second = markOn(*map);
  QVERIFY(first && second);
  QVERIFY(*first != *second);
  QTest::keyClick(&shown.canvas(), Qt::Key_Escape);
  QVERIFY(!markOn(*map));
}

void TestUiGraphView::theMapGivesWayToWhatIsPicked() {
  Shown shown(sourceOf(chain(60, [](int) { return ""; })), noDot());
  GraphCanvas& canvas = shown.canvas();
  auto* map = canvas.findChild<MiniMap*>();
  while (canvas.view().scale < 1.5) canvas.zoomBy(1.5);
  const QRect usual = map->geometry();
  ViewTransform view = canvas.view();
  view.offset += QRectF(usual).center() - canvas.screenRect(canvas.itemOfNode(30)).center();
  canvas.setView(view);
  QVERIFY(QRectF(map->geometry()).intersects(canvas.screenRect(canvas.itemOfNode(30))));
  canvas.select(30);
  QVERIFY(!QRectF(map->geometry()).intersects(canvas.screenRect(canvas.itemOfNode(30))));
  canvas.select(-1);
  QCOMPARE(map->geometry(), usual);
}

void TestUiGraphView::aDoubleClickOpensAnInnerGraphInPlace() {
  Shown shown(sourceOf(graphWithInner()));
  const QPointF corner = shown.canvas().screenRect(shown.canvas().itemOfNode(1)).topLeft();
  QTest::mouseDClick(&shown.canvas(), Qt::LeftButton, {}, shown.centreOf(1));
  QVERIFY(shown.waitForScene());
  QCOMPARE(shown.view->openGroups().size(), size_t{1});
  QVERIFY(shown.canvas().itemOfNode(3) != shown.canvas().itemOfNode(1));
  const QRectF frame = shown.canvas().screenRect(shown.canvas().itemOfNode(1));
  QVERIFY((frame.topLeft() - corner).manhattanLength() < 1); // it stays where it was
  // Its title closes it again.
  QTest::mouseDClick(&shown.canvas(), Qt::LeftButton, {}, (frame.topLeft() + QPointF(20, 6)).toPoint());
  QVERIFY(shown.waitForScene());
  QCOMPARE(shown.canvas().itemOfNode(3), shown.canvas().itemOfNode(1));
}

void TestUiGraphView::enterOpensWhatIsPicked() {
  Shown shown(sourceOf(graphWithInner()));
  QTest::mouseClick(&shown.canvas(), Qt::LeftButton, {}, shown.centreOf(1));
  QTest::keyClick(&shown.canvas(), Qt::Key_Return);
  QVERIFY(shown.waitForScene());
  QVERIFY(shown.canvas().itemOfNode(3) != shown.canvas().itemOfNode(1));
}

void TestUiGraphView::showingANodeOpensWhatHidesIt() {
  Shown shown(sourceOf(chain(1000, [](int k) { return "net/l" + std::to_string(k / 100); }), 200), noDot());
  const int hidden = shown.canvas().itemOfNode(555);
  QCOMPARE(shown.canvas().scene()->items[static_cast<size_t>(hidden)].kind, ItemKind::Group);
  shown.view->show(555);
  QVERIFY(shown.waitForScene());
  const int item = shown.canvas().itemOfNode(555);
  QCOMPARE(shown.canvas().scene()->items[static_cast<size_t>(item)].node, 555);
  QVERIFY(QRectF(shown.canvas().rect()).contains(shown.canvas().screenRect(item)));
}

void TestUiGraphView::aMissingDotIsSaidAndTheGraphIsShown() {
  Shown shown(sourceOf(smallGraph()), noDot());
  QVERIFY(shown.canvas().itemOfNode(2) >= 0);
  QCOMPARE(shown.view->messages().texts().size(), 1);
  QVERIFY(shown.view->messages().isVisible());
}

void TestUiGraphView::cancelOfASlowDotShowsTheGraph() {
  QTemporaryDir dir;
  QFile file(dir.filePath("dot"));
  QVERIFY(file.open(QIODevice::WriteOnly));
  file.write("#!/bin/sh\nexec sleep 60\n");
  file.close();
  file.setPermissions(QFile::ReadOwner | QFile::ExeOwner);
  JobTracker jobs;
  DotSettings dot;
  dot.program = file.fileName();
  dot.deadline = std::chrono::seconds(60);
  GraphView view(jobs, dot);
  view.resize(400, 300);
  view.show();
  QSignalSpy sceneShown(&view, &GraphView::sceneShown);
  StallWatchdog watchdog;
  view.setSource(sourceOf(smallGraph()));
  QToolButton* cancel = nullptr;
  QTRY_VERIFY_WITH_TIMEOUT((cancel = view.findChild<QToolButton*>("messageAction")) != nullptr, 20000);
  QCOMPARE(cancel->text(), "Cancel");
  QTest::mouseClick(cancel, Qt::LeftButton);
  QVERIFY(sceneShown.wait(20000));
  QVERIFY(view.canvas().hasScene());
  qInfo("longest stall while dot hung: %.0f ms", watchdog.longestMs());
}

void TestUiGraphView::aNewGraphDropsTheOldOnesLayout() {
  JobTracker jobs;
  GraphView view(jobs, noDot());
  const auto first = sourceOf(chain(400, [](int) { return ""; })), second = sourceOf(smallGraph());
  QSignalSpy sceneShown(&view, &GraphView::sceneShown);
  view.setSource(first);
  view.setSource(second);
  QVERIFY(sceneShown.wait(20000));
  QTRY_VERIFY(jobs.idle());
  QCOMPARE(sceneShown.count(), 1);
  QCOMPARE(view.canvas().scene()->itemOfNode.size(), size_t{3});
  view.setSource(nullptr);
  QVERIFY(!view.canvas().hasScene());
}

void TestUiGraphView::statusColoursAreSeenInBothThemes() {
  Shown shown(sourceOf(smallGraph()));
  for (const bool dark : {false, true}) {
    shown.view->setDarkTheme(dark);
    const QRectF box = shown.canvas().screenRect(shown.canvas().itemOfNode(0));
    const QImage image = shown.canvas().grab().toImage();
    const double ratio = image.devicePixelRatio();
    const QColor strip = image.pixelColor(((box.topLeft() + QPointF(4, 4)) * ratio).toPoint());
    QCOMPARE(strip.rgb(), makeTheme(dark).fill(statusRow(Status::Hit).colour).rgb());
    QCOMPARE(image.pixelColor(1 + static_cast<int>(ratio), image.height() - 3).rgb(),
             makeTheme(dark).canvas.rgb());
  }
}

void TestUiGraphView::farOutNoTextIsPainted() {
  Shown shown(sourceOf(smallGraph()));
  // Zoomed out, a box has its strip's colour and the box' own, and no letters in between.
  while (shown.canvas().view().scale > 0.3) shown.canvas().zoomBy(0.5);
  const QRectF box = shown.canvas().screenRect(shown.canvas().itemOfNode(0));
  const QImage image = shown.canvas().grab(box.toAlignedRect()).toImage();
  const QRgb text = makeTheme(false).text.rgb();
  for (int y = 0; y < image.height(); ++y)
    for (int x = 0; x < image.width(); ++x) QVERIFY(image.pixel(x, y) != text);
}

void TestUiGraphView::indexFindsWhatTouches() {
  LayoutCache cache;
  const auto source = sourceOf(chain(300, [](int) { return ""; }));
  const Scene scene = makeScene(*source, {}, noDot(), cache, {});
  const SceneIndex index(scene);
  for (const QRectF& area : {scene.bounds, QRectF(scene.bounds.center(), QSizeF(300, 200)),
                             QRectF(-500, -500, 10, 10), QRectF(scene.bounds.center(), QSizeF(0, 0))}) {
    std::vector<int> expected;
    for (size_t k = 0; k < scene.items.size(); ++k) {
      const QRectF& r = scene.items[k].rect;
      if (r.left() <= area.right() && area.left() <= r.right() && r.top() <= area.bottom() &&
          area.top() <= r.bottom())
        expected.push_back(static_cast<int>(k));
    }
    QCOMPARE(index.itemsIn(area), expected);
  }
}

QTEST_MAIN(TestUiGraphView)
#include "tst_ui_graph_view.moc"
