// Finding and filtering: one query language, a list of what was found, and one stack of filters for all
// views.
#include "window_fixture.h"

#include "graph_fixture.h"
#include "ui/graph/found_items.h"
#include "ui/reasons/cascade_model.h"
#include "ui/runs/filter_bar.h"
#include "ui/runs/run_pages.h"
#include "ui/search/found_view.h"

#include <QAbstractItemModelTester>
#include <QSortFilterProxyModel>
#include <QToolButton>

using namespace nodewise;
using namespace nodewise::ui;
using namespace nodewise::ui::test;

namespace {

std::vector<bool> flags(std::initializer_list<int> values) {
  std::vector<bool> all;
  for (const int v : values) all.push_back(v != 0);
  return all;
}

/// The chips of the bar, as they are read.
QStringList chips(MainWindow& window) {
  QStringList texts;
  for (const NodeFilterEntry& entry : window.runPages().filter().entries()) texts.push_back(entry.text);
  return texts;
}

QToolButton* chip(MainWindow& window, const QString& text) {
  for (QToolButton* button : window.filterBar().findChildren<QToolButton*>())
    if (button->text().startsWith(text)) return button;
  return nullptr;
}

int64_t inGraph(Opened& o) {
  const auto& matches = o.canvas().matches();
  return matches ? std::ranges::count(*matches, true) : static_cast<int64_t>(o.document().nodes().size());
}

} // namespace

class TestUiFind : public QObject {
  Q_OBJECT
private Q_SLOTS:
  void filtersIntersectOnBothSides();
  void filtersOfAnotherGraphAreTakenOff();
  void everyFieldFindsNodes_data();
  void everyFieldFindsNodes();
  void runsAreFoundByTheirFields();
  void searchFindsAndSteps();
  void theListOfWhatWasFoundLeadsThere();
  void anUnreadableQueryIsMarkedUnderTheField();
  void allViewsFollowTheStackOfFilters();
  void closedGroupsStandForTheirNodes();
  void causesShowWhatTheFiltersLeave();
  void groupsAndCausesBecomeFilters();
  void theRunsPageIsFiltered();
};

void TestUiFind::closedGroupsStandForTheirNodes() {
  const auto source = sourceOf(chain(60, [](int k) { return k < 40 ? "a" : "b"; }), 20);
  LayoutCache layouts;
  const Scene scene = makeScene(*source, OpenGroups(), noDot(), layouts, {});
  std::vector<bool> matches(source->nodes.size());
  matches[3] = matches[17] = true;
  const std::vector<FoundItem> found = foundItems(scene, matches);
  QCOMPARE(found.size(), scene.items.size());
  int groups = 0;
  for (size_t k = 0; k < found.size(); ++k) {
    const SceneItem& item = scene.items[k];
    if (item.kind == ItemKind::Value || item.kind == ItemKind::Frame) QVERIFY(found[k].any);
    if (item.kind != ItemKind::Group) continue;
    ++groups;
    const bool holds = scene.itemOfNode[3] == static_cast<int>(k);
    QCOMPARE(found[k].any, holds);
    QCOMPARE(found[k].nodes, holds ? int64_t{2} : int64_t{0});
  }
  QCOMPARE(groups, 2);

  // A closed inner graph: its node is shown for what is in it.
  const auto inner = sourceOf(graphWithInner());
  const Scene closed = makeScene(*inner, OpenGroups(), noDot(), layouts, {});
  std::vector<bool> one(inner->nodes.size());
  one.back() = true; // in the inner graph
  const std::vector<FoundItem> shown = foundItems(closed, one);
  const auto dimmed = std::ranges::count_if(shown, [](const FoundItem& item) { return !item.any; });
  QCOMPARE(dimmed, 2); // before and after
  QVERIFY(shown[static_cast<size_t>(closed.itemOfNode[1])].any);
}

void TestUiFind::causesShowWhatTheFiltersLeave() {
  // cause (3 nodes, 60) -> node 0 (10) -> nodes 1 (20) and 2 (30); another cause: node 3 (5).
  std::vector<CascadeItem> items(5);
  items[0] = {"level: was 2, now 3", {}, -1, {1}, 3, 60};
  items[1] = {"Exp", 0, 0, {2, 3}, 3, 60};
  items[2] = {"Add", 1, 1, {}, 1, 20};
  items[3] = {"Sum", 2, 1, {}, 1, 30};
  items[4] = {"Mul", 3, -1, {}, 1, 5};
  CascadeModel model;
  QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
  model.setItems(items);
  QCOMPARE(model.items().size(), size_t{5});
  QVERIFY(!model.isFiltered());
  model.setShown(flags({0, 1, 0, 0}));
  QVERIFY(model.isFiltered());
  QCOMPARE(model.items().size(), size_t{3}); // with what it follows from
  QCOMPARE(model.rowCount(), 1);
  QCOMPARE(model.items()[0].nodes, int64_t{1});
  QCOMPARE(model.items()[0].costNs, int64_t{20});
  QCOMPARE(model.items()[2].node.value_or(-1), 1);
  QCOMPARE(model.rowCount(model.index(0, 0)), 1);
  QVERIFY(!model.indexOfNode(2).isValid());
  QVERIFY(model.indexOfNode(1).isValid());
  model.setShown(flags({0, 0, 0, 0}));
  QCOMPARE(model.rowCount(), 0);
  model.setShown({});
  QCOMPARE(model.items().size(), size_t{5});
  QCOMPARE(model.items()[0].costNs, int64_t{60});
}

void TestUiFind::filtersIntersectOnBothSides() {
  const auto source = sourceOf(smallGraph());
  const std::vector<NodeState> states(source->nodes.size());
  RunRecord run;
  run.nodes.resize(3);
  for (size_t n = 0; n < 3; ++n) run.nodes[n].op = source->nodes[n].op;
  FilterScope scope{source->nodes, states, &run, {2, 1, 0}, 0}; // the run has them the other way round
  NodeFilterEntry time = runFilter("time", flags({1, 1, 0})), add = queryFilter(" op:Add "),
                  group = graphFilter("group", flags({1, 1, 0}));
  for (NodeFilterEntry* entry : {&time, &add, &group}) QVERIFY(resolveFilter(*entry, scope));
  QCOMPARE(time.graph, flags({0, 1, 1}));
  QCOMPARE(add.text, QString("op:Add"));
  QCOMPARE(group.run, flags({0, 1, 1}));
  const std::vector<NodeFilterEntry> all{time, group};
  QCOMPARE(*keptNodes(all, FilterSide::Graph, 3), flags({0, 1, 0}));
  QCOMPARE(*keptNodes(all, FilterSide::Run, 3), flags({0, 1, 0}));
  QVERIFY(!keptNodes({}, FilterSide::Run, 3));
  // A run of another graph: a query is asked of its own nodes, a set of nodes says nothing of it.
  scope.nodeOfRun = {-1, -1, -1};
  run.nodes[2].op = "Add";
  for (NodeFilterEntry* entry : {&time, &add, &group}) QVERIFY(resolveFilter(*entry, scope));
  QCOMPARE(add.run, flags({0, 1, 1}));
  QVERIFY(group.run.empty());
  QVERIFY(time.graph.empty());
  QCOMPARE(*keptNodes(std::vector{group}, FilterSide::Graph, 3), flags({1, 1, 0}));
  QVERIFY(!keptNodes(std::vector{group}, FilterSide::Run, 3));
}

void TestUiFind::filtersOfAnotherGraphAreTakenOff() {
  const auto small = sourceOf(smallGraph()), inner = sourceOf(graphWithInner());
  const std::vector<NodeState> states(20);
  FilterScope scope{small->nodes, std::span(states).first(small->nodes.size()), nullptr, {}, 0};
  NodeFilter filter;
  filter.setScope([&] { return scope; });
  QSignalSpy changed(&filter, &NodeFilter::changed);
  filter.push(graphFilter("group", std::vector<bool>(small->nodes.size(), true)));
  filter.push(queryFilter("op:Step"));
  filter.push(queryFilter("op:Step")); // twice is once
  QCOMPARE(changed.count(), 2);
  QCOMPARE(filter.entries().size(), size_t{2});
  filter.refresh();
  QCOMPARE(changed.count(), 2); // nothing is otherwise
  scope.nodes = inner->nodes;
  scope.states = std::span(states).first(inner->nodes.size());
  filter.refresh();
  QCOMPARE(changed.count(), 3);
  QCOMPARE(filter.entries().size(), size_t{1});
  QCOMPARE(std::ranges::count(*filter.keptInGraph(inner->nodes.size()), true), std::ptrdiff_t{2});
  filter.removeLast();
  QVERIFY(filter.empty());
  filter.removeLast();
  QCOMPARE(changed.count(), 4);
}

void TestUiFind::everyFieldFindsNodes_data() {
  QTest::addColumn<QString>("query");
  QTest::addColumn<QList<int>>("found");
  const auto row = [](const char* query, QList<int> found) { QTest::newRow(query) << query << found; };
  row("op:add", {1});
  row("dtype:float64", {0, 1, 2});
  row("rank=1", {0, 1});
  row("rank:0", {2});
  row("rank>1", {});
  row("state:hit", {0});
  row("state:miss reason:dtype", {1});
  row("cost>5ms", {1});
  row("size>10k", {2});
  row("hits=0", {1, 2});
  row("age>30d", {0});
  row("age<30d", {});
  row("key:00", {});
  row("key:ab", {0});
  row("name:loss", {2});
  row("scope:enc", {1});
  row("/^(Exp|Sum)$/", {0, 2});
  row("-op:Exp", {1, 2});
  row("loss", {2});
  row("encoder", {1});
  row("label:axis", {2});
}
void TestUiFind::everyFieldFindsNodes() {
  QFETCH(QString, query);
  QFETCH(QList<int>, found);
  constexpr int64_t kNow = 2'000'000'000, kDay = 86400;
  const Graph graph = smallGraph();
  std::vector<NodeInfo> nodes = nodesOf(graph);
  std::vector<NodeState> states(nodes.size());
  nodes[0].key.bytes[0] = 0xab;
  states[0].outcome = Outcome::Hit;
  states[0].nearestCreatedUnix = kNow - 40 * kDay;
  states[0].hits = 3;
  nodes[1].key.bytes[0] = nodes[2].key.bytes[0] = 0x11;
  states[1].outcome = Outcome::Miss;
  states[1].reason = "dtype of input 1: was float64, now float32";
  states[1].recordedCompileNs = 6'000'000;
  states[1].nearestCreatedUnix = kNow - kDay; // of another entry: no age of its own
  nodes[1].scope = "encoder/layer0";
  nodes[2].name = "loss";
  nodes[2].detail = "axis 0";
  states[2].objectBytes = 12'000;
  const auto filter = parseFilter(query.toStdString(), FilterOn::Nodes);
  QVERIFY2(filter.ok(), filter.ok() ? "" : filter.error().text().c_str());
  QList<int> indices;
  for (const NodeIndex n : findNodes(*filter, nodes, states, kNow)) indices.push_back(n);
  QCOMPARE(indices, found);
}

void TestUiFind::runsAreFoundByTheirFields() {
  constexpr int64_t kNow = 2'000'000'000;
  std::vector<RunRow> runs(2);
  runs[0].file = "/graphs/radon.nwg.json";
  runs[0].command = "compile";
  runs[0].graphHash = "3f2a";
  runs[0].hits = 4;
  runs[0].compileNs = 9'000'000;
  runs[0].startedUnix = kNow - 100;
  runs[1].file = "/graphs/other.nwg.json";
  runs[1].command = "window";
  runs[1].startedUnix = kNow - 1'000'000;
  const auto found = [&](const char* query) {
    const auto filter = parseFilter(query, FilterOn::Runs);
    return filter.ok() ? findRuns(*filter, runs, kNow) : std::vector<bool>();
  };
  QCOMPARE(found("radon"), flags({1, 0}));
  QCOMPARE(found("name:other"), flags({0, 1}));
  QCOMPARE(found("hits=0"), flags({0, 1}));
  QCOMPARE(found("cost>5ms"), flags({1, 0}));
  QCOMPARE(found("age>1d"), flags({0, 1}));
  QCOMPARE(found("key:3f"), flags({1, 0}));
  QCOMPARE(found("/^win/"), flags({0, 1}));
}

void TestUiFind::searchFindsAndSteps() {
  Opened o;
  QVERIFY(o.open(kSample));
  QVERIFY(o.window->foundView().isHidden() || !o.window->foundView().isVisible());
  QTest::keyClick(o.window.get(), Qt::Key_F, Qt::ControlModifier);
  QTest::keyClicks(&o.window->searchBar().box(), "op:Elemwise");
  const auto expected = std::ranges::count(o.document().nodes(), std::string("Elemwise"), &NodeInfo::op);
  QVERIFY(expected > 1);
  QTest::keyClick(&o.window->searchBar().box(), Qt::Key_Return);
  QCOMPARE(o.window->searchBar().countText(), QStringLiteral("1 of %1").arg(expected));
  QCOMPARE(o.document().nodes()[static_cast<size_t>(o.window->selection().current())].op,
           std::string("Elemwise"));
  const NodeIndex first = o.window->selection().current();
  QTest::keyClick(o.window.get(), Qt::Key_F3);
  QVERIFY(o.window->selection().current() != first);
  QTest::keyClick(o.window.get(), Qt::Key_F3, Qt::ShiftModifier);
  QCOMPARE(o.window->selection().current(), first);
  QCOMPARE(o.window->nodesView().model().rowCount(), static_cast<int>(expected));
  QCOMPARE(inGraph(o), static_cast<int64_t>(expected));
  QTest::keyClick(&o.window->searchBar().box(), Qt::Key_Escape);
  QCOMPARE(o.window->nodesView().model().rowCount(), static_cast<int>(o.document().nodes().size()));
}

void TestUiFind::theListOfWhatWasFoundLeadsThere() {
  Opened o;
  QVERIFY(o.open(kSample));
  FoundView& found = o.window->foundView();
  const QAbstractItemModelTester tester(&found.model(),
                                        QAbstractItemModelTester::FailureReportingMode::QtTest);
  QTest::keyClick(o.window.get(), Qt::Key_F, Qt::ControlModifier);
  QTest::keyClicks(&o.window->searchBar().box(), "op:Elemwise");
  QTRY_VERIFY(found.isVisible());
  QTRY_VERIFY(found.model().rowCount() > 2);
  const QModelIndex third = found.model().index(2, NodeTableModel::Op);
  QTest::mouseClick(found.table().viewport(), Qt::LeftButton, {}, found.table().visualRect(third).center());
  QCOMPARE(o.window->selection().current(), found.model().nodeOf(third));
  QCOMPARE(o.window->searchBar().countText(), QStringLiteral("3 of %1").arg(found.model().rowCount()));
  // The next one is the one after it, and is marked in the list.
  QTest::keyClick(o.window.get(), Qt::Key_F3);
  QCOMPARE(o.window->selection().current(), found.model().nodeOf(found.model().index(3, 0)));
  QCOMPARE(found.table().currentIndex().row(), 3);
  // Of several outcomes: in the graph's order all the same.
  o.window->searchBar().setQuery("dtype:float64");
  QTRY_VERIFY(found.model().rowCount() > 8);
  for (int row = 1; row < found.model().rowCount(); ++row)
    QVERIFY(found.model().nodeOf(found.model().index(row - 1, 0)) <
            found.model().nodeOf(found.model().index(row, 0)));
  o.window->searchBar().setQuery("op:NoSuchOp");
  QCOMPARE(found.title(), QString("Nothing found."));
  QCOMPARE(o.window->searchBar().countText(), QString("none"));
  o.window->searchBar().setQuery("");
  QVERIFY(!found.isVisible());
}

void TestUiFind::anUnreadableQueryIsMarkedUnderTheField() {
  Opened o;
  QVERIFY(o.open(kSample));
  QueryProblem& problem = o.window->searchBar().problem();
  o.window->searchBar().setQuery("op:Sum cost>fast");
  QVERIFY(!o.window->searchBar().box().toolTip().isEmpty());
  QCOMPARE(o.window->searchBar().countText(), "cannot be read");
  QVERIFY(problem.isVisible());
  QVERIFY2(problem.text().contains("op:Sum <b><u>cost&gt;fast</u></b>"), qPrintable(problem.text()));
  QVERIFY(problem.text().contains("column 8"));
  QVERIFY(problem.geometry().top() > o.window->searchBar().box().mapTo(o.window.get(), QPoint(0, 0)).y());
  QVERIFY(o.window->rect().contains(problem.geometry()));
  // A field that nodes do not have names those they have.
  o.window->searchBar().setQuery("unused>4w");
  QVERIFY2(problem.text().contains("nodes have no field 'unused'"), qPrintable(problem.text()));
  QVERIFY(problem.text().contains("rank"));
  o.window->searchBar().setQuery("op:Sum");
  QVERIFY(!problem.isVisible());
}

void TestUiFind::allViewsFollowTheStackOfFilters() {
  Opened o;
  QVERIFY(o.open(kSample));
  QSignalSpy shown(&o.window->runPages().service(), &RunService::shown);
  QVERIFY(o.compileAll());
  QVERIFY(shown.count() > 0 || shown.wait(kLong));
  const auto all = static_cast<int64_t>(o.document().nodes().size());
  NodeFilter& filter = o.window->runPages().filter();
  QVERIFY(o.window->filterBar().isHidden());

  // What is typed becomes a chip.
  QTest::keyClick(o.window.get(), Qt::Key_F, Qt::ControlModifier);
  QTest::keyClicks(&o.window->searchBar().box(), "op:Elemwise");
  QTest::keyClick(&o.window->searchBar().box(), Qt::Key_Return, Qt::ControlModifier);
  QCOMPARE(chips(*o.window), QStringList{"op:Elemwise"});
  QVERIFY(o.window->searchBar().box().text().isEmpty());
  QVERIFY(o.window->filterBar().isVisible());
  const int64_t elemwise = inGraph(o);
  QVERIFY(elemwise > 1 && elemwise < all);
  QCOMPARE(o.window->filterBar().counts(), QStringLiteral("%1 of %2 nodes").arg(elemwise).arg(all));
  QCOMPARE(int64_t{o.window->nodesView().model().rowCount()}, elemwise);
  const auto run = o.window->runPages().service().current();
  QCOMPARE(std::ranges::count(filter.kept(run->record.nodes.size()), true),
           static_cast<std::ptrdiff_t>(elemwise));
  QCOMPARE(int64_t{o.window->runPages().costView().model().rowCount()}, elemwise + 1); // and the total

  // A stretch of time on top of it: both hold.
  TimelineView& timeline = o.window->runPages().timeDock().timeline();
  QVERIFY(!timeline.timeline().spans.empty());
  filter.push(runFilter(
      "time", nodesIn(timeline.timeline(), run->record.nodes.size(), 0, timeline.timeline().length / 2)));
  const int64_t both = inGraph(o);
  QVERIFY(both < elemwise);
  QCOMPARE(int64_t{o.window->nodesView().model().rowCount()}, both);
  // And a search within.
  o.window->searchBar().setQuery("op:Sum");
  QCOMPARE(o.window->searchBar().countText(), QString("none"));
  o.window->searchBar().setQuery("");
  QCOMPARE(inGraph(o), both);

  // Compiled again: the query holds for the new run, the time was the old one's.
  shown.clear();
  QVERIFY(o.compileAll());
  QVERIFY(shown.count() > 0 || shown.wait(kLong));
  QCOMPARE(chips(*o.window), QStringList{"op:Elemwise"});
  QCOMPARE(inGraph(o), elemwise);

  // The selected node's op; then back, by key and by the cross.
  o.click(o.firstKernel());
  QTest::keyClick(o.window.get(), Qt::Key_T, Qt::ControlModifier);
  QCOMPARE(chips(*o.window).size(), 2);
  QTest::keyClick(o.window.get(), Qt::Key_T, Qt::ControlModifier | Qt::ShiftModifier);
  QCOMPARE(chips(*o.window), QStringList{"op:Elemwise"});
  QToolButton* cross = chip(*o.window, "op:Elemwise");
  QVERIFY(cross);
  QTest::mouseClick(cross, Qt::LeftButton);
  QVERIFY(filter.empty());
  QVERIFY(!o.window->filterBar().isVisible());
  QCOMPARE(inGraph(o), all);
  QVERIFY(!o.window->commands()[Command::FilterBack].isEnabled());
}

void TestUiFind::groupsAndCausesBecomeFilters() {
  Opened o;
  QVERIFY(o.open(kSample));
  ReasonsView& reasons = o.window->runPages().reasonsView();
  o.window->pages().setCurrentWidget(&reasons);
  QTRY_VERIFY_WITH_TIMEOUT(reasons.causes().rowCount() > 0, kLong);
  const QModelIndex cause = reasons.causes().index(0, 0);
  const int64_t below = reasons.causes().itemOf(cause)->nodes;
  reasons.causesTree().setCurrentIndex(cause);
  QTest::keyClick(o.window.get(), Qt::Key_T, Qt::ControlModifier);
  QCOMPARE(chips(*o.window).size(), 1);
  QCOMPARE(inGraph(o), below);
  o.window->runPages().filter().clear();

  // Ops of the cost table.
  QSignalSpy shown(&o.window->runPages().service(), &RunService::shown);
  QVERIFY(o.compileAll());
  QVERIFY(shown.count() > 0 || shown.wait(kLong));
  CostView& cost = o.window->runPages().costView();
  o.window->pages().setCurrentWidget(&cost);
  cost.groupBox().setCurrentIndex(1);
  Q_EMIT cost.groupBox().activated(1);
  cost.table().setCurrentIndex(cost.model().index(1, 0));
  const QString op = cost.model().index(1, 0).data().toString();
  QTest::keyClick(o.window.get(), Qt::Key_T, Qt::ControlModifier);
  QCOMPARE(chips(*o.window), QStringList{"op " + op});
  QCOMPARE(inGraph(o),
           static_cast<int64_t>(std::ranges::count(o.document().nodes(), op.toStdString(), &NodeInfo::op)));
}

void TestUiFind::theRunsPageIsFiltered() {
  Opened o;
  QVERIFY(o.open(kSample));
  QVERIFY(o.compileAll());
  RunsView& runs = o.window->runPages().runsView();
  o.window->pages().setCurrentWidget(&runs);
  QTRY_COMPARE_WITH_TIMEOUT(runs.model().rowCount(), 1, kLong);
  QTest::keyClicks(&runs.filterBox(), "name:radon");
  QCOMPARE(runs.model().rowCount(), 0);
  QVERIFY(!runs.table().isVisible());
  runs.filterBox().setText("name:hier");
  QCOMPARE(runs.model().rowCount(), 1);
  runs.filterBox().setText("dtype:float64");
  QVERIFY2(runs.problem().contains("runs have no field 'dtype'"), qPrintable(runs.problem()));
  QVERIFY(runs.problem().contains("name, key, cost, hits, age"));
}

QTEST_MAIN(TestUiFind)
#include "tst_ui_find.moc"
