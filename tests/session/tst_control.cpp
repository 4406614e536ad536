// The VM: Scan, IfElse, Blockwise, OpFromGraph, memory reuse, views whose inputs move, errors that name their
// node.
#include "graph_text.h"

#include "graph/generate.h"
#include "runtime/machine.h"

using namespace nodewise;
using namespace nodewise::testing;

namespace {

const std::string kF0 = value("float64", "[]"), kF1 = value("float64", "[null]"),
                  kF2 = value("float64", "[null,null]");

std::string node(const std::string& op, const std::string& params, const std::string& in,
                 const std::string& out, const std::string& more = {}) {
  return "{\"op\":\"" + op + "\",\"params\":{" + params + "},\"in\":[" + in + "],\"out\":[" + out + "]" +
         more + "}";
}
std::string graph(const std::string& values, const std::string& inputs, const std::string& outputs,
                  const std::string& nodes) {
  return "{\"values\":[" + values + "],\"inputs\":[" + inputs + "],\"outputs\":[" + outputs +
         "],\"nodes\":[" + nodes + "]}";
}
std::string elemwise(const std::string& op, const std::string& in, const std::string& out,
                     const std::string& more = {}) {
  return node("Elemwise", "\"scalar_op\":\"" + op + "\"", in, out, more);
}

} // namespace

class TestControl : public QObject {
  Q_OBJECT
private Q_SLOTS:
  void ifElseLeavesTheOtherBranchUncomputed() {
    // The else-branch fails if it is computed: a negative integer power.
    const std::string i0 = value("int64", "[]");
    const std::string text =
        graph(value("bool", "[]") + "," + i0 + "," + i0 + "," + i0 + "," + i0, "0,1,2", "4",
              elemwise("pow", "1,2", "3") + "," + node("IfElse", "\"n_outs\":1", "0,1,3", "4"));
    auto taken =
        runText(text, {tensorOf<bool>({}, {true}), tensorOf<int64_t>({}, {5}), tensorOf<int64_t>({}, {-1})});
    QVERIFY2(taken, taken ? "" : taken.error().text().c_str());
    QCOMPARE(elementsOf<int64_t>((*taken)[0])[0], int64_t{5});
    auto other =
        runText(text, {tensorOf<bool>({}, {false}), tensorOf<int64_t>({}, {5}), tensorOf<int64_t>({}, {-1})});
    QVERIFY(!other);
    QCOMPARE(other.error().type, std::string("ValueError"));
  }

  void arraysThatAreTooLargeAreErrors_data() {
    QTest::addColumn<qlonglong>("rows");
    QTest::addColumn<qlonglong>("columns");
    QTest::newRow("2^62 bytes") << (1LL << 29) << (1LL << 30);
    QTest::newRow("2^63 bytes") << (1LL << 30) << (1LL << 30);
    QTest::newRow("2^64 + 64 bytes, which wrap to 64") << ((1LL << 61) + 8) << 1LL;
    QTest::newRow("more than an int64 counts") << (1LL << 40) << (1LL << 40);
  }
  void arraysThatAreTooLargeAreErrors() {
    QFETCH(qlonglong, rows);
    QFETCH(qlonglong, columns);
    const std::string i0 = value("int64", "[]");
    auto session =
        openText(graph(kF0 + "," + i0 + "," + i0 + "," + kF2, "0,1,2", "3", node("Alloc", "", "0,1,2", "3")),
                 withoutCache());
    QVERIFY2(session, session ? "" : session.error().text().c_str());
    auto run = [&](int64_t n, int64_t m) {
      return (*session)->run({number(1), tensorOf<int64_t>({}, {n}), tensorOf<int64_t>({}, {m})}, 1, false,
                             {});
    };
    auto large = run(rows, columns);
    QVERIFY(!large);
    QCOMPARE(large.error().type, std::string("MemoryError"));
    auto small = run(2, 3);
    QVERIFY2(small, small ? "" : small.error().text().c_str());
    QCOMPARE(elementsOf<double>(small->outputs[0]), std::vector<double>(6, 1.0));
    auto empty = run(0, rows);
    QVERIFY2(empty, empty ? "" : empty.error().text().c_str());
  }
  void conditionsAreNumbers_data() {
    QTest::addColumn<QString>("type");
    QTest::newRow("a list")
        << R"({"type":{"kind":"list","elem":{"kind":"tensor","dtype":"bool","shape":[]}}})";
    QTest::newRow("a slice") << R"({"type":{"kind":"slice"}})";
    QTest::newRow("None") << R"({"type":{"kind":"none"}})";
    QTest::newRow("a vector") << QString::fromStdString(value("bool", "[2]"));
  }
  void conditionsAreNumbers() {
    QFETCH(QString, type);
    const std::string condition = type.toStdString();
    const std::string texts[] = {
        graph(kF0 + "," + condition + "," + kF0, "0,1", "2", node("add", "", "0,1", "2")),
        graph(kF0 + "," + condition + "," + kF0, "0,1", "2", node("CheckAndRaise", "", "0,1", "2")),
        graph(kF0 + "," + condition + "," + kF0, "0,1", "2", node("IfElse", "", "1,0,0", "2")),
        graph(kF0 + "," + condition + "," + kF0, "0,1", "2",
              node("Scan", R"("n_untraced":1,"graph":)" + graph(kF0, "0", "0", ""), "1,0", "2"))};
    for (const std::string& text : texts) {
      auto session = openText(text, withoutCache());
      QVERIFY(!session);
      QVERIFY(session.error().text().find("$.graph.nodes[0]") != std::string::npos);
    }
  }
  void rootsOfInnerGraphs_data() {
    QTest::addColumn<QString>("op");
    QTest::addColumn<QString>("params");
    QTest::addColumn<int>("rank");
    QTest::newRow("Powell's hybrid method") << "RootOp"
                                            << R"("method":"hybr","jac":false)" << 1;
    QTest::newRow("least squares") << "RootOp"
                                   << R"("method":"lm")" << 1;
    QTest::newRow("a 0-d system") << "RootOp"
                                  << R"("optimizer_kwargs":{"tol":1e-10})" << 0;
    QTest::newRow("secant") << "RootScalarOp"
                            << R"("method":"secant","jac":false)" << 0;
  }
  void rootsOfInnerGraphs() {
    QFETCH(QString, op);
    QFETCH(QString, params);
    QFETCH(int, rank);
    // x^2 = c
    const std::string type = rank > 0 ? kF1 : kF0;
    const std::string body = graph(type + "," + type + "," + type + "," + type, "0,1", "3",
                                   elemwise("sqr", "0", "2") + "," + elemwise("sub", "2,1", "3"));
    const std::string text =
        graph(type + "," + type + "," + type + "," + scalar("bool"), "0,1", "2,3",
              node(op.toStdString(), params.toStdString() + ",\"graph\":" + body, "0,1", "2,3"));
    const std::vector<double> start = rank > 0 ? std::vector<double>{1, 1} : std::vector<double>{1},
                              squares = rank > 0 ? std::vector<double>{4, 9} : std::vector<double>{4},
                              expected = rank > 0 ? std::vector<double>{2, 3} : std::vector<double>{2};
    const std::vector<int64_t> shape(static_cast<size_t>(rank), 2);
    auto found = runText(text, {tensorOf<double>(shape, start), tensorOf<double>(shape, squares)});
    QVERIFY2(found, found ? "" : found.error().text().c_str());
    const std::vector<double> x = elementsOf<double>((*found)[0]);
    for (size_t k = 0; k < expected.size(); ++k) QVERIFY(std::abs(x[k] - expected[k]) < 1e-7);
    QVERIFY(elementsOf<bool>((*found)[1])[0]);
  }
  void aSystemWithTooFewEquationsFails() {
    const std::string body = graph(kF1 + "," + kF0, "0", "1", node("Sum", "\"axis\":[0]", "0", "1"));
    const std::string text = graph(kF1 + "," + kF1 + "," + scalar("bool"), "0", "1,2",
                                   node("RootOp", "\"graph\":" + body, "0", "1,2"));
    auto found = runText(text, {tensorOf<double>({2}, {1, 1})});
    QVERIFY(!found);
    QCOMPARE(found.error().type, std::string("ValueError"));
  }
  void methodsThatAreNotMinpacksAreUnsupported() {
    const std::string body = graph(kF1 + "," + kF1, "0", "1", elemwise("sqr", "0", "1"));
    for (const char* params : {R"("method":"krylov")", R"("optimizer_kwargs":{"callback":1})"}) {
      auto session = openText(graph(kF1 + "," + kF1 + "," + scalar("bool"), "0", "1,2",
                                    node("RootOp", std::string(params) + ",\"graph\":" + body, "0", "1,2")),
                              withoutCache());
      QVERIFY(session);
      QVERIFY(!(*session)->whyNotRunnable().empty());
    }
  }
  void moreAxesThanArraysHaveAreUnsupported() {
    std::string ones = "1";
    for (int axis = 1; axis < 40; ++axis) ones += ",1";
    const std::string type = value("float64", "[" + ones + "]");
    auto session = openText(graph(type + "," + type, "0", "1", elemwise("exp", "0", "1")), withoutCache());
    QVERIFY2(session, session ? "" : session.error().text().c_str());
    QVERIFY((*session)->whyNotRunnable().find("at most 32 axes") != std::string::npos);
  }

  void scanKeepsTheLastRowsInARing() {
    // x_{t} = x_{t-1} + s_t over 4 steps in a buffer of 2 rows: the last two rows, the newest last.
    const std::string body = graph(kF0 + "," + kF0 + "," + kF0, "0,1", "2", elemwise("add", "0,1", "2"));
    const std::string text = graph(value("int64", "[]") + "," + kF1 + "," + kF1 + "," + kF1, "0,1,2", "3",
                                   node("Scan",
                                        "\"n_seqs\":1,\"sit_sot_in\":[[-1]],\"n_nit_sot\":0,\"n_untraced\":0,"
                                        "\"n_non_seqs\":0,\"graph\":" +
                                            body,
                                        "0,1,2", "3"));
    auto out = runText(text, {tensorOf<int64_t>({}, {4}), tensorOf<double>({4}, {1, 2, 3, 4}),
                              tensorOf<double>({2}, {10, 0})});
    QVERIFY2(out, out ? "" : out.error().text().c_str());
    QCOMPARE(elementsOf<double>((*out)[0]), (std::vector<double>{16, 20}));
    auto shortSequence = runText(text, {tensorOf<int64_t>({}, {5}), tensorOf<double>({4}, {1, 2, 3, 4}),
                                        tensorOf<double>({2}, {10, 0})});
    QVERIFY(!shortSequence);
    QCOMPARE(shortSequence.error().type, std::string("ValueError"));
    auto negative = runText(text, {tensorOf<int64_t>({}, {-1}), tensorOf<double>({4}, {1, 2, 3, 4}),
                                   tensorOf<double>({2}, {10, 0})});
    QVERIFY(!negative);
    QCOMPARE(negative.error().type, std::string("IndexError"));
  }

  void statesThatSwapAreReadBeforeTheyAreWritten() {
    const std::string body = graph(kF0 + "," + kF0, "0,1", "1,0", "");
    const std::string text =
        graph(value("int64", "[]") + "," + kF1 + "," + kF1 + "," + kF1 + "," + kF1, "0,1,2", "3,4",
              node("Scan", "\"n_seqs\":0,\"sit_sot_in\":[[-1],[-1]],\"graph\":" + body, "0,1,2", "3,4"));
    auto out =
        runText(text, {tensorOf<int64_t>({}, {3}), tensorOf<double>({1}, {1}), tensorOf<double>({1}, {2})});
    QVERIFY2(out, out ? "" : out.error().text().c_str());
    QCOMPARE(elementsOf<double>((*out)[0])[0], 2.0);
    QCOMPARE(elementsOf<double>((*out)[1])[0], 1.0);
  }

  void aWhileScanCutsWhatItDidNotDo() {
    // Doubles until above 5; 10 steps asked for, 3 done: 2, 4, 8.
    const std::string body =
        graph(kF0 + "," + kF0 + "," + value("bool", "[]") +
                  ",{\"type\":{\"kind\":\"tensor\",\"dtype\":\"float64\",\"shape\":[]},\"const\":{\"dtype\":"
                  "\"float64\",\"shape\":[],\"data\":[5.0]}}",
              "0", "1,2", elemwise("add", "0,0", "1") + "," + elemwise("gt", "1,3", "2"));
    const std::string text =
        graph(value("int64", "[]") + "," + kF1 + "," + kF1, "0,1", "2",
              node("Scan", "\"sit_sot_in\":[[-1]],\"as_while\":true,\"graph\":" + body, "0,1", "2"));
    std::vector<double> buffer(11, 0.0);
    buffer[0] = 1;
    auto out = runText(text, {tensorOf<int64_t>({}, {10}), tensorOf<double>({11}, buffer)});
    QVERIFY2(out, out ? "" : out.error().text().c_str());
    QCOMPARE(elementsOf<double>((*out)[0]), (std::vector<double>{1, 2, 4, 8}));
  }

  void blockwiseRunsTheCoreForEachIndex() {
    const std::string core = graph(kF1 + "," + kF0, "0", "1", node("Sum", "\"axis\":[0]", "0", "1"));
    const std::string text = graph(kF2 + "," + kF1, "0", "1",
                                   node("Blockwise", "\"signature\":\"(n)->()\",\"core\":" + core, "0", "1"));
    auto out = runText(text, {tensorOf<double>({3, 2}, {1, 2, 3, 4, 5, 6})});
    QVERIFY2(out, out ? "" : out.error().text().c_str());
    QCOMPARE(elementsOf<double>((*out)[0]), (std::vector<double>{3, 7, 11}));
    auto empty = runText(text, {tensorOf<double>({0, 2}, {})});
    QVERIFY(empty);
    QCOMPARE((*empty)[0].tensor()->shape, (std::vector<int64_t>{0}));
  }

  void aChangedShapeIsPlannedAgain() {
    auto session = openText(graph(kF1 + "," + kF1 + "," + kF0, "0", "2",
                                  elemwise("exp", "0", "1") + "," + node("Sum", "\"axis\":[0]", "1", "2")),
                            withoutCache());
    QVERIFY(session);
    for (const int64_t n : {3, 1000, 3, 0, 17}) {
      auto out = (*session)->run({tensorOf<double>({n}, std::vector<double>(static_cast<size_t>(n), 0.0))}, 2,
                                 false, {});
      QVERIFY(out);
      QCOMPARE(elementsOf<double>(out->outputs[0])[0], static_cast<double>(n));
    }
  }

  void viewsFollowInputsThatMove() {
    auto session = openText(graph(kF2 + "," + kF2 + "," + kF2, "0", "2",
                                  node("DimShuffle", "\"new_order\":[1,0]", "0", "1", ",\"views\":[[0,0]]") +
                                      "," + elemwise("neg", "1", "2")),
                            withoutCache());
    QVERIFY(session);
    for (double x : {1.0, 2.0, 3.0}) {
      auto out = (*session)->run({tensorOf<double>({1, 2}, {x, 10 * x})}, 1, false, {});
      QVERIFY(out);
      QCOMPARE(elementsOf<double>(out->outputs[0]), (std::vector<double>{-x, -10 * x}));
    }
  }

  void memoryIsSharedByValuesThatNeverMeet() {
    // A chain of 50 vectors needs two buffers and the output's, not 50.
    std::string values = kF1, nodes;
    for (int k = 0; k < 50; ++k) {
      values += "," + kF1;
      nodes += (k ? "," : "") + elemwise("exp", std::to_string(k), std::to_string(k + 1));
    }
    auto session = openText(graph(values, "0", "50", nodes), withoutCache());
    QVERIFY(session);
    const std::vector<double> x(10'000, -1.0);
    QVERIFY((*session)->run({tensorOf<double>({10'000}, x)}, 1, false, {}));
    auto machine = (*session)->machine();
    QVERIFY(machine);
    QVERIFY2((*machine)->bytes() <= 4 * 80'064, qPrintable(QString::number((*machine)->bytes())));
  }

  void inPlaceNodesOverwriteOnlyWhatNobodyReads() {
    // y = exp(x); z = -y in place; y is also an output, so it has to survive.
    const std::string kept =
        graph(kF1 + "," + kF1 + "," + kF1, "0", "1,2",
              elemwise("exp", "0", "1") + "," + elemwise("neg", "1", "2", ",\"destroys\":[[0,0]]"));
    auto out = runText(kept, {tensorOf<double>({2}, {0, 0})});
    QVERIFY(out);
    QCOMPARE(elementsOf<double>((*out)[0]), (std::vector<double>{1, 1}));
    QCOMPARE(elementsOf<double>((*out)[1]), (std::vector<double>{-1, -1}));
    // An input is never overwritten, whatever the file says.
    const std::string input =
        graph(kF1 + "," + kF1, "0", "0,1", elemwise("neg", "0", "1", ",\"destroys\":[[0,0]]"));
    auto same = runText(input, {tensorOf<double>({2}, {3, 4})});
    QVERIFY(same);
    QCOMPARE(elementsOf<double>((*same)[0]), (std::vector<double>{3, 4}));
    const std::string taken =
        graph(kF1 + "," + kF1 + "," + kF1, "0", "2",
              elemwise("exp", "0", "1") + "," + elemwise("neg", "1", "2", ",\"destroys\":[[0,0]]"));
    auto over = runText(taken, {tensorOf<double>({3}, {0, 0, 0})});
    QVERIFY(over);
    QCOMPARE(elementsOf<double>((*over)[0]), (std::vector<double>{-1, -1, -1}));
  }

  void anErrorNamesNodeOpAndShapes() {
    auto bad = runText(graph(kF1 + "," + kF1 + "," + kF1, "0,1", "2", elemwise("add", "0,1", "2")),
                       {tensorOf<double>({2}, {1, 2}), tensorOf<double>({3}, {1, 2, 3})});
    QVERIFY(!bad);
    for (const char* word : {"$.graph.nodes[0]", "Elemwise", "f64[2]", "f64[3]", "ValueError"})
      QVERIFY2(bad.error().text().find(word) != std::string::npos, bad.error().text().c_str());
  }

  void aGeneratedNetworkRuns() {
    SessionSettings settings = withoutCache();
    settings.options.optLevel = 0;
    GraphFile file = generateNetwork(300, 7);
    auto inputs = exampleInputs(file.graph);
    QVERIFY(inputs);
    auto session = Session::open(std::move(file), settings, sharedEngine());
    QVERIFY(session);
    auto out = (*session)->run(*inputs, 2, true, {});
    QVERIFY2(out, out ? "" : out.error().text().c_str());
    for (double v : elementsOf<double>(out->outputs[0])) QVERIFY(std::isfinite(v));
    int64_t calls = 0;
    for (const NodeInfo& info : (*session)->nodes()) calls += (*session)->state(info.index).runCalls;
    QVERIFY(calls >= 600);
  }
};

QTEST_GUILESS_MAIN(TestControl)
#include "tst_control.moc"
