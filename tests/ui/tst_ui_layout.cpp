#include "graph_fixture.h"
#include "layout_fixture.h"
#include "ui/graph/focus.h"
#include "ui/graph/group_layout.h"
#include "ui/graph/repeats.h"

#include <QElapsedTimer>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include <cmath>
#include <thread>

using namespace nodewise;
using namespace nodewise::ui;
using namespace nodewise::ui::test;

namespace {

/// A program that stands in for dot.
class FakeDot {
public:
  explicit FakeDot(const char* script) {
    QFile file(m_dir.filePath("dot"));
    if (!file.open(QIODevice::WriteOnly)) qFatal("no temporary file");
    file.write("#!/bin/sh\n");
    file.write(script);
    file.close();
    file.setPermissions(QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
  }
  DotSettings settings() const {
    DotSettings s;
    s.program = m_dir.filePath("dot");
    s.deadline = std::chrono::milliseconds(700);
    return s;
  }

private:
  QTemporaryDir m_dir;
};

} // namespace

class TestUiLayout : public QObject {
  Q_OBJECT
private Q_SLOTS:
  void dotLaysOutApart();
  void plainOutputIsReadUpsideDown();
  void badPlainOutputIsAnError_data();
  void badPlainOutputIsAnError();
  void aBadDotLeavesTheBuiltInLayout_data();
  void aBadDotLeavesTheBuiltInLayout();
  void aMissingDotIsNamedWithItsPackage();
  void cancelEndsDotSoon();
  void dotIsNotAskedForThousandsOfBoxes();
  void layeredLayoutStandsApart_data();
  void layeredLayoutStandsApart();
  void layeredLayoutPutsReadersBelow();
  void layeredLayoutSurvivesCycles();
  void smallGraphsAreNotGrouped();
  void scopesGroupLargeGraphs();
  void stretchesGroupWhereScopesDoNot();
  void everyNodeIsInExactlyOneGroup();
  void innerGraphsAreGroupsOfTheirNode();
  void contentJoinsEdgesBetweenGroups();
  void sceneHidesInnerNodesUntilOpened();
  void sceneNestsWhatIsOpen();
  void aHugeGraphIsShownAsFewBoxes();
  void repeatsAreFound_data();
  void repeatsAreFound();
  void layersWithoutScopesAreGroups();
  void focusShowsAncestorsAndDescendants();
  void waysBetweenAreAllOfThem();
  void theCriticalPathCostsTheMost();
  void aFocusLeavesTheRestOut();
  void anInnerGraphFillsThePicture();
};

void TestUiLayout::dotLaysOutApart() {
  const auto result = layoutWithDot(diamond(), {}, {});
  QVERIFY2(result.ok(), result.ok() ? "" : result.error().text().c_str());
  verifyApart(diamond(), *result);
  QVERIFY(result->centres[0].y() < result->centres[3].y());
}

void TestUiLayout::plainOutputIsReadUpsideDown() {
  LayoutRequest request;
  request.boxes = {{QSizeF(72, 36), RankRole::Free}, {QSizeF(72, 36), RankRole::Free}};
  request.edges = {{0, 1}};
  const QByteArray text = "graph 1 2 3\nnode n0 1 2.75 1 0.5 \"\" solid box black lightgrey\n"
                          "node n1 1 0.25 1 0.5 \"\" solid box black lightgrey\nedge n0 n1 4 1 2.5 1 2 1 1 1 "
                          "0.5 solid black\nstop\n";
  const auto result = parsePlain(text, request);
  QVERIFY(result.ok());
  QCOMPARE(result->size, QSizeF(144, 216));
  QCOMPARE(result->centres[0], QPointF(72, 18));
  QCOMPARE(result->centres[1], QPointF(72, 198));
  QCOMPARE(result->splines[0].front(), QPointF(72, 36));
  QCOMPARE(result->splines[0].back(), QPointF(72, 180));
}

void TestUiLayout::badPlainOutputIsAnError_data() {
  QTest::addColumn<QByteArray>("text");
  QTest::newRow("empty") << QByteArray();
  QTest::newRow("no end") << QByteArray("graph 1 2 3\nnode n0 1 1 1 1 x solid box black grey\n");
  QTest::newRow("a node that was not asked for")
      << QByteArray("graph 1 2 3\nnode n7 1 1 1 1 x solid box black grey\nstop\n");
  QTest::newRow("a negative node") << QByteArray(
      "graph 1 2 3\nnode n-1 1 1 1 1 x solid box black grey\nstop\n");
  QTest::newRow("no number") << QByteArray("graph 1 two 3\nnode n0 1 1 1 1 x solid box black grey\nstop\n");
  QTest::newRow("cut line") << QByteArray("graph 1 2 3\nnode n0 1\nstop\n");
  QTest::newRow("an edge that was not asked for")
      << QByteArray("graph 1 2 3\nnode n0 1 1 1 1 x s b c d\nedge n0 n0 4 1 1 1 1 1 1 1 1 s b\nstop\n");
  QTest::newRow("too many points") << QByteArray(
      "graph 1 2 3\nnode n0 1 1 1 1 x s b c d\nedge n0 n0 2000000000 1 1\nstop\n");
}

void TestUiLayout::badPlainOutputIsAnError() {
  QFETCH(QByteArray, text);
  LayoutRequest request;
  request.boxes = {{QSizeF(72, 36), RankRole::Free}};
  QVERIFY(!parsePlain(text, request).ok());
}

void TestUiLayout::aBadDotLeavesTheBuiltInLayout_data() {
  QTest::addColumn<QByteArray>("script");
  QTest::addColumn<QString>("notice");
  QTest::newRow("fails") << QByteArray("exit 3\n") << "exit code 3";
  QTest::newRow("crashes") << QByteArray("kill -SEGV $$\n") << "crashed";
  QTest::newRow("is killed") << QByteArray("kill -KILL $$\n") << "crashed";
  QTest::newRow("hangs") << QByteArray("exec sleep 60\n") << "no layout after";
  QTest::newRow("hangs without reading") << QByteArray("exec sleep 60 < /dev/null\n") << "no layout after";
  QTest::newRow("prints nothing") << QByteArray("cat > /dev/null\n") << "incomplete";
  QTest::newRow("prints nonsense") << QByteArray("cat > /dev/null; echo node node node\n")
                                   << "cannot be read";
  QTest::newRow("never stops printing") << QByteArray("while :; do echo x; done\n") << "no layout after";
}

void TestUiLayout::aBadDotLeavesTheBuiltInLayout() {
  QFETCH(QByteArray, script);
  QFETCH(QString, notice);
  const FakeDot dot(script.constData());
  const AnyLayout any = layoutAny(diamond(), dot.settings(), {});
  QVERIFY2(any.notice.contains(notice), qPrintable(any.notice));
  verifyApart(diamond(), any.layout);
}

void TestUiLayout::aMissingDotIsNamedWithItsPackage() {
  const AnyLayout any = layoutAny(diamond(), noDot(), {});
  QVERIFY2(any.notice.contains("install graphviz"), qPrintable(any.notice));
  verifyApart(diamond(), any.layout);
}

void TestUiLayout::cancelEndsDotSoon() {
  const FakeDot dot("exec sleep 60\n");
  DotSettings settings = dot.settings();
  settings.deadline = std::chrono::seconds(60);
  std::stop_source stop;
  std::jthread later([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
    stop.request_stop();
  });
  const auto result = layoutWithDot(diamond(), settings, stop.get_token());
  QVERIFY(!result.ok());
  QVERIFY(result.error().what.find("cancelled") != std::string::npos);
}

void TestUiLayout::dotIsNotAskedForThousandsOfBoxes() {
  const FakeDot dot("echo asked >&2; exit 9\n");
  LayoutRequest request;
  request.boxes.assign(1001, {QSizeF(80, 44), RankRole::Free});
  const AnyLayout any = layoutAny(request, dot.settings(), {});
  QVERIFY2(any.notice.contains("1001 boxes"), qPrintable(any.notice));
}

void TestUiLayout::layeredLayoutStandsApart_data() {
  QTest::addColumn<int>("boxes");
  QTest::addColumn<int>("seed");
  for (const int boxes : {1, 2, 7, 40, 200})
    for (const int seed : {1, 2, 3}) QTest::addRow("%d boxes, %d", boxes, seed) << boxes << seed;
}

void TestUiLayout::layeredLayoutStandsApart() {
  QFETCH(int, boxes);
  QFETCH(int, seed);
  // A small linear congruential generator: the same graphs everywhere.
  auto state = static_cast<uint32_t>(seed);
  const auto next = [&](int below) {
    state = state * 1664525u + 1013904223u;
    return static_cast<int>((state >> 8) % static_cast<uint32_t>(below));
  };
  LayoutRequest request;
  for (int k = 0; k < boxes; ++k)
    request.boxes.push_back({QSizeF(60 + next(120), 28 + 16 * next(2)), RankRole::Free});
  for (int k = 1; k < boxes; ++k)
    for (int e = next(3); e >= 0; --e) request.edges.push_back({next(k), k});
  verifyApart(request, layoutLayered(request));
}

void TestUiLayout::layeredLayoutPutsReadersBelow() {
  const LayoutRequest request = diamond();
  const LayoutResult result = layoutLayered(request);
  for (const LayoutEdge& edge : request.edges)
    QVERIFY(result.centres[static_cast<size_t>(edge.from)].y() <
            result.centres[static_cast<size_t>(edge.to)].y());
}

void TestUiLayout::layeredLayoutSurvivesCycles() {
  LayoutRequest request = diamond();
  request.edges.push_back({3, 0});
  request.edges.push_back({2, 2});
  const LayoutResult result = layoutLayered(request);
  QCOMPARE(result.centres.size(), size_t{4});
  QCOMPARE(result.splines.size(), request.edges.size());
  QVERIFY(layoutLayered({}).centres.empty());
}

void TestUiLayout::smallGraphsAreNotGrouped() {
  const auto source = sourceOf(chain(100, [](int k) { return k < 50 ? "a" : "b"; }));
  QCOMPARE(source->grouping.groups.size(), size_t{1});
}

void TestUiLayout::scopesGroupLargeGraphs() {
  const auto source = sourceOf(chain(60, [](int k) { return "net/layer" + std::to_string(k / 10); }), 20);
  const Group& outer = source->grouping.groups[0];
  QCOMPARE(outer.groups.size(), size_t{6});
  QCOMPARE(source->grouping.groups[static_cast<size_t>(outer.groups[2])].title, "net/layer2");
  QCOMPARE(source->grouping.groups[static_cast<size_t>(outer.groups[2])].size, 10);
}

void TestUiLayout::stretchesGroupWhereScopesDoNot() {
  for (const char* scope : {"", "one/and/the/same"}) {
    const auto source = sourceOf(chain(1000, [=](int) { return scope; }), 50);
    const Group& outer = source->grouping.groups[0];
    QVERIFY(outer.nodes.empty());
    QVERIFY(outer.groups.size() > 1 && outer.groups.size() <= 50);
    for (const GroupId id : outer.groups) {
      const Group& group = source->grouping.groups[static_cast<size_t>(id)];
      QVERIFY(group.nodes.size() <= 50);
      QVERIFY(std::ranges::is_sorted(group.nodes));
    }
  }
}

void TestUiLayout::everyNodeIsInExactlyOneGroup() {
  const auto source =
      sourceOf(chain(3000, [](int k) { return k % 3 ? "a/b" + std::to_string(k % 7) : ""; }), 30);
  std::vector<int> seen(source->nodes.size(), 0);
  for (size_t id = 0; id < source->grouping.groups.size(); ++id)
    for (const NodeIndex n : source->grouping.groups[id].nodes) {
      ++seen[static_cast<size_t>(n)];
      QCOMPARE(source->grouping.groupOfNode[static_cast<size_t>(n)], static_cast<GroupId>(id));
    }
  QCOMPARE(std::ranges::count(seen, 1), static_cast<std::ptrdiff_t>(seen.size()));
  QCOMPARE(source->grouping.groups[0].size, 3000);
}

void TestUiLayout::innerGraphsAreGroupsOfTheirNode() {
  const auto source = sourceOf(graphWithInner());
  const GroupId inner = source->grouping.levelGroupInNode[1];
  QVERIFY(inner > 0);
  QCOMPARE(source->grouping.groups[static_cast<size_t>(inner)].parent, 0);
  QCOMPARE(groupsAround(source->grouping, 3), (std::vector<GroupId>{inner, 0}));
}

void TestUiLayout::contentJoinsEdgesBetweenGroups() {
  // Two scopes; three values go from the first to the second, two of them to one node.
  GraphBuilder b;
  const Type t = tensorType(DType::Float64, {});
  const ValueId x = b.input(t, "x");
  std::vector<ValueId> made;
  for (int k = 0; k < 3; ++k) {
    made.push_back(b.apply("A", {x}, t));
    b.lastNode().scope = "first";
  }
  const ValueId sum = b.apply("B", {made[0], made[1]}, t);
  b.lastNode().scope = "second";
  b.graph.outputs = {b.apply("B", {made[2], sum}, t)};
  b.lastNode().scope = "second";
  const auto source = sourceOf(b.graph, 3);
  const GroupContent content = contentOf(*source, {}, 0);
  const auto count = std::ranges::count_if(
      content.boxes, [](const ContentBox& box) { return box.item.kind == ItemKind::Group; });
  QCOMPARE(count, 2);
  const auto between = std::ranges::find_if(content.edges, [&](const ContentEdge& e) {
    return content.boxes[static_cast<size_t>(e.from)].item.kind == ItemKind::Group &&
           content.boxes[static_cast<size_t>(e.to)].item.kind == ItemKind::Group;
  });
  QVERIFY(between != content.edges.end());
  QCOMPARE(between->values.size(), size_t{3});
}

void TestUiLayout::sceneHidesInnerNodesUntilOpened() {
  const auto source = sourceOf(graphWithInner());
  LayoutCache cache;
  const Scene scene = makeScene(*source, {}, noDot(), cache, {});
  QCOMPARE(scene.itemOfNode[3], scene.itemOfNode[1]); // the Scan stands for what is in it
  QVERIFY(scene.itemOfNode[0] >= 0 && scene.itemOfNode[0] != scene.itemOfNode[1]);
  QCOMPARE(scene.items[static_cast<size_t>(scene.itemOfNode[1])].kind, ItemKind::Node);
  QVERIFY(scene.items[static_cast<size_t>(scene.itemOfNode[1])].group > 0);
  QVERIFY(!scene.notices.isEmpty());
}

void TestUiLayout::sceneNestsWhatIsOpen() {
  const auto source = sourceOf(graphWithInner());
  LayoutCache cache;
  const Scene scene = makeScene(*source, OpenGroups{source->grouping.levelGroupInNode[1]}, {}, cache, {});
  const SceneItem& frame = scene.items[static_cast<size_t>(scene.itemOfNode[1])];
  QCOMPARE(frame.kind, ItemKind::Frame);
  for (const NodeIndex inner : {3, 4}) {
    const SceneItem& item = scene.items[static_cast<size_t>(scene.itemOfNode[static_cast<size_t>(inner)])];
    QCOMPARE(item.node, inner);
    QVERIFY(frame.rect.contains(item.rect));
  }
  for (const NodeIndex outside : {0, 2})
    QVERIFY(!frame.rect.intersects(
        scene.items[static_cast<size_t>(scene.itemOfNode[static_cast<size_t>(outside)])].rect));
  for (const SceneEdge& edge : scene.edges) QVERIFY(edge.from >= 0 && edge.to >= 0 && edge.from != edge.to);
  QVERIFY2(scene.notices.isEmpty(), qPrintable(scene.notices.join("; ")));
}

void TestUiLayout::aHugeGraphIsShownAsFewBoxes() {
  const auto source = sourceOf(chain(20000, [](int) { return ""; }));
  LayoutCache cache;
  const Scene scene = makeScene(*source, {}, {}, cache, {});
  QVERIFY(scene.items.size() <= 500);
  QVERIFY(std::ranges::none_of(scene.itemOfNode, [](int item) { return item < 0; }));
}

/// Nodes 0 to 2 of smallGraph(): exp feeds add, add feeds sum.
std::vector<NodeIndex> nodesIn(const Focus& focus) {
  std::vector<NodeIndex> nodes;
  for (size_t n = 0; n < focus.nodes.size(); ++n)
    if (focus.nodes[n]) nodes.push_back(static_cast<NodeIndex>(n));
  return nodes;
}

void TestUiLayout::focusShowsAncestorsAndDescendants() {
  const auto source = sourceOf(chain(9, [](int) { return ""; }));
  QCOMPARE(nodesIn(ancestorsOf(source->structure, 2)), (std::vector<NodeIndex>{0, 1, 2}));
  QCOMPARE(nodesIn(descendantsOf(source->structure, 7)), (std::vector<NodeIndex>{7, 8}));
  QCOMPARE(nodesIn(neighbourhoodOf(source->structure, 4, 2)), (std::vector<NodeIndex>{2, 3, 4, 5, 6}));
}

void TestUiLayout::waysBetweenAreAllOfThem() {
  // a -> b, a -> c, b -> d, c -> d, d -> e
  GraphBuilder b;
  const Type vector = tensorType(DType::Float64, {4});
  const ValueId x = b.input(vector, "x"), a = b.apply("A", {x}, vector), left = b.apply("B", {a}, vector),
                right = b.apply("C", {a}, vector), d = b.apply("D", {left, right}, vector);
  b.graph.outputs = {b.apply("E", {d}, vector)};
  const auto source = sourceOf(b.graph);
  const auto ways = waysBetween(source->structure, 3, 0); // in either direction
  QVERIFY(ways.has_value());
  QCOMPARE(nodesIn(*ways), (std::vector<NodeIndex>{0, 1, 2, 3}));
  QVERIFY(!waysBetween(source->structure, 1, 2).has_value());
}

void TestUiLayout::theCriticalPathCostsTheMost() {
  GraphBuilder b;
  const Type vector = tensorType(DType::Float64, {4});
  const ValueId x = b.input(vector, "x"), a = b.apply("A", {x}, vector), left = b.apply("B", {a}, vector),
                right = b.apply("C", {a}, vector);
  b.graph.outputs = {b.apply("D", {left, right}, vector)};
  const auto source = sourceOf(b.graph);
  const std::vector<int64_t> costs{1, 20, 30, 1};
  const Focus path =
      criticalPath(source->structure, 0, [&](NodeIndex n) { return costs[static_cast<size_t>(n)]; });
  QCOMPARE(nodesIn(path), (std::vector<NodeIndex>{0, 2, 3}));
}

void TestUiLayout::aFocusLeavesTheRestOut() {
  const auto source = sourceOf(chain(9, [](int) { return ""; }));
  LayoutCache cache;
  Extent extent;
  extent.focus = std::make_shared<const Focus>(neighbourhoodOf(source->structure, 4, 1));
  const Scene scene = makeScene(*source, extent, noDot(), cache, {});
  QCOMPARE(scene.items.size(), size_t{3});
  QCOMPARE(scene.edges.size(), size_t{2});
  QCOMPARE(scene.itemOfNode[0], -1);
}

void TestUiLayout::anInnerGraphFillsThePicture() {
  const auto source = sourceOf(graphWithInner());
  LayoutCache cache;
  Extent extent;
  extent.root = source->grouping.levelGroupInNode[1];
  const Scene scene = makeScene(*source, extent, noDot(), cache, {});
  QVERIFY(scene.itemOfNode[3] >= 0 && scene.itemOfNode[4] >= 0);
  QCOMPARE(scene.itemOfNode[0], -1);
}

void TestUiLayout::repeatsAreFound_data() {
  QTest::addColumn<QByteArray>("sequence");
  QTest::addColumn<int>("from");
  QTest::addColumn<int>("period");
  QTest::addColumn<int>("count");
  const QByteArray piece = "abcdefgh";
  QTest::newRow("all of it") << piece.repeated(5) << 0 << 8 << 5;
  QTest::newRow("after a beginning") << "xyzuvw" + piece.repeated(6) + "klm" << 6 << 8 << 6;
  QTest::newRow("short pieces together") << QByteArray("abc").repeated(40) << 0 << 6 << 20;
  QTest::newRow("a piece with repeats in it") << QByteArray("aaabaaacdd").repeated(7) << 0 << 10 << 7;
  QTest::newRow("one op over and over") << QByteArray(50, 'a') << 0 << 0 << 0;
  QTest::newRow("none") << QByteArray("abcdefghijklmnopqrstuvwxyz0123456789") << 0 << 0 << 0;
  QTest::newRow("too little of it") << QByteArray("ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789!?+-*/") + piece +
                                           piece
                                    << 0 << 0 << 0;
  QTest::newRow("empty") << QByteArray() << 0 << 0 << 0;
}
void TestUiLayout::repeatsAreFound() {
  QFETCH(QByteArray, sequence);
  QFETCH(int, from);
  QFETCH(int, period);
  QFETCH(int, count);
  const std::vector<uint64_t> numbers(sequence.begin(), sequence.end());
  const Repeat repeat = findRepeat(numbers, 6).value_or(Repeat{});
  QCOMPARE(static_cast<int>(repeat.from), from);
  QCOMPARE(static_cast<int>(repeat.period), period);
  QCOMPARE(static_cast<int>(repeat.count), count);
}

void TestUiLayout::layersWithoutScopesAreGroups() {
  GraphBuilder b;
  const Type vector = tensorType(DType::Float64, {4});
  ValueId v = b.input(vector, "x");
  for (int layer = 0; layer < 100; ++layer)
    for (const char* op : {"Dot", "Add", "Tanh", "Sum", "Sub", "Exp", "Mul"}) v = b.apply(op, {v}, vector);
  b.graph.outputs = {v};
  const auto source = sourceOf(b.graph);
  const Group& all = source->grouping.groups[0];
  QCOMPARE(all.groups.size(), size_t{100});
  const Group& layer = source->grouping.groups[static_cast<size_t>(all.groups[41])];
  QCOMPARE(layer.title, std::string("repeat 42 of 100"));
  QCOMPARE(layer.nodes.size(), size_t{7});
}

QTEST_MAIN(TestUiLayout)
#include "tst_ui_layout.moc"
