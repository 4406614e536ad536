// Recorded runs: what is kept of them, what they cost, how two of them differ.
#include "graph_text.h"

#include "cache/run_history.h"
#include "cache/runs.h"
#include "session/break_even.h"
#include "session/cost_table.h"
#include "session/export_run.h"
#include "session/run_diff.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>

#include <algorithm>

using namespace nodewise;
using namespace nodewise::testing;

namespace {

/// y = f(x), z = y + x; named nodes.
std::string graphText(const std::string& f, const std::string& dtype = "float64") {
  return R"({"values":[)" + value(dtype, "[4]") + "," + value(dtype, "[4]") + "," + value(dtype, "[4]") +
         R"(],"inputs":[0],"outputs":[2],"nodes":[)" + elemwise(f, "[0]", 1, "first", "model") + "," +
         elemwise("add", "[1,0]", 2, "second", "model") + "]}";
}

RunNode nodeOf(const std::string& op, const std::string& path, std::optional<Seal> structure, Outcome outcome,
               int64_t optimise, const std::string& name = {}) {
  RunNode n;
  n.op = op;
  n.path = path;
  n.name = name;
  n.structure = structure;
  n.outcome = outcome;
  n.phases.optimise = optimise;
  n.key = hashBytes(path + op + name);
  return n;
}

} // namespace

class TestRuns : public QObject {
  Q_OBJECT
  QTemporaryDir m_folder;

  SessionSettings settings(const char* name, int level = 2) const {
    SessionSettings s;
    s.cache.file = m_folder.filePath(name).toStdString();
    s.options.optLevel = level;
    s.command = "test";
    return s;
  }
  Store storeOf(const SessionSettings& s) const {
    return need(Store::open(need(resolveCacheSettings(s.cache, [](const char*) { return nullptr; }))));
  }

private Q_SLOTS:
  void aRunKeepsEveryNodeWithItsTimes() {
    const SessionSettings s = settings("kept.db");
    auto session = need(openText(graphText("exp"), s));
    const CompileSummary summary = need(session->compile({}, {}, {}));
    need(session->run({tensorOf<double>({4}, {1, 2, 3, 4})}, 5, true, {}));
    Store store = storeOf(s);
    const RunRecord record = need(loadRun(store, summary.runId));
    QVERIFY(record.timed);
    QCOMPARE(record.level, 2);
    QVERIFY(record.workers > 0);
    QCOMPARE(record.nodes.size(), session->nodes().size());
    Phases sum;
    for (size_t n = 0; n < record.nodes.size(); ++n) {
      const RunNode& node = record.nodes[n];
      const NodeState state = session->state(static_cast<NodeIndex>(n));
      QCOMPARE(node.path, session->nodes()[n].path);
      QCOMPARE(node.scope, std::string("model"));
      QCOMPARE(node.outcome, state.outcome);
      QVERIFY(node.phases == state.phases);
      QVERIFY(node.starts == state.starts);
      QCOMPARE(node.calls, int64_t{5});
      QCOMPARE(node.runNs, state.runNs);
      QVERIFY(node.structure.has_value());
      if (*node.outcome == Outcome::Miss && node.phases.optimise > 0) QVERIFY(node.worker >= 0);
      sum.lookup += node.phases.lookup, sum.build += node.phases.build, sum.optimise += node.phases.optimise;
      sum.emit += node.phases.emit, sum.link += node.phases.link, sum.store += node.phases.store;
    }
    QVERIFY(sum == summary.phases); // nothing is counted twice, nothing is left out
    const RunRecord here = session->record();
    QCOMPARE(here.nodes.size(), record.nodes.size());
    QCOMPARE(here.run.id, record.run.id);
  }

  void phasesOfOneNodeFollowEachOther() {
    auto session = need(openText(graphText("tanh"), settings("order.db")));
    const CompileSummary summary = need(session->compile({}, {}, {}));
    for (const RunNode& node : session->record().nodes) {
      if (node.phases.optimise == 0) continue;
      const Phases &at = node.starts, &took = node.phases;
      QVERIFY(at.lookup + took.lookup <= at.build);
      QVERIFY(at.build + took.build <= at.optimise);
      QVERIFY(at.optimise + took.optimise <= at.emit);
      QVERIFY(at.emit + took.emit <= at.link);
      QVERIFY(at.link + took.link <= at.store);
      QVERIFY(at.store + took.store <= summary.wallNs);
    }
  }

  void droppedRunsTakeTheirNodesAlong() {
    const SessionSettings s = settings("dropped.db");
    auto session = need(openText(graphText("exp"), s));
    const CompileSummary summary = need(session->compile({}, {}, {}));
    need(session->run({tensorOf<double>({4}, {1, 2, 3, 4})}, 1, true, {}));
    Store store = storeOf(s);
    QVERIFY(store.keepSetting("runs kept", "1").ok());
    Store later = storeOf(s); // reads the setting
    QVERIFY(recordRun(later, RunRow{}, {}).ok());
    QVERIFY(recordRun(later, RunRow{}, {}).ok());
    QVERIFY(!loadRun(later, summary.runId).ok());
    std::vector<Seal> structures = structuresOf(session->record());
    QVERIFY(need(levelCosts(later, structures)).empty());
  }

  void costsAddUpToTheTotal_data() {
    QTest::addColumn<int>("group");
    for (const CostGroupRow& row : costGroupTable())
      QTest::newRow(std::string(row.name).c_str()) << static_cast<int>(row.group);
  }
  void costsAddUpToTheTotal() {
    QFETCH(int, group);
    const SessionSettings s = settings("cost.db");
    auto session = need(openText(graphText("exp"), s));
    const CompileSummary summary = need(session->compile({}, {}, {}));
    need(session->run({tensorOf<double>({4}, {1, 2, 3, 4})}, 3, true, {}));
    const RunRecord record = session->record();
    const CostTable table = costTable(record, static_cast<CostGroup>(group));
    QCOMPARE(table.total.phases.total(), summary.phases.total());
    QCOMPARE(table.total.savedNs, summary.savedNs);
    for (const CostColumn& column : costColumns()) {
      if (!column.adds) continue;
      int64_t sum = 0;
      for (const CostRow& row : table.rows) sum += column.value(row);
      QVERIFY2(sum == column.value(table.total), std::string(column.name).c_str());
    }
    int64_t phases = 0; // the columns of phases are all phases
    for (const CostColumn& column : costColumns().first(6)) phases += column.value(table.total);
    QCOMPARE(phases, table.total.phases.total());
  }

  void aFilterLeavesOutNodes() {
    RunRecord record;
    record.nodes = {nodeOf("A", "$0", {}, Outcome::Miss, 10), nodeOf("B", "$1", {}, Outcome::Miss, 20)};
    const std::vector<bool> only{false, true};
    const CostTable table = costTable(record, CostGroup::Op, &only);
    QCOMPARE(table.rows.size(), size_t{1});
    QCOMPARE(table.total.phases.optimise, int64_t{20});
  }

  void hitRatesCountTimesAsRecorded() {
    RunRecord record;
    RunNode hit = nodeOf("A", "$0", {}, Outcome::Hit, 0);
    hit.recordedNs = 300;
    record.nodes = {hit, nodeOf("B", "$1", {}, Outcome::Miss, 100), nodeOf("C", "$2", {}, Outcome::Stale, 0)};
    record.run.wallNs = 250;
    RunRow cold;
    cold.id = 7;
    cold.wallNs = 1000;
    const HitRates rates = hitRates(record, cold);
    QCOMPARE(*rates.byCount(), 1.0 / 3);
    QCOMPARE(*rates.byCompileTime(), 0.75);
    QCOMPARE(*rates.byWallTime(), 0.75);
    QVERIFY(!hitRates(record, {}).byWallTime()); // nothing measured, nothing said
    QVERIFY(!hitRates(RunRecord{}, {}).byCount());
  }

  void theColdRunIsFound() {
    const SessionSettings s = settings("coldrun.db");
    auto session = need(openText(graphText("exp"), s));
    const CompileSummary cold = need(session->compile({}, {}, {}));
    auto again = need(openText(graphText("exp"), s));
    const CompileSummary warm = need(again->compile({}, {}, {}));
    QCOMPARE(warm.hits, warm.nodes);
    Store store = storeOf(s);
    const auto found = need(coldRunOf(store, need(loadRun(store, warm.runId)).run));
    QVERIFY(found.has_value());
    QCOMPARE(found->id, cold.runId);
    auto other =
        need(openText(graphText("exp"), settings("coldrun.db", 0))); // another level: another graph of keys
    const CompileSummary otherLevel = need(other->compile({}, {}, {}));
    QCOMPARE(need(coldRunOf(store, need(loadRun(store, otherLevel.runId)).run))->id, otherLevel.runId);
  }

  void breakEvenComparesMeasuredLevels() {
    const Seal structure{1};
    RunRecord record;
    record.nodes = {nodeOf("A", "$0", structure, Outcome::Hit, 0),
                    nodeOf("B", "$1", Seal{2}, Outcome::Hit, 0)};
    const std::vector<LevelCost> costs{{structure, 2, 5000, 10, 100}, // 10 ns a call
                                       {structure, 0, 1000, 10, 500}, // 50 ns a call
                                       {structure, 1, 2000, 0, 0},    // never run: says nothing
                                       {structure, 3, 9000, 10, 100}};
    const std::vector<BreakEven> all = breakEven(record, costs);
    QCOMPARE(all.size(), size_t{1}); // B was never measured
    const BreakEven& even = all[0];
    QCOMPARE(even.levels.size(), size_t{4});
    QCOMPARE(*even.levels[0].callsForCompile(), 20.0);
    QVERIFY(!even.levels[1].callsForCompile());
    QCOMPARE(even.crossings.size(), size_t{2});
    QCOMPARE(even.crossings[0].from, 0);
    QCOMPARE(even.crossings[0].to, 2);
    QCOMPARE(*even.crossings[0].calls, 100.0); // 4000 ns more, 40 ns less a call
    QVERIFY(!even.crossings[1].calls);         // as slow and dearer: never
  }

  void levelsAreMeasuredOverRuns() {
    std::vector<Seal> structures;
    for (const int level : {0, 2}) {
      auto session = need(openText(graphText("exp"), settings("levels.db", level)));
      need(session->compile({}, {}, {}));
      need(session->run({tensorOf<double>({4}, {1, 2, 3, 4})}, 4, true, {}));
      structures = structuresOf(session->record());
    }
    Store store = storeOf(settings("levels.db"));
    const std::vector<LevelCost> costs = need(levelCosts(store, structures));
    QCOMPARE(costs.size(), 2 * structures.size());
    for (const LevelCost& cost : costs) {
      QVERIFY(cost.compileNs > 0);
      QCOMPARE(cost.calls, int64_t{4});
    }
  }

  void theSameGraphTwiceDiffersInOutcomeAlone() {
    const SessionSettings s = settings("same.db");
    const int64_t first = need(need(openText(graphText("exp"), s))->compile({}, {}, {})).runId;
    const int64_t second = need(need(openText(graphText("exp"), s))->compile({}, {}, {})).runId;
    Store store = storeOf(s);
    const RunRecord before = need(loadRun(store, first)), after = need(loadRun(store, second));
    const RunDiff diff = diffRuns(before, after);
    QCOMPARE(diff.count(NodeChange::Outcome), int64_t{2});
    QCOMPARE(diff.nodes.size(), size_t{2});
    for (const NodeDiff& node : diff.nodes) QCOMPARE(node.matched, MatchedBy::Name);
    QVERIFY(diff.compileDiff < 0); // the second compiled nothing
    QCOMPARE(diffRuns(before, before).count(NodeChange::Same), int64_t{2});
  }

  void aChangedNodeIsFoundByItsName() {
    const SessionSettings s = settings("changed.db");
    const int64_t first = need(need(openText(graphText("exp"), s))->compile({}, {}, {})).runId;
    const int64_t second = need(need(openText(graphText("exp", "float32"), s))->compile({}, {}, {})).runId;
    Store store = storeOf(s);
    const RunDiff diff = diffRuns(need(loadRun(store, first)), need(loadRun(store, second)));
    QCOMPARE(diff.nodes.size(), size_t{2});
    for (const NodeDiff& node : diff.nodes) {
      QCOMPARE(node.matched, MatchedBy::Name);
      QCOMPARE(node.change, NodeChange::Key); // a miss then, a miss now
    }
  }

  void exportsHoldEveryNode_data() {
    QTest::addColumn<int>("format");
    for (const ExportFormatRow& row : exportFormats())
      QTest::newRow(std::string(row.name).c_str()) << static_cast<int>(row.format);
  }
  void exportsHoldEveryNode() {
    QFETCH(int, format);
    auto session = need(openText(graphText("exp"), settings("export.db")));
    const CompileSummary summary = need(session->compile({}, {}, {}));
    RunRecord record = session->record();
    record.nodes[0].label = "a, \"quoted\"\nlabel \xff"; // text from files may be anything
    const QByteArray text = QByteArray::fromStdString(exportRun(record, static_cast<ExportFormat>(format)));
    const QJsonObject json = QJsonDocument::fromJson(text).object();
    switch (static_cast<ExportFormat>(format)) {
    case ExportFormat::Csv:
      QCOMPARE(text.count("\r\n"), static_cast<qsizetype>(record.nodes.size()) + 1);
      QVERIFY(text.contains("\"a, \"\"quoted\"\"\nlabel"));
      break;
    case ExportFormat::Json: {
      QCOMPARE(json["version"].toInt(), kRunJsonVersion);
      QCOMPARE(json["nodes"].toArray().size(), static_cast<qsizetype>(record.nodes.size()));
      int64_t sum = 0;
      for (const QJsonValue& node : json["nodes"].toArray())
        for (const QJsonValue& ns : node["ns"].toObject()) sum += ns.toInteger();
      QCOMPARE(sum, summary.phases.total());
      break;
    }
    case ExportFormat::Chrome: {
      double microseconds = 0;
      for (const QJsonValue& event : json["traceEvents"].toArray())
        if (event["ph"].toString() == "X") microseconds += event["dur"].toDouble();
      QVERIFY(qFuzzyCompare(microseconds * 1000, static_cast<double>(summary.phases.total())));
      break;
    }
    case ExportFormat::Folded: {
      int64_t sum = 0;
      for (const QByteArray& line : text.split('\n')) sum += line.mid(line.lastIndexOf(' ') + 1).toLongLong();
      QCOMPARE(sum, summary.phases.total());
    }
    }
  }

  void nodesAreMatchedByNameThenStructureThenPlace() {
    const Seal s1{1}, s2{2}, s3{3};
    RunRecord before, after;
    before.nodes = {nodeOf("Elemwise", "$0", s1, Outcome::Miss, 5, "named"),
                    nodeOf("Elemwise", "$1", s2, Outcome::Miss, 5), nodeOf("Sum", "$2", s3, Outcome::Miss, 5),
                    nodeOf("Dot", "$3", Seal{9}, Outcome::Miss, 7)};
    after.nodes = {nodeOf("Exp", "$0", Seal{8}, Outcome::Miss, 3),
                   nodeOf("Elemwise", "$1", Seal{4}, Outcome::Miss, 5, "named"),
                   nodeOf("Elemwise", "$2", s2, Outcome::Hit, 0),
                   nodeOf("Sum", "$3", Seal{5}, Outcome::Miss, 5)};
    const RunDiff diff = diffRuns(before, after);
    const auto of = [&](std::optional<size_t> a) {
      return *std::ranges::find_if(diff.nodes, [&](const NodeDiff& d) { return d.after == a; });
    };
    QCOMPARE(of(0).change, NodeChange::New);
    QCOMPARE(of(0).compileDiff, int64_t{3});
    QCOMPARE(of(1).matched, MatchedBy::Name);
    QCOMPARE(*of(1).before, size_t{0});
    QCOMPARE(of(2).matched, MatchedBy::Structure);
    QCOMPARE(*of(2).before, size_t{1});
    QCOMPARE(of(2).change, NodeChange::Outcome);
    QCOMPARE(of(3).matched, MatchedBy::Place);
    QCOMPARE(*of(3).before, size_t{2});
    QCOMPARE(diff.count(NodeChange::Gone), int64_t{1});
    QCOMPARE(diff.compileDiff, int64_t{3 - 5 - 7});
    int64_t all = 0;
    for (const NodeChangeRow& row : nodeChangeTable()) all += diff.count(row.change);
    QCOMPARE(all, static_cast<int64_t>(diff.nodes.size()));
  }
};

QTEST_APPLESS_MAIN(TestRuns)
#include "tst_runs.moc"
