#include "graph_fixture.h"
#include "model_fixture.h"
#include "ui/document/node_history.h"
#include "ui/inspector/node_text.h"
#include "ui/models/command_list_model.h"
#include "ui/models/cost_model.h"
#include "ui/models/key_model.h"
#include "ui/models/node_query.h"
#include "ui/models/node_table_model.h"
#include "ui/models/outline_model.h"
#include "ui/theme/numbers.h"

#include <QSignalSpy>
#include <QTest>

using namespace nodewise;
using namespace nodewise::ui;
using namespace nodewise::ui::test;

class TestUiModels : public QObject {
  Q_OBJECT
private Q_SLOTS:
  void numbersHaveUnitsThatFit_data();
  void numbersHaveUnitsThatFit();
  void everyStatusHasALetterOfItsOwn();
  void statusIsTheOutcomeOrElseTheKind();
  void outlineHoldsEveryNodeOnce();
  void outlineCountsOpsThatStandMoreThanOnce();
  void outlineTellsNodesApart();
  void outlineShowsInnerGraphsInTheirNode();
  void nodeTableSortsAndKeepsTheSelectedNode();
  void nodeTableShowsOnlyWhatASearchFound();
  void nodeTableBarIsTheShareOfTheGreatest();
  void lettersFindCommands_data();
  void lettersFindCommands();
  void commandsThatCannotBeUsedComeLast();
  void historyGoesBackAndForward();
  void keyRowsMarkWhatDiffers();
  void keyRowsKeepPartsThatOnlyTheOtherHas();
  void costsAddUpToTheTotal();
  void phasesThatDidNotHappenSayNothing();
  void reasonsAreOneSentence_data();
  void reasonsAreOneSentence();
  void signaturesNameTypesAndConstants();
  void queryTermsAreAnded();
};

void TestUiModels::numbersHaveUnitsThatFit_data() {
  QTest::addColumn<QString>("shown");
  QTest::addColumn<QString>("expected");
  QTest::newRow("zero") << durationText(0) << "0 ns";
  QTest::newRow("nanoseconds") << durationText(850) << "850 ns";
  QTest::newRow("microseconds") << durationText(412'300) << QStringLiteral("412 µs");
  QTest::newRow("one decimal below ten") << durationText(3'140'000) << "3.1 ms";
  QTest::newRow("none above") << durationText(14'400'000) << "14 ms";
  QTest::newRow("rounding reaches ten") << durationText(9'960'000) << "10 ms";
  QTest::newRow("rounding reaches the next unit") << durationText(999'700'000) << "1.0 s";
  QTest::newRow("minutes") << durationText(200'000'000'000) << "3 min 20 s";
  QTest::newRow("exact") << exactDurationText(412'345) << QStringLiteral("412\u202f345 ns");
  QTest::newRow("bytes") << bytesText(918) << "918 B";
  QTest::newRow("megabytes") << bytesText(3'100'000) << "3.1 MB";
  QTest::newRow("a cap") << capText(int64_t{1} << 30) << "1 GiB";
  QTest::newRow("a cap that is no power") << capText(1'500'000'000) << "1.5 GB";
  QTest::newRow("thousands apart") << countText(1'234'567) << QStringLiteral("1\u202f234\u202f567");
  QTest::newRow("negative") << countText(-1234) << QStringLiteral("-1\u202f234");
  QTest::newRow("three digits") << countText(-123) << "-123";
  QTest::newRow("age") << ageText(4 * 86400 + 100) << "4 days";
  QTest::newRow("age of a wrong clock") << ageText(-5) << "0 s";
  QTest::newRow("one") << countedText(1, "entry") << "1 entry";
  QTest::newRow("many") << countedText(0, "entry") << "0 entries";
}

void TestUiModels::numbersHaveUnitsThatFit() {
  QFETCH(QString, shown);
  QTEST(shown, "expected");
}

void TestUiModels::everyStatusHasALetterOfItsOwn() {
  std::set<char16_t> letters;
  for (const StatusRow& row : statusTable()) {
    QCOMPARE(&row, &statusRow(row.status));
    QCOMPARE(parseStatus(row.name), row.status);
    letters.insert(row.letter);
  }
  QCOMPARE(letters.size(), kStatusCount);
  for (const OutcomeRow& outcome : outcomeTable()) {
    const StatusRow& row = statusRow(static_cast<Status>(outcome.outcome));
    QCOMPARE(row.name, outcome.name);
    QCOMPARE(row.letter, static_cast<char16_t>(outcome.letter));
  }
}

void TestUiModels::statusIsTheOutcomeOrElseTheKind() {
  NodeInfo info;
  info.kind = NodeKind::View;
  QCOMPARE(statusOf(info, {}), Status::View);
  info.kind = NodeKind::Kernel;
  QCOMPARE(statusOf(info, {}), Status::NotCompiled);
  QCOMPARE(statusOf(info, stateOf(Outcome::LookupError)), Status::LookupError);
  info.kind = NodeKind::Prebuilt;
  QCOMPARE(statusOf(info, stateOf(Outcome::Failed)), Status::Failed); // a crash of a library routine
}

void TestUiModels::outlineHoldsEveryNodeOnce() {
  const auto source = sourceOf(graphWithInner());
  OutlineModel model;
  QAbstractItemModelTester tester(&model, kFatal);
  model.setTree(std::make_shared<const OutlineTree>(makeOutlineTree(source->nodes, source->grouping, "g")));
  for (const NodeInfo& info : source->nodes) {
    const QModelIndex index = model.indexOfNode(info.index);
    QVERIFY(index.isValid());
    QCOMPARE(model.item(index)->node, info.index);
    QVERIFY(index.data().toString().startsWith(QString::fromStdString(info.op)));
  }
  model.setTree(nullptr);
  QCOMPARE(model.rowCount(), 0);
}

void TestUiModels::outlineCountsOpsThatStandMoreThanOnce() {
  const auto source = sourceOf(chain(14, [](int) { return ""; }));
  const OutlineTree tree = makeOutlineTree(source->nodes, source->grouping, "g");
  QCOMPARE(tree.items[0].children.size(), size_t{1});
  const OutlineItem& op = tree.items[static_cast<size_t>(tree.items[0].children[0])];
  QCOMPARE(op.title, "Step");
  QCOMPARE(op.quiet, QStringLiteral("×14"));
  QCOMPARE(op.children.size(), size_t{14});
}

void TestUiModels::outlineTellsNodesApart() {
  const auto source = sourceOf(chain(14, [](int) { return ""; }));
  OutlineModel model;
  model.setTree(std::make_shared<const OutlineTree>(makeOutlineTree(source->nodes, source->grouping, "g")));
  std::vector<NodeState> states(14, stateOf(Outcome::Hit));
  states[3] = stateOf(Outcome::Miss);
  model.setColouring(makeColouring(ColourBy::Outcome, source->nodes, states));
  QSet<QString> numbers;
  for (NodeIndex n = 0; n < 14; ++n)
    numbers.insert(model.indexOfNode(n).data(OutlineModel::kCountRole).toString());
  QCOMPARE(numbers.size(), 14);
  QVERIFY(numbers.contains("#13"));
  const auto badge = [&](NodeIndex n) {
    return model.indexOfNode(n).data(Qt::DecorationRole).value<QIcon>().pixmap(16).toImage();
  };
  QVERIFY(!badge(2).isNull());
  QCOMPARE(badge(2), badge(4));
  QVERIFY(badge(2) != badge(3)); // hit and miss
  const QModelIndex op = model.indexOfNode(0).parent();
  QCOMPARE(op.data(OutlineModel::kCountRole).toString(), QStringLiteral("×14"));
  QCOMPARE(op.data(OutlineModel::kNameRole).toString(), "Step");
}

void TestUiModels::outlineShowsInnerGraphsInTheirNode() {
  const auto source = sourceOf(graphWithInner());
  const OutlineTree tree = makeOutlineTree(source->nodes, source->grouping, "g");
  const int inner = tree.itemOfNode[3]; // first node of the Scan's graph
  int group = tree.items[static_cast<size_t>(inner)].parent;
  while (tree.items[static_cast<size_t>(group)].kind != OutlineKind::Group)
    group = tree.items[static_cast<size_t>(group)].parent;
  QCOMPARE(tree.items[static_cast<size_t>(group)].title, "Scan");
  QCOMPARE(tree.items[static_cast<size_t>(group)].parent, 0);
}

void TestUiModels::nodeTableSortsAndKeepsTheSelectedNode() {
  const auto source = sourceOf(smallGraph());
  const std::vector<NodeState> states{stateOf(Outcome::Miss, 30), stateOf(Outcome::Hit, 10),
                                      stateOf(Outcome::Hit, 20)};
  NodeTableModel model;
  QAbstractItemModelTester tester(&model, kFatal);
  model.setNodes(source->nodes, states, source);
  const QPersistentModelIndex kept(model.indexOfNode(0));
  model.sort(NodeTableModel::CompileCost, Qt::AscendingOrder);
  QCOMPARE(columnOf(model, NodeTableModel::Op), (QStringList{"Add", "Sum", "Exp"}));
  QCOMPARE(model.nodeOf(kept), 0);
  QCOMPARE(kept.row(), 2);
  model.sort(NodeTableModel::Op, Qt::DescendingOrder);
  QCOMPARE(columnOf(model, NodeTableModel::Op), (QStringList{"Sum", "Exp", "Add"}));
  QCOMPARE(kept.row(), 1);
  model.sort(NodeTableModel::State, Qt::AscendingOrder); // equal ones stand in the graph's order
  QCOMPARE(columnOf(model, NodeTableModel::Op), (QStringList{"Add", "Sum", "Exp"}));
}

void TestUiModels::nodeTableShowsOnlyWhatASearchFound() {
  const auto source = sourceOf(smallGraph());
  const std::vector<NodeState> states(3);
  NodeTableModel model;
  QAbstractItemModelTester tester(&model, kFatal);
  model.setNodes(source->nodes, states, source);
  const std::vector<NodeIndex> found{2};
  model.setShown(&found);
  QCOMPARE(columnOf(model, NodeTableModel::Op), QStringList{"Sum"});
  QVERIFY(!model.indexOfNode(0).isValid());
  model.setShown(nullptr);
  QCOMPARE(model.rowCount(), 3);
}

void TestUiModels::nodeTableBarIsTheShareOfTheGreatest() {
  const auto source = sourceOf(smallGraph());
  std::vector<NodeState> states{stateOf(Outcome::Miss, 400), stateOf(Outcome::Hit, 100), {}};
  NodeTableModel model;
  model.setNodes(source->nodes, states, source);
  QCOMPARE(model.index(0, NodeTableModel::CompileCost).data(kBarRole).toDouble(), 1.0);
  QCOMPARE(model.index(1, NodeTableModel::CompileCost).data(kBarRole).toDouble(), 0.25);
  QCOMPARE(model.index(2, NodeTableModel::CompileCost).data().toString(),
           ""); // never compiled: no number is claimed
  states[0].recordedCompileNs = 50;
  QSignalSpy changed(&model, &QAbstractItemModel::dataChanged);
  model.setStates(states);
  QCOMPARE(changed.count(), 1);
  QCOMPARE(model.index(0, NodeTableModel::CompileCost).data(kBarRole).toDouble(), 0.5);
}

void TestUiModels::lettersFindCommands_data() {
  QTest::addColumn<QString>("letters");
  QTest::addColumn<QString>("first");
  QTest::newRow("nothing") << ""
                           << "Open";
  QTest::newRow("start of words") << "cg"
                                  << "Close all groups";
  QTest::newRow("side by side") << "path"
                                << "Focus on the critical path";
  QTest::newRow("any case") << "OPEN"
                            << "Open";
  QTest::newRow("two words") << "crit pa"
                             << "Focus on the critical path";
  QTest::newRow("none") << "xyz"
                        << "";
}
void TestUiModels::lettersFindCommands() {
  QFETCH(QString, letters);
  QFETCH(QString, first);
  CommandListModel model;
  QAbstractItemModelTester tester(&model, kFatal);
  model.setCommands({{"Open", "Ctrl+O", "", true},
                     {"Close all groups", "", "", true},
                     {"Compile all", "F5", "", true},
                     {"Focus on the critical path", "", "", true}});
  model.setLetters(letters);
  QCOMPARE(model.index(0).data().toString(), first);
}

void TestUiModels::commandsThatCannotBeUsedComeLast() {
  CommandListModel model;
  QAbstractItemModelTester tester(&model, kFatal);
  model.setCommands({{"Run", "F6", "", false}, {"Recompile, then run", "", "", true}});
  model.setLetters("run");
  QCOMPARE(model.commandOf(model.index(0)), 1);
  QVERIFY(!(model.index(1).flags() & Qt::ItemIsEnabled));
}

void TestUiModels::historyGoesBackAndForward() {
  NodeHistory history;
  QCOMPARE(history.step(-1), -1);
  for (const NodeIndex node : {3, 5, 7}) history.visit(node);
  QCOMPARE(history.step(-1), 5);
  history.visit(5); // what going back selects is no new visit
  QCOMPARE(history.next(), 7);
  QCOMPARE(history.step(1), 7);
  QCOMPARE(history.step(-2), 3);
  history.visit(9);
  QCOMPARE(history.next(), -1);
  QCOMPARE(history.previous(), 3);
}

void TestUiModels::keyRowsMarkWhatDiffers() {
  const std::vector<KeyPart> now{{"op", "add"}, {"input 1", "float32"}},
      then{{"op", "add"}, {"input 1", "float64"}};
  KeyModel model;
  QAbstractItemModelTester tester(&model, kFatal);
  model.setRows(keyRows(now, then), true);
  QCOMPARE(columnOf(model, KeyModel::Differs), (QStringList{"=", QStringLiteral("≠")}));
  QCOMPARE(columnOf(model, KeyModel::Now), (QStringList{"add", "float32"}));
  QCOMPARE(columnOf(model, KeyModel::Then), (QStringList{"add", "float64"}));
  model.setRows(keyRows(now, {}), false); // nothing to compare with: nothing is marked
  QCOMPARE(columnOf(model, KeyModel::Differs), (QStringList{"", ""}));
}

void TestUiModels::keyRowsKeepPartsThatOnlyTheOtherHas() {
  const std::vector<KeyPart> now{{"op", "a"}, {"cpu", "c"}},
      then{{"op", "a"}, {"constants", "3"}, {"cpu", "c"}};
  const std::vector<KeyRow> rows = keyRows(now, then);
  QCOMPARE(rows.size(), size_t{3});
  QCOMPARE(rows[1].name, "constants");
  QVERIFY(!rows[1].now && rows[1].then == QStringLiteral("3") && rows[1].differs);
  QVERIFY(!rows[2].differs);
}

void TestUiModels::costsAddUpToTheTotal() {
  NodeState state;
  state.phases = {1, 20, 300, 4000, 50000, 600000};
  CostModel model;
  QAbstractItemModelTester tester(&model, kFatal);
  model.setState(state);
  double shares = 0;
  for (int row = 0; row < 6; ++row)
    shares += model.index(row, CostModel::Share).data(Qt::UserRole + 1).toDouble();
  QVERIFY(std::abs(shares - 1) < 1e-9);
  QCOMPARE(model.index(6, CostModel::Time).data(Qt::ToolTipRole).toString(), exactDurationText(654321));
  QCOMPARE(model.index(6, CostModel::Share).data().toString(), QStringLiteral("100 %"));
  state.runCalls = 4;
  state.runNs = 4000;
  model.setState(state);
  QCOMPARE(model.index(8, CostModel::Time).data().toString(), QStringLiteral("1.0 µs"));
}

void TestUiModels::phasesThatDidNotHappenSayNothing() {
  NodeState hit, twin;
  hit.phases.lookup = 29000;
  CostModel model;
  QAbstractItemModelTester tester(&model, kFatal);
  model.setState(hit);
  QCOMPARE(model.index(0, CostModel::Share).data().toString(), QStringLiteral("100 %"));
  for (int row = 1; row < 6; ++row)
    for (const auto column : {CostModel::Time, CostModel::Share})
      QVERIFY(model.index(row, column).data().toString().isEmpty());
  model.setState(twin); // nothing was measured
  QVERIFY(model.index(6, CostModel::Time).data().toString().isEmpty());
  model.setState(twin, &hit.phases); // of the node that was looked up for both
  QCOMPARE(model.index(6, CostModel::Phase).data().toString(), QStringLiteral("total, shared"));
  QCOMPARE(model.index(6, CostModel::Time).data().toString(), durationText(29000));
}

void TestUiModels::reasonsAreOneSentence_data() {
  QTest::addColumn<NodeInfo>("info");
  QTest::addColumn<NodeState>("state");
  QTest::addColumn<QString>("reason");
  NodeInfo kernel;
  kernel.kind = NodeKind::Kernel;
  NodeState state = stateOf(Outcome::Hit, 3'100'000);
  QTest::newRow("hit") << kernel << state << "Saved 3.1 ms of compiling.";
  state = stateOf(Outcome::Miss);
  state.changedPart = "dtype of input 1";
  state.oldValue = "float64";
  state.newValue = "float32";
  state.nearest = Hash{{0x3f, 0x2a, 0x9c, 0x1b, 0x02}};
  state.nearestCreatedUnix = 1'000'000;
  QTest::newRow("miss")
      << kernel << state
      << QStringLiteral("dtype of input 1: was float64, now float32 · nearest entry 3f2a9c1b02, 4 days old");
  state.reason = "like entry 3f2a9c1b02 but for its dtype";
  QTest::newRow("the store's own words") << kernel << state << "like entry 3f2a9c1b02 but for its dtype";
  state = stateOf(Outcome::Miss);
  state.reason = "nothing comparable";
  state.storeResult = "not stored: disk full";
  QTest::newRow("not stored") << kernel << state
                              << QStringLiteral("nothing comparable · not stored: disk full");
  QTest::newRow("not looked up") << kernel << NodeState() << "Not looked up yet.";
  NodeInfo unsupported;
  unsupported.reason = "unknown op Foo";
  QTest::newRow("unsupported") << unsupported << NodeState() << "unknown op Foo.";
}

void TestUiModels::reasonsAreOneSentence() {
  QFETCH(NodeInfo, info);
  QFETCH(NodeState, state);
  QFETCH(QString, reason);
  QCOMPARE(reasonText(info, state, 1'000'000 + 4 * 86400), reason);
}

void TestUiModels::signaturesNameTypesAndConstants() {
  GraphBuilder b;
  const Type vector = tensorType(DType::Float64, {kUnknownLength});
  const ValueId x = b.input(vector, "x"), two = b.integer(2);
  b.graph.outputs = {b.apply("Mul", {x, two}, vector)};
  const std::vector<NodeInfo> nodes = nodesOf(b.graph);
  QCOMPARE(signatureText(nodes[0]), QStringLiteral("f64[?], i64[] const → f64[?]"));
}

void TestUiModels::queryTermsAreAnded() {
  const auto source = sourceOf(smallGraph());
  const std::vector<NodeState> states{stateOf(Outcome::Miss), stateOf(Outcome::Hit), stateOf(Outcome::Miss)};
  const auto find = [&](const char* query) {
    const auto filter = parseFilter(query);
    return filter.ok() ? findNodes(*filter, source->nodes, states) : std::vector<NodeIndex>{-1};
  };
  QCOMPARE(find("state:miss"), (std::vector<NodeIndex>{0, 2}));
  QCOMPARE(find("state:miss op:Sum"), (std::vector<NodeIndex>{2}));
  QCOMPARE(find("dtype:float64"), (std::vector<NodeIndex>{0, 1, 2}));
  QCOMPARE(find("exp"), (std::vector<NodeIndex>{0}));
  QCOMPARE(find("op:Conv"), (std::vector<NodeIndex>{}));
}

QTEST_MAIN(TestUiModels)
#include "tst_ui_models.moc"
