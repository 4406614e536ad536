// Why nodes miss: root causes, suppositions; and where the time of a run went.
#include "graph_text.h"

#include "cache/run_history.h"
#include "session/cascade.h"
#include "session/cost_tree.h"
#include "session/phase_table.h"
#include "session/timeline.h"
#include "session/what_if.h"

#include <algorithm>

using namespace nodewise;
using namespace nodewise::testing;

namespace {

constexpr const char* kScope = "model/layer0";

/// a = f(x), b = exp(a), c = tanh(b): a chain.
std::string chainText(const std::string& f, const std::string& in = "float64",
                      const std::string& out = "float64") {
  return R"({"values":[)" + value(in, "[4]") + "," + value(out, "[4]") + "," + value(out, "[4]") + "," +
         value(out, "[4]") + R"(],"inputs":[0],"outputs":[3],"nodes":[)" + elemwise(f, "[0]", 1, {}, kScope) +
         "," + elemwise("exp", "[1]", 2, {}, kScope) + "," + elemwise("tanh", "[2]", 3, {}, kScope) + "]}";
}

RunNode timedNode(const std::string& path, const std::string& scope, const std::string& op, int worker,
                  int64_t buildAt, int64_t build, int64_t optimise) {
  RunNode n;
  n.path = path;
  n.scope = scope;
  n.op = op;
  n.worker = worker;
  n.outcome = Outcome::Miss;
  n.starts.build = buildAt;
  n.starts.optimise = buildAt + build;
  n.phases.build = build;
  n.phases.optimise = optimise;
  return n;
}

RunRecord smallRecord() {
  RunRecord record;
  record.timed = true;
  record.run.file = "/graphs/small.nwg.json";
  record.run.wallNs = 1000;
  record.nodes = {timedNode("$.graph.nodes[0]", "a/b", "Add", 0, 0, 100, 200),
                  timedNode("$.graph.nodes[1]", "a/c", "Mul", 1, 50, 10, 20),
                  timedNode("$.graph.nodes[2]", "a/b", "Add", 0, 400, 30, 0)};
  return record;
}

} // namespace

class TestCauses : public QObject {
  Q_OBJECT
  QTemporaryDir m_folder;

  SessionSettings settings(const char* name, int level = 2) const {
    SessionSettings s;
    s.cache.file = m_folder.filePath(name).toStdString();
    s.options.optLevel = level;
    return s;
  }
  std::vector<CascadeItem> causesNow(Session& session, const Pretend& pretend = {}) const {
    return cascade(session.nodes(), need(explainNodes(session, pretend)));
  }

private Q_SLOTS:
  void nodesBehindAChangedOneAreItsFollowers() {
    need(need(openText(chainText("abs"), settings("follow.db")))->compile({}, {}, {}));
    // The first node now gives float32: it misses by itself, the others because of it.
    auto changed = need(openText(chainText("abs", "float64", "float32"), settings("follow.db")));
    const std::vector<CascadeItem> items = causesNow(*changed);
    const auto itemOf = [&](NodeIndex node) {
      return std::ranges::find_if(items, [&](const CascadeItem& i) { return i.node == node; }) -
             items.begin();
    };
    QCOMPARE(items[static_cast<size_t>(itemOf(1))].parent, static_cast<int32_t>(itemOf(0)));
    QCOMPARE(items[static_cast<size_t>(itemOf(2))].parent, static_cast<int32_t>(itemOf(1)));
    const CascadeItem& root = items[static_cast<size_t>(itemOf(0))];
    QCOMPARE(root.nodes, int64_t{3});
    QVERIFY(root.costNs >= items[static_cast<size_t>(itemOf(1))].costNs);
  }

  void aChangedInputOfTheGraphIsTheCauseOfAll() {
    need(need(openText(chainText("abs"), settings("input.db")))->compile({}, {}, {}));
    auto changed = need(openText(chainText("abs", "float32", "float32"), settings("input.db")));
    const std::vector<CascadeItem> items = causesNow(*changed);
    QVERIFY(!items[0].node);
    QVERIFY2(items[0].text.find("of the graph: was float64, now float32") != std::string::npos,
             items[0].text.c_str());
    QCOMPARE(items[0].nodes, int64_t{3});
    QCOMPARE(items.size(), size_t{4});
  }

  void anotherLevelIsOneCauseForEveryNode() {
    auto session = need(openText(chainText("abs"), settings("level.db")));
    need(session->compile({}, {}, {}));
    Pretend pretend;
    pretend.optLevel = 3;
    const std::vector<CascadeItem> items = causesNow(*session, pretend);
    QCOMPARE(items.size(), size_t{4});
    QCOMPARE(items[0].text, std::string("optimisation level: was 2, now 3"));
    QCOMPARE(items[0].nodes, int64_t{3});
    int64_t cost = 0;
    for (const CascadeItem& item : std::span(items).subspan(1)) {
      QCOMPARE(item.parent, 0);
      QVERIFY(item.costNs > 0);
      cost += item.costNs;
    }
    QCOMPARE(items[0].costNs, cost);
  }

  void whatComputesSomethingElseFollowsNothing() {
    auto session = need(openText(chainText("abs"), settings("other.db")));
    const PartDiff input{"input 0", "float64", "float32"}, output{"output 0", "float64", "float32"};
    const PartDiff cast{"inner graph", "v0:f64 = exp(i0); -> v0", "v0:f32 = exp(i0); -> v0"};
    const PartDiff longer{"inner graph", "v0:f64 = exp(i0); -> v0",
                          "v0:f32 = exp(i0); v1:f32 = log(v0); -> v1"};
    const auto parentWith = [&](const PartDiff& inner) {
      const std::vector<ExplainedNode> explained{{0, Outcome::Miss, "", {input, output}, 100, {}},
                                                 {1, Outcome::Miss, "", {inner, input, output}, 50, {}}};
      const std::vector<CascadeItem> items = cascade(session->nodes(), explained);
      const auto at = std::ranges::find(items, std::optional<NodeIndex>(1), &CascadeItem::node);
      const int32_t parent = at->parent;
      return parent < 0 ? std::nullopt : items[static_cast<size_t>(parent)].node;
    };
    QCOMPARE(parentWith(cast), std::optional<NodeIndex>(0));
    QCOMPARE(parentWith(longer), std::optional<NodeIndex>()); // a root, or of the graph's input
  }

  void nodesOfOneKeyFollowTheFirst() {
    auto session = need(openText(chainText("abs"), settings("one key.db")));
    const std::vector<PartDiff> differences{{"constants", "1", "2"}};
    const std::vector<ExplainedNode> explained{{0, Outcome::Miss, "", differences, 100, {}},
                                               {1, Outcome::Miss, "", differences, 0, NodeIndex{0}},
                                               {2, Outcome::Miss, "", differences, 50, {}}};
    const std::vector<CascadeItem> items = cascade(session->nodes(), explained);
    QCOMPARE(items.size(), size_t{3});
    QCOMPARE(items[0].node, std::optional<NodeIndex>(0));
    QCOMPARE(items[0].nodes, int64_t{2});
    QCOMPARE(items[0].costNs, int64_t{100});
    QCOMPARE(items[1].parent, 0);
    QVERIFY2(items[1].text.ends_with("of the same key"), items[1].text.c_str());
    QCOMPARE(items[2].node, std::optional<NodeIndex>(2));
    QCOMPARE(items[2].parent, -1);
  }

  void nodesOfOneKeyAndCauseStandTogether() {
    auto session = need(openText(chainText("abs"), settings("one key.db")));
    const std::string why = "nothing comparable is in the cache";
    const std::vector<ExplainedNode> explained{{0, Outcome::Miss, why, {}, 100, {}},
                                               {1, Outcome::Miss, why, {}, 0, NodeIndex{0}},
                                               {2, Outcome::Miss, why, {}, 50, {}}};
    const std::vector<CascadeItem> items = cascade(session->nodes(), explained);
    QCOMPARE(items.size(), size_t{4});
    QCOMPARE(items[0].text, why);
    QCOMPARE(items[0].nodes, int64_t{3});
    QCOMPARE(items[0].costNs, int64_t{150});
    QCOMPARE(items[0].children.size(), size_t{2});
    QCOMPARE(items[1].node, std::optional<NodeIndex>(0));
    QCOMPARE(items[1].nodes, int64_t{2});
    QVERIFY(!items[1].ofKey);
    QCOMPARE(items[2].node, std::optional<NodeIndex>(1));
    QCOMPARE(items[2].parent, 1);
    QVERIFY(items[2].ofKey);
  }

  void hitsAreNobodysFollowers() {
    auto session = need(openText(chainText("abs"), settings("hits.db")));
    need(session->compile({}, {}, {}));
    QVERIFY(causesNow(*session).empty());
  }

  void aRecordedRunKeepsItsCauses() {
    const SessionSettings s = settings("recorded.db");
    need(need(openText(chainText("abs"), s))->compile({}, {}, {}));
    auto changed = need(openText(chainText("abs", "float64", "float32"), s));
    const std::vector<CascadeItem> before = causesNow(*changed);
    const CompileSummary summary = need(changed->compile({}, {}, {}));
    QVERIFY(causesNow(*changed).empty()); // everything hits now
    Store store = need(Store::open(need(resolveCacheSettings(s.cache, [](const char*) { return nullptr; }))));
    const auto explained = need(explainRun(store, need(loadRun(store, summary.runId))));
    const std::vector<CascadeItem> after = cascade(changed->nodes(), explained);
    QCOMPARE(after.size(), before.size());
    for (size_t i = 0; i < after.size(); ++i)
      if (after[i].node) {
        const auto same =
            std::ranges::find_if(before, [&](const CascadeItem& b) { return b.node == after[i].node; });
        QVERIFY(same != before.end());
        QCOMPARE(after[i].parent < 0, same->parent < 0);
      }
  }

  void suppositionsSayWhatWouldMissAndItsRecordedCost() {
    auto session = need(openText(chainText("abs"), settings("whatif.db")));
    need(session->compile({}, {}, {}));
    int64_t recorded = 0;
    for (const NodeInfo& info : session->nodes()) recorded += session->state(info.index).recordedCompileNs;
    Pretend pretend;
    pretend.versions["exp"] = 99;
    const WhatIf result = need(whatIf(*session, pretend));
    QCOMPARE(result.nodes.size(), size_t{3});
    QCOMPARE(result.misses, int64_t{1});
    QCOMPARE(result.newMisses, int64_t{1});
    QCOMPARE(result.hits, int64_t{2});
    QCOMPARE(result.costNs, session->state(1).recordedCompileNs);
    QVERIFY2(result.nodes[1].reason.find("99") != std::string::npos, result.nodes[1].reason.c_str());
    pretend = {};
    pretend.llvmVersion = "99.1";
    const WhatIf all = need(whatIf(*session, pretend));
    QCOMPARE(all.misses, int64_t{3});
    QCOMPARE(all.costNs, recorded);
    QCOMPARE(need(whatIf(*session, {})).misses, int64_t{0});
  }

  void spansLieOnTheThreadThatDidThem() {
    const Timeline timeline = makeTimeline(smallRecord());
    QCOMPARE(timeline.lanes, (std::vector<std::string>{"session", "worker 1", "worker 2"}));
    QCOMPARE(timeline.spans.size(), size_t{5});
    QCOMPARE(timeline.length, int64_t{1000});
    for (size_t k = 1; k < timeline.spans.size(); ++k) {
      const TimelineSpan &before = timeline.spans[k - 1], &span = timeline.spans[k];
      if (before.lane == span.lane) QVERIFY(before.end() <= span.start);
    }
    QCOMPARE(nodesIn(timeline, 3, 0, 50), (std::vector<bool>{true, true, false}));
    QCOMPARE(nodesIn(timeline, 3, 350, 500), (std::vector<bool>{false, false, true}));
    QCOMPARE(nodesIn(timeline, 3, 0, 1000, 2), (std::vector<bool>{false, true, false}));
    QVERIFY(makeTimeline(RunRecord{}).spans.empty());
  }

  void aRealRunHasNoOverlapsOnAWorker() {
    auto session = need(openText(chainText("abs"), settings("overlap.db")));
    const CompileSummary summary = need(session->compile({}, {}, {}));
    const Timeline timeline = makeTimeline(session->record());
    QVERIFY(timeline.lanes.size() >= 2);
    int64_t sum = 0;
    for (size_t k = 0; k < timeline.spans.size(); ++k) {
      sum += timeline.spans[k].duration;
      if (k > 0 && timeline.spans[k - 1].lane == timeline.spans[k].lane)
        QVERIFY(timeline.spans[k - 1].end() <= timeline.spans[k].start);
    }
    QCOMPARE(sum, summary.phases.total());
  }

  void theTreeOfCostsAddsUpAtEveryStep() {
    const RunRecord record = smallRecord();
    const std::vector<CostTreeNode> tree = costTree(record, CostKind::Compile);
    QCOMPARE(tree[0].name, std::string("small.nwg.json"));
    QCOMPARE(tree[0].cost, int64_t{360});
    for (const CostTreeNode& node : tree) {
      if (node.children.empty()) continue;
      int64_t sum = 0;
      for (const int32_t child : node.children) sum += tree[static_cast<size_t>(child)].cost;
      QCOMPARE(sum, node.cost);
    }
    const std::vector<bool> only{false, true, false};
    QCOMPARE(costTree(record, CostKind::Compile, &only)[0].cost, int64_t{30});
    QCOMPARE(costTree(record, CostKind::Run)[0].cost, int64_t{0});
  }

  void runTimesOfInnerNodesCountOnce() {
    RunRecord record;
    record.nodes.resize(2);
    record.nodes[0].path = "$.graph.nodes[0]";
    record.nodes[0].op = "Scan";
    record.nodes[0].runNs = 1000;
    record.nodes[1].path = "$.graph.nodes[0].params.graph.nodes[0]";
    record.nodes[1].op = "Elemwise";
    record.nodes[1].runNs = 700;
    const std::vector<CostTreeNode> tree = costTree(record, CostKind::Run);
    QCOMPARE(tree[0].cost, int64_t{1000});
    const auto scan = std::ranges::find(tree, "Scan", &CostTreeNode::name);
    QCOMPARE(scan->cost, int64_t{300});
  }

  void foldedStacksAreOneLineALeaf() {
    RunRecord record = smallRecord();
    record.nodes[0].op = "Add;x"; // what separates frames must not stand in one
    const std::string folded = foldedStacks(costTree(record, CostKind::Compile));
    const QStringList lines = QString::fromStdString(folded).split('\n', Qt::SkipEmptyParts);
    QCOMPARE(lines.size(), 5);
    int64_t sum = 0;
    for (const QString& line : lines) {
      QVERIFY(line.startsWith("small.nwg.json;a;"));
      QCOMPARE(line.count(';'), 5);
      sum += line.section(' ', -1).toLongLong();
    }
    QCOMPARE(sum, int64_t{360});
  }
};

QTEST_APPLESS_MAIN(TestCauses)
#include "tst_causes.moc"
