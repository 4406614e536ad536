// Two graphs beside each other: colours by what changed, one selection, and what is said where a graph is not
// at hand.
#include "window_fixture.h"

#include "ui/compare/change_colouring.h"
#include "ui/runs/run_pages.h"

#include <QFile>

using namespace nodewise;
using namespace nodewise::ui;
using namespace nodewise::ui::test;

namespace {

const QString kChanged = QStringLiteral(NODEWISE_SAMPLES "/county_regression_student.nwg.json");
const QString kBefore = QStringLiteral(NODEWISE_SAMPLES "/county_regression_normal.nwg.json");

/// Two runs, of a model and of its change, compared in the window.
struct Compared : Opened {
  CompareView& view() { return window->runPages().compareView(); }
  CompareGraphs& graphs() { return view().graphs(); }
  GraphCanvas& canvasOf(DiffSide side) { return graphs().graph(side).canvas(); }

  bool compile(const QString& path) {
    QSignalSpy listed(&window->runPages().service(), &RunService::listed);
    return open(path) && compileAll() && (listed.count() > 0 || listed.wait(kLong));
  }
  bool show() {
    window->pages().setCurrentWidget(&view());
    QSignalSpy compared(&window->runPages().service(), &RunService::compared);
    const auto& runs = window->runPages().service().runs();
    view().compare(runs[1].id, runs[0].id);
    return compared.wait(kLong);
  }
  bool drawn(DiffSide side) {
    return QTest::qWaitFor([&] { return canvasOf(side).hasScene() || !graphs().problem(side).isEmpty(); },
                           kLong);
  }
  void pick(DiffSide side, NodeIndex node) {
    graphs().graph(side).show(node);
    GraphCanvas& canvas = canvasOf(side);
    canvas.reveal(canvas.itemOfNode(node));
    QTest::mouseClick(&canvas, Qt::LeftButton, {},
                      canvas.screenRect(canvas.itemOfNode(node)).center().toPoint());
  }
};

NodeDiff diffOf(std::optional<size_t> before, std::optional<size_t> after, NodeChange change,
                int64_t compileDiff = 0) {
  NodeDiff diff;
  diff.before = before;
  diff.after = after;
  diff.change = change;
  diff.compileDiff = compileDiff;
  return diff;
}

} // namespace

class TestUiCompare : public QObject {
  Q_OBJECT
private Q_SLOTS:
  void coloursSayWhatChanged();
  void whatIsSelectedBeforeIsMarked();
  void oneSelectionInBothGraphsAndTheTable();
  void bothMoveTogetherIfAsked();
  void aGraphThatIsGoneOrChangedIsSaidInPlace();
};

void TestUiCompare::coloursSayWhatChanged() {
  RunRecord before, after;
  before.nodes.resize(3);
  after.nodes.resize(3);
  for (size_t k = 0; k < 3; ++k) before.nodes[k].position = after.nodes[k].position = static_cast<int64_t>(k);
  before.nodes[1].phases.emit = 10'000'000;
  after.nodes[2].phases.emit = 12'000'000;
  RunDiff diff;
  diff.nodes = {diffOf(0, {}, NodeChange::Gone), diffOf(1, 2, NodeChange::Same, 2'000'000),
                diffOf(2, 1, NodeChange::Outcome), diffOf({}, 0, NodeChange::New)};
  QCOMPARE(changeLook(diff.nodes[1], before, after), ChangeLook::Dearer);
  diff.nodes[1].compileDiff = -2'000'000;
  QCOMPARE(changeLook(diff.nodes[1], before, after), ChangeLook::Cheaper);
  diff.nodes[1].compileDiff = 500'000; // less than a tenth
  QCOMPARE(changeLook(diff.nodes[1], before, after), ChangeLook::Same);
  before.nodes[2].outcome = Outcome::Miss;
  after.nodes[1].outcome = Outcome::Hit;
  std::vector<NodeInfo> nodes(4);
  for (NodeInfo& info : nodes) info.kind = NodeKind::Kernel;
  nodes[3].kind = NodeKind::View;
  const Colouring left = changeColouring(diff, before, after, DiffSide::Before, nodes);
  const auto markAt = [](const Colouring& c, size_t n) { return static_cast<ChangeLook>(c.looks[n].mark); };
  const auto statusAt = [](const Colouring& c, size_t n) { return static_cast<Status>(c.looks[n].category); };
  QCOMPARE(markAt(left, 0), ChangeLook::Gone);
  QCOMPARE(markAt(left, 2), ChangeLook::Outcome);
  QCOMPARE(statusAt(left, 2), Status::Miss); // each side's own outcome
  QCOMPARE(markAt(left, 3), ChangeLook::Same);
  QCOMPARE(statusAt(left, 3), Status::View); // not in the run
  nodes.pop_back();
  const Colouring right = changeColouring(diff, before, after, DiffSide::After, nodes);
  QCOMPARE(markAt(right, 0), ChangeLook::New);
  QCOMPARE(markAt(right, 1), ChangeLook::Outcome);
  QCOMPARE(statusAt(right, 1), Status::Hit);
  // No letter says two things.
  QSet<QString> letters;
  for (const Category& category : right.categories) letters.insert(category.letter);
  for (const Category& mark : right.marks) letters.insert(mark.letter);
  QCOMPARE(static_cast<size_t>(letters.size()), right.categories.size() + right.marks.size());
}

void TestUiCompare::whatIsSelectedBeforeIsMarked() {
  Compared c;
  QVERIFY(c.compile(kBefore));
  QVERIFY(c.compile(kChanged));
  const NodeIndex node = c.firstKernel();
  c.window->selection().select(node);
  QVERIFY(c.show());
  QVERIFY(c.drawn(DiffSide::Before));
  QVERIFY(c.drawn(DiffSide::After));
  QTRY_COMPARE_WITH_TIMEOUT(c.canvasOf(DiffSide::After).selected(), node, kLong);
  QVERIFY(c.canvasOf(DiffSide::Before).selected() >= 0);
}

void TestUiCompare::oneSelectionInBothGraphsAndTheTable() {
  Compared c;
  QVERIFY(c.compile(kBefore));
  QVERIFY(c.compile(kChanged));
  QVERIFY(c.show());
  QVERIFY(c.drawn(DiffSide::Before));
  QVERIFY(c.drawn(DiffSide::After));
  QVERIFY2(c.graphs().problem(DiffSide::Before).isEmpty(), qPrintable(c.graphs().problem(DiffSide::Before)));
  QVERIFY(c.graphs().problem(DiffSide::After).isEmpty());
  QVERIFY(c.graphs().legend().size() >= 2);
  c.view().changedOnly().setChecked(false);
  // A row of the table that both runs have: the match is marked in both graphs.
  QSignalSpy picked(&c.view(), &CompareView::nodePicked);
  c.view().table().selectRow(3);
  QCOMPARE(picked.count(), 1);
  const int left = c.canvasOf(DiffSide::Before).itemOfNode(c.canvasOf(DiffSide::Before).selected());
  QVERIFY(left >= 0);
  QVERIFY(c.canvasOf(DiffSide::After).selected() >= 0);
  // And the other way: a click in the later graph.
  QTRY_VERIFY(!c.graphs().graph(DiffSide::After).isLayingOut());
  const NodeIndex node = c.canvasOf(DiffSide::After).selected();
  NodeIndex other = -1;
  for (const SceneItem& item : c.canvasOf(DiffSide::After).scene()->items)
    if (item.kind == ItemKind::Node && item.node >= 0 && item.node != node && item.node > node)
      other = item.node;
  QVERIFY(other >= 0);
  c.pick(DiffSide::After, other);
  QCOMPARE(c.canvasOf(DiffSide::After).selected(), other);
  QVERIFY(picked.count() >= 2);
  QCOMPARE(picked.last()[0].toString(),
           QString::fromStdString(c.document().nodes()[static_cast<size_t>(other)].path));
  QCOMPARE(c.window->selection().current(), other); // the later graph is the open one
}

void TestUiCompare::bothMoveTogetherIfAsked() {
  Compared c;
  QVERIFY(c.compile(kBefore));
  QVERIFY(c.compile(kBefore));
  QVERIFY(c.show());
  QVERIFY(c.drawn(DiffSide::Before));
  QVERIFY(c.drawn(DiffSide::After));
  GraphCanvas &before = c.canvasOf(DiffSide::Before), &after = c.canvasOf(DiffSide::After);
  const double scale = after.view().scale;
  before.zoomBy(2);
  QCOMPARE(after.view().scale, scale);
  QTest::mouseClick(&c.graphs().together(), Qt::LeftButton, {},
                    QPoint(8, c.graphs().together().height() / 2));
  QVERIFY(c.graphs().together().isChecked());
  before.zoomBy(1.2);
  QCOMPARE(after.view().scale, before.view().scale);
  after.panBy(QPointF(30, 20));
  QCOMPARE(before.view().offset, after.view().offset);
}

void TestUiCompare::aGraphThatIsGoneOrChangedIsSaidInPlace() {
  Compared c;
  const QString copy = c.dir.filePath("model.nwg.json");
  QVERIFY(QFile::copy(kBefore, copy));
  QVERIFY(c.compile(copy));
  QVERIFY(c.compile(kChanged));
  QVERIFY(QFile::remove(copy));
  QVERIFY(c.show());
  QVERIFY(c.drawn(DiffSide::Before));
  QVERIFY2(c.graphs().problem(DiffSide::Before).contains("model.nwg.json"),
           qPrintable(c.graphs().problem(DiffSide::Before)));
  QVERIFY(c.drawn(DiffSide::After));
  QVERIFY(c.graphs().problem(DiffSide::After).isEmpty());
  // Another graph under the same name.
  QVERIFY(QFile::copy(kSample, copy));
  QVERIFY(c.show());
  QTRY_VERIFY2_WITH_TIMEOUT(c.graphs().problem(DiffSide::Before).contains("has changed since run"),
                            qPrintable(c.graphs().problem(DiffSide::Before)), kLong);
  QVERIFY(c.view().model().rowCount() > 0);
}

QTEST_MAIN(TestUiCompare)
#include "tst_ui_compare.moc"
