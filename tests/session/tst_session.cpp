// What the cache does for a session. Rows are named after the report of another project that they guard
// against, where there is one; tests/README.md lists them.
#include "session_fixture.h"

#include "cache/actions.h"
#include "cache/connection.h"
#include "cache/doctor.h"
#include "cache/entries.h"
#include "cache/list.h"
#include "cache/runs.h"
#include "cache/show.h"
#include "cache/store_state.h"
#include "graph/writer.h"
#include "ops/scalar_graph.h"
#include "session/audit.h"
#include "session/entry_work.h"
#include "session/recipe.h"

#include <QFile>

#include <csignal>
#include <filesystem>
#include <fstream>
#include <sys/resource.h>
#include <thread>

using namespace nodewise;
using namespace nodewise::testing;

class TestSession : public QObject, SessionFixture {
  Q_OBJECT
private Q_SLOTS:
  void init() { startAnew(); }

  void aListedNodeHasTheKeyItIsExplainedBy() {
    auto session = openFresh(chain({1, 2, 3}), m_settings);
    QVERIFY(session);
    for (const NodeInfo& info : (*session)->nodes()) {
      auto explanation = (*session)->explain(info.index);
      QVERIFY(explanation);
      QCOMPARE(info.key, explanation->key.hash);
    }
  }

  void theSecondTimeEverythingHits() {
    const std::string text = chain({1, 2, 3});
    const CompileSummary cold = compiled(text), warm = compiled(text);
    QCOMPARE(cold.misses, int64_t{3});
    QCOMPARE(cold.compiled, int64_t{3});
    QCOMPARE(warm.hits, int64_t{3});
    QCOMPARE(warm.compiled, int64_t{0});
    QVERIFY(warm.savedNs > 0);
  }

  void aNodeKnowsHowOftenItsEntryWasFound() {
    auto session = openFresh(chain({1}), m_settings);
    QVERIFY(session);
    for (int64_t hits = 0; hits < 4; ++hits) {
      QVERIFY((*session)->compile({}, {}, {}));
      QCOMPARE((*session)->state(0).hits, hits); // at first a miss
    }
  }

  void compilesDropWhatIsBeyondTheAgeCap() {
    compiled(chain({1, 2, 3}));
    Store s = store();
    QVERIFY(s.state().connection->execute("UPDATE entry SET used = used - 31 * 86400").ok());
    QCOMPARE(compiled(chain({1})).hits, int64_t{1}); // used again; no cap is set, so all stay
    QCOMPARE(countEntries(s, need(parseFilter("state:live")))->entries, int64_t{3});
    m_settings.cache.age = "30d";
    QCOMPARE(compiled(chain({1})).hits, int64_t{1});
    QCOMPARE(countEntries(s, need(parseFilter("state:live")))->entries, int64_t{1});
    QCOMPARE(compiled(chain({1, 2, 3})).hits, int64_t{1});
  }

  void equalNodesOfOneGraphCompileOnce() {
    const CompileSummary s = compiled(chain({1, 1, 1, 1}));
    QCOMPARE(s.nodes, int64_t{4});
    QCOMPARE(s.compiled, int64_t{1});
  }

  // numba#9316: any edit recompiled everything.
  void oneChangedNodeOfAThousandIsOneCompile() {
    m_settings.options.optLevel = 0; // a thousand compiles, quickly
    std::vector<double> constants;
    for (int k = 0; k < 1000; ++k) constants.push_back(1 + 0.001 * k);
    QCOMPARE(compiled(chain(constants)).compiled, int64_t{1000});
    constants[500] = 77;
    const CompileSummary changed = compiled(chain(constants));
    QCOMPARE(changed.hits, int64_t{999});
    QCOMPARE(changed.compiled, int64_t{1});
  }

  void lengthsAndNamesAreInNoKey() {
    compiled(oneOp("exp", "float64"));
    std::string other = oneOp("exp", "float64");
    const std::string from = "[null]", to = "[5]";
    for (size_t at = other.find(from); at != std::string::npos; at = other.find(from))
      other.replace(at, from.size(), to);
    QCOMPARE(compiled(other).hits, int64_t{1});
  }

  void explainNamesJustWhatChanged_data() {
    QTest::addColumn<QString>("change");
    QTest::addColumn<QString>("part");
    QTest::addColumn<QString>("was");
    QTest::addColumn<QString>("now");
    QTest::addColumn<bool>("stale");
    QTest::newRow("optimisation level") << "level"
                                        << "optimisation level"
                                        << "2"
                                        << "1" << true;
    QTest::newRow("jax#27814 LLVM version") << "llvm"
                                            << "LLVM version"
                                            << ""
                                            << "99.1" << true;
    QTest::newRow("pretended CPU") << "cpu"
                                   << "cpu"
                                   << ""
                                   << "i486" << true;
    QTest::newRow("op version") << "op"
                                << "op version" << QString::number(kElementwiseVersion)
                                << QString::number(kElementwiseVersion + 1) << true;
    QTest::newRow("numba#1833 version of a fused scalar op") << "scalar"
                                                             << "scalar op versions"
                                                             << "mul 1, tanh 1"
                                                             << "mul 2, tanh 1" << true;
    QTest::newRow("constant") << "constant"
                              << "constants"
                              << ""
                              << "" << false;
  }
  void explainNamesJustWhatChanged() {
    QFETCH(QString, change);
    QFETCH(QString, part);
    QFETCH(QString, was);
    QFETCH(QString, now);
    QFETCH(bool, stale);
    QCOMPARE(compiled(chain({1})).compiled, int64_t{1});
    SessionSettings settings = m_settings;
    std::string text = chain({1});
    if (change == "level") settings.options.optLevel = 1;
    if (change == "llvm") settings.pretendLlvmVersion = "99.1";
    if (change == "cpu") {
      TargetSpec target = Engine(1).target();
      target.cpu = "i486";
      settings.pretendTarget = target;
    }
    if (change == "op") settings.pretendVersions["Elemwise"] = kElementwiseVersion + 1;
    if (change == "scalar") settings.pretendVersions["mul"] = 2;
    if (change == "constant") text = chain({2});
    auto session = openFresh(text, settings);
    QVERIFY(session);
    auto e = (*session)->explain(0);
    QVERIFY2(e, e ? "" : e.error().text().c_str());
    QCOMPARE(e->answer.outcome, stale ? Outcome::Stale : Outcome::Miss);
    QCOMPARE(e->differences.size(), size_t{1});
    QCOMPARE(QString::fromStdString(e->differences[0].name), part);
    if (!was.isEmpty()) QCOMPARE(QString::fromStdString(e->differences[0].oldValue), was);
    if (!now.isEmpty()) QCOMPARE(QString::fromStdString(e->differences[0].newValue), now);
    QVERIFY(e->answer.reason.find(part.toStdString()) != std::string::npos);
    QVERIFY(e->answer.nearest.has_value());
  }

  void aChangedDtypeIsAMissThatNamesIt() {
    QCOMPARE(compiled(oneOp("exp", "float64")).compiled, int64_t{1});
    auto session = openFresh(oneOp("exp", "float32"), m_settings);
    QVERIFY(session);
    auto e = (*session)->explain(0);
    QVERIFY(e);
    QCOMPARE(e->answer.outcome, Outcome::Miss);
    QVERIFY2(e->answer.reason.find("float64") != std::string::npos &&
                 e->answer.reason.find("float32") != std::string::npos,
             e->answer.reason.c_str());
    for (const PartDiff& d : e->differences) QVERIFY(d.name == "input 0" || d.name == "output 0");
  }

  // bazel#18643: every lookup leaves a row.
  void everyLookupIsKept() {
    const CompileSummary cold = compiled(chain({1, 2}));
    Store s = store();
    auto rows = runLookups(s, cold.runId);
    QVERIFY(rows);
    QCOMPARE(rows->size(), size_t{2});
    QCOMPARE((*rows)[0].outcome, Outcome::Miss);
    QCOMPARE((*rows)[0].storeResult, std::string("stored"));
    QVERIFY(!(*rows)[0].reason.empty());
  }

  void explainingCompilesNothing() {
    auto session = openFresh(chain({1, 2}), m_settings);
    QVERIFY(session);
    QVERIFY((*session)->explain(0));
    Store s = store();
    auto totals = countEntries(s, {});
    QVERIFY(totals);
    QCOMPARE(totals->entries, int64_t{0});
    QVERIFY(!(*session)->state(0).linked);
  }

  void theCacheIsNoGraph() {
    QVERIFY(compiled(chain({3})).compiled == 1);
    for (const char* part : {"", "-wal"}) {
      const auto opened = Session::open(*m_settings.cache.file + part, m_settings);
      QVERIFY(!opened.ok());
      QCOMPARE(opened.error().what, std::string("is the cache, not a graph"));
    }
  }

  void aFullDiskIsSaidAtEachNode() {
    std::vector<double> constants;
    for (int k = 0; k < 60; ++k) constants.push_back(1 + k);
    m_settings.options.optLevel = 0;
    auto session = openFresh(chain(constants), m_settings);
    QVERIFY(session);
    store(); // the empty cache still finds room
    // No file may grow over this: the log of the database cannot hold the entries.
    const auto handler = std::signal(SIGXFSZ, SIG_IGN);
    rlimit before{};
    QCOMPARE(::getrlimit(RLIMIT_FSIZE, &before), 0);
    const rlimit tight{64 * 1024, before.rlim_max};
    QCOMPARE(::setrlimit(RLIMIT_FSIZE, &tight), 0);
    auto summary = (*session)->compile({}, {}, {});
    ::setrlimit(RLIMIT_FSIZE, &before);
    std::signal(SIGXFSZ, handler);
    QVERIFY2(summary, summary ? "" : summary.error().text().c_str());
    QCOMPARE(summary->compiled, int64_t{60});
    QCOMPARE(summary->failed, int64_t{0});
    for (const NodeInfo& node : (*session)->nodes()) {
      QCOMPARE((*session)->state(node.index).storeResult, std::string("not stored: disk full"));
      QVERIFY((*session)->state(node.index).linked);
    }
    QVERIFY((*session)->machine());
  }

  // A key that leaves out what the code depends on: planted by storing other code under a node's key.

  // Damaged, foreign, locked or lost databases slow the work down, no more.
  void workGoesOnWithoutACache_data() {
    QTest::addColumn<QString>("how");
    for (const char* how : {"directory", "garbage", "read only folder", "truncated", "switched off"})
      QTest::newRow(how) << how;
  }
  void workGoesOnWithoutACache() {
    QFETCH(QString, how);
    const std::string path = *m_settings.cache.file;
    if (how == "directory") std::filesystem::create_directory(path);
    if (how == "garbage") std::ofstream(path) << std::string(100'000, 'x');
    if (how == "truncated") {
      compiled(chain({1}));
      std::filesystem::resize_file(path, 1000);
    }
    if (how == "read only folder") m_settings.cache.file = "/proc/nodewise/cache.db";
    if (how == "switched off") m_settings.useCache = false;
    auto session = openFresh(chain({1}), m_settings);
    QVERIFY(session);
    auto out = (*session)->run({tensorOf<double>({2}, {0.5, -0.5})}, 1, false, {});
    QVERIFY2(out, out ? "" : out.error().text().c_str());
    QCOMPARE(elementsOf<double>(out->outputs[0])[0], std::tanh(0.5));
  }

  void unsupportedNodesStopNothingElse() {
    const std::string text =
        "{\"values\":[" + value("float64", "[null]") + "," + value("float64", "[null]") + "," +
        value("float64", "[null]") +
        "],\"inputs\":[0],\"outputs\":[2],\"nodes\":[{\"op\":\"Elemwise\",\"params\":{\"scalar_op\":\"exp\"},"
        "\"in\":[0],\"out\":[1]},{\"op\":\"NobodyKnowsThis\",\"in\":[1],\"out\":[2]}]}";
    auto session = openFresh(text, m_settings);
    QVERIFY(session);
    QCOMPARE((*session)->nodes()[1].kind, NodeKind::Unsupported);
    auto summary = (*session)->compile({}, {}, {});
    QVERIFY(summary);
    QCOMPARE(summary->compiled, int64_t{1});
    QCOMPARE(summary->unsupported, int64_t{1});
    auto run = (*session)->run({tensorOf<double>({1}, {1})}, 1, false, {});
    QVERIFY(!run);
    QVERIFY(run.error().text().find("NobodyKnowsThis") != std::string::npos);
  }

  void deepGraphsLoadOnAWorkerThread() {
    m_settings.options.optLevel = 0;
    const std::vector<double> constants(5000, 0.5);
    const std::string text = chain(constants);
    compiled(text);
    bool ok = false;
    std::thread worker([&] {
      auto session = openFresh(text, m_settings);
      if (!session) return;
      auto summary = (*session)->compile({}, {}, {});
      auto run = (*session)->run({tensorOf<double>({1}, {0.1})}, 1, false, {});
      ok = summary && summary->hits == 5000 && run;
    });
    worker.join();
    QVERIFY(ok);
  }

  void cancellingLeavesNothingHalf() {
    std::stop_source stop;
    stop.request_stop();
    auto session = openFresh(chain({1, 2, 3}), m_settings);
    QVERIFY(session);
    auto summary = (*session)->compile({}, {}, stop.get_token());
    QVERIFY(!summary);
    QCOMPARE(summary.error().type, std::string("Cancelled"));
    QVERIFY((*session)->run({tensorOf<double>({1}, {0.1})}, 1, false, {}));
  }

  void irAndAssemblyAreThereOnAHitToo() {
    compiled(chain({1}));
    auto session = openFresh(chain({1}), m_settings);
    QVERIFY((*session)->compile({}, {}, {}));
    QCOMPARE((*session)->state(0).outcome, std::optional(Outcome::Hit));
    auto code = (*session)->code(0);
    QVERIFY2(code, code ? "" : code.error().text().c_str());
    QVERIFY(code->ir.find("define") != std::string::npos);
    QVERIFY(code->optimisedIr.find("define") != std::string::npos);
    QVERIFY(code->assembly.find("tanh") != std::string::npos);
  }
};

QTEST_GUILESS_MAIN(TestSession)
#include "tst_session.moc"
