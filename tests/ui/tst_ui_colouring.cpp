// What nodes are coloured by: categories, ramps, the legend, and what groups add up.
#include "graph_fixture.h"
#include "model_fixture.h"
#include "ui/graph/group_totals.h"
#include "ui/models/legend_model.h"
#include "ui/models/node_query.h"
#include "ui/theme/numbers.h"

#include <QTest>

using namespace nodewise;
using namespace nodewise::ui;
using namespace nodewise::ui::test;

class TestUiColouring : public QObject {
  Q_OBJECT
private Q_SLOTS:
  void legendCountsAddUpToAllNodes();
  void followersAreAKindOfTheirOwn();
  void costsOfOneKeyAddUpOnce();
  void legendLeavesOutWhatIsAbsent();
  void costColoursFollowALogScale();
  void amountsAreShownInStepsOfTheirRange();
  void rareWordsShareAColour();
  void legendQueriesFindTheirRows();
};

void TestUiColouring::legendCountsAddUpToAllNodes() {
  const auto source = sourceOf(smallGraph());
  const std::vector<NodeState> states{stateOf(Outcome::Miss), stateOf(Outcome::Hit, 5), {}};
  LegendModel model;
  QAbstractItemModelTester tester(&model, kFatal);
  for (const ColourByRow& row : colourByTable()) {
    const Colouring colouring = makeColouring(row.by, source->nodes, states);
    model.setColouring(colouring);
    int64_t total = 0;
    for (int k = 0; k < model.rowCount(); ++k) total += model.index(k, LegendModel::Count).data().toInt();
    QCOMPARE(total, 3);
    QCOMPARE(colouring.looks.size(), size_t{3});
  }
}

void TestUiColouring::followersAreAKindOfTheirOwn() {
  const auto source = sourceOf(smallGraph());
  const std::vector<NodeState> states{stateOf(Outcome::Miss), stateOf(Outcome::Miss), stateOf(Outcome::Hit)};
  const Colouring plain = makeColouring(ColourBy::Outcome, source->nodes, states);
  QCOMPARE(plain.looks[0].category, plain.looks[1].category);
  const Colouring told = makeColouring(ColourBy::Outcome, source->nodes, states, 0, {false, true, true});
  QVERIFY(told.looks[0].category != told.looks[1].category);
  QVERIFY(told.looks[0].colour != told.looks[1].colour);
  QCOMPARE(told.categories[told.looks[1].category].letter, QString("m"));
  QCOMPARE(told.looks[2].category, plain.looks[2].category); // a hit follows nobody
}

void TestUiColouring::costsOfOneKeyAddUpOnce() {
  auto nodes = sourceOf(smallGraph())->nodes;
  nodes[0].key.bytes[0] = nodes[2].key.bytes[0] = 7;
  std::vector<NodeState> states(3);
  for (NodeState& state : states) state.recordedCompileNs = 1000, state.runNs = 50;
  const Colouring cost = makeColouring(ColourBy::Cost, nodes, states);
  QCOMPARE(cost.amounts, (std::vector<int64_t>{1000, 1000, 1000}));
  QCOMPARE(cost.keys, (std::vector<int32_t>{0, 1, 0}));
  Grouping grouping;
  grouping.groups.resize(3);
  grouping.groups[0].groups = {1, 2};
  for (const GroupId id : {1, 2}) grouping.groups[static_cast<size_t>(id)].kind = GroupKind::Scope;
  for (const GroupId id : {1, 2}) grouping.groups[static_cast<size_t>(id)].parent = 0;
  grouping.groups[1].nodes = {0, 1};
  grouping.groups[2].nodes = {2};
  grouping.groupOfNode = {1, 1, 2};
  grouping.levelGroupInNode = {-1, -1, -1};
  const std::vector<GroupTotals> totals = totalsOfGroups(grouping, cost);
  QCOMPARE(totals[0].sum, int64_t{2000}); // the first and the third node have one key
  QCOMPARE(totals[1].sum, int64_t{2000});
  QCOMPARE(totals[2].sum, int64_t{1000}); // in each group by itself
  QCOMPARE(totalsOfGroups(grouping, makeColouring(ColourBy::Run, nodes, states))[0].sum, int64_t{150});
}

void TestUiColouring::legendLeavesOutWhatIsAbsent() {
  const auto source = sourceOf(smallGraph());
  std::vector<NodeState> states{stateOf(Outcome::Hit), stateOf(Outcome::Hit), stateOf(Outcome::Hit)};
  LegendModel model;
  QAbstractItemModelTester tester(&model, kFatal);
  model.setColouring(makeColouring(ColourBy::Outcome, source->nodes, states));
  QCOMPARE(columnOf(model, LegendModel::Name), QStringList{"hit"});
  QCOMPARE(model.queryOf(0), "state:hit");
  states[1] = stateOf(Outcome::LookupError);
  model.setColouring(makeColouring(ColourBy::Outcome, source->nodes, states));
  QCOMPARE(columnOf(model, LegendModel::Name), (QStringList{"hit", "lookup error"}));
  QCOMPARE(model.queryOf(1), "state:\"lookup error\"");
}

void TestUiColouring::costColoursFollowALogScale() {
  QCOMPARE(logPosition(1000, 1000, 1'000'000), 0.0);
  QCOMPARE(logPosition(1'000'000, 1000, 1'000'000), 1.0);
  QVERIFY(std::abs(logPosition(31623, 1000, 1'000'000) - 0.5) < 1e-4);
  QCOMPARE(logPosition(5, 7, 7), 0.0);
  QCOMPARE(costColour(0).rgb(), 0xff440154U);
  QCOMPARE(costColour(1).rgb(), 0xfffde725U);
}

void TestUiColouring::amountsAreShownInStepsOfTheirRange() {
  const auto source = sourceOf(smallGraph());
  const std::vector<NodeState> states{stateOf(Outcome::Miss, 1000), stateOf(Outcome::Hit, 100'000), {}};
  const Colouring c = makeColouring(ColourBy::Cost, source->nodes, states);
  QVERIFY(c.isRamp() && c.adds);
  QCOMPARE(c.looks[2].colour, QRgb{0}); // never compiled
  QCOMPARE(c.looks[0].colour, costColour(0).rgb());
  QCOMPARE(c.looks[1].colour, costColour(1).rgb());
  QCOMPARE(c.categories[c.looks[0].category].letter, "1");
  QCOMPARE(c.categories[c.looks[1].category].letter, "5");
  // One amount is one step, not five empty ones.
  const std::vector<NodeState> equal{stateOf(Outcome::Miss, 7), stateOf(Outcome::Miss, 7),
                                     stateOf(Outcome::Miss, 7)};
  QCOMPARE(makeColouring(ColourBy::Cost, source->nodes, equal).categories.size(), size_t{2});
}

void TestUiColouring::rareWordsShareAColour() {
  const Graph graph = chain(30, [](int) { return ""; });
  std::vector<NodeInfo> nodes = nodesOf(graph);
  for (size_t n = 0; n < nodes.size(); ++n) nodes[n].dtype = "t" + std::to_string(n < 16 ? 0 : n);
  const std::vector<NodeState> states(nodes.size());
  const Colouring c = makeColouring(ColourBy::Dtype, nodes, states);
  QCOMPARE(c.categories.size(), size_t{9});
  QCOMPARE(c.categories[0].name, "t0");
  QCOMPARE(c.categories[0].count, 16);
  QCOMPARE(c.categories[8].name, "others");
  QCOMPARE(c.categories[8].count, 7);
  std::set<QRgb> colours;
  for (const Category& category : c.categories) colours.insert(category.colour);
  QCOMPARE(colours.size(), size_t{9});
}

void TestUiColouring::legendQueriesFindTheirRows() {
  const auto source = sourceOf(smallGraph());
  const std::vector<NodeState> states{stateOf(Outcome::Miss, 1000), stateOf(Outcome::Hit, 50'000),
                                      stateOf(Outcome::Hit, 900'000)};
  for (const ColourBy by : {ColourBy::Outcome, ColourBy::Cost, ColourBy::Dtype}) {
    const Colouring c = makeColouring(by, source->nodes, states);
    for (size_t k = 0; k < c.categories.size(); ++k) {
      if (c.categories[k].query.isEmpty() || c.categories[k].count == 0) continue;
      const auto filter = parseFilter(c.categories[k].query.toStdString());
      QVERIFY2(filter.ok(), qPrintable(c.categories[k].query));
      std::vector<NodeIndex> expected;
      for (size_t n = 0; n < c.looks.size(); ++n)
        if (c.looks[n].category == k) expected.push_back(static_cast<NodeIndex>(n));
      QCOMPARE(findNodes(*filter, source->nodes, states), expected);
    }
  }
}

QTEST_MAIN(TestUiColouring)
#include "tst_ui_colouring.moc"
