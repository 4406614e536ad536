#include "graph/dot.h"
#include "graph/graph_builder.h"

#include <QtTest>

using namespace nodewise;

namespace {

const Type kVector = tensorType(DType::Float64, {kUnknownLength});

/// exp(x) + 1, with texts that a careless writer trips over.
Graph sample() {
  GraphBuilder b;
  const ValueId x = b.input(kVector, "x \"quoted\" \\N <b> &amp; {a|b} \xC3\xA9");
  const ValueId one = b.integer(1);
  const ValueId power = b.apply("Elemwise", {x}, kVector, {{"scalar_op", "exp"}});
  b.lastNode().scope = "net/\"first\"";
  b.graph.outputs = {b.apply("Add\nto", {power, one}, kVector), x};
  b.lastNode().name = "sum]; evil [label=\"";
  b.lastNode().scope = "net";
  return std::move(b.graph);
}

/// What dot says of the text: empty if it draws it without a complaint.
QString complaints(const std::string& text) {
#ifdef NODEWISE_DOT
  QProcess dot;
  dot.start(QStringLiteral(NODEWISE_DOT), {QStringLiteral("-Tsvg")});
  dot.write(text.data(), static_cast<qint64>(text.size()));
  dot.closeWriteChannel();
  if (!dot.waitForFinished()) return QStringLiteral("dot did not finish");
  const QString errors = QString::fromUtf8(dot.readAllStandardError());
  return dot.exitCode() == 0 ? errors : errors + QStringLiteral("exit %1").arg(dot.exitCode());
#else
  Q_UNUSED(text)
  return QStringLiteral("dot is not there");
#endif
}

} // namespace

class TestDot : public QObject {
  Q_OBJECT
private Q_SLOTS:
  void namesNodesValuesAndOutputs() {
    const std::string text = toDot(sample());
    for (const char* piece : {"n0 [", "n1 [", "v0 [", "v1 [", "o0 [", "o1 [", "v0 -> n0", "n0 -> n1",
                              "v1 -> n1", "n1 -> o0", "v0 -> o1", "f64[?]", "Elemwise exp"})
      QVERIFY2(text.find(piece) != std::string::npos, piece);
  }

  void leavesOutValuesWhenAsked() {
    const std::string text = toDot(sample(), {.values = false, .nodeAttributes = {}});
    QVERIFY(text.find("n0 -> n1") != std::string::npos);
    for (const char* piece : {"v0", "v1", "o0", "o1"}) QVERIFY2(text.find(piece) == std::string::npos, piece);
  }

  void leavesOutEdgeLabelsWhenAsked() {
    const std::string text = toDot(sample(), {.values = false, .edgeLabels = false, .nodeAttributes = {}});
    QVERIFY(text.find("n0 -> n1;") != std::string::npos);
    QVERIFY(text.find("f64") == std::string::npos);
  }

  void putsScopesInClusters() {
    const std::string text = toDot(sample(), {.clusters = true, .nodeAttributes = {}});
    QVERIFY(text.find("subgraph cluster_0") != std::string::npos);
    QVERIFY(text.find("subgraph cluster_1") != std::string::npos);
    QVERIFY(text.find("label=\"net/\\\"first\\\"\"") != std::string::npos);
  }

  void addsAttributesOfNodes() {
    const auto color = [](size_t i) { return i == 1 ? std::string("fillcolor=\"#009E73\"") : std::string(); };
    const std::string text = toDot(sample(), {.nodeAttributes = color});
    const size_t second = text.find("  n1 [");
    QVERIFY(text.find("#009E73") > second);
    QVERIFY(text.find("#009E73") < text.find('\n', second));
  }

  void escapesWhatHasAMeaningInLabels() {
    const std::string text = toDot(sample());
    QVERIFY(text.find("x \\\"quoted\\\" \\\\N <b> &amp;amp; {a|b} \xC3\xA9") != std::string::npos);
    QVERIFY(text.find("sum]; evil [label=\\\"\\nAdd\\nto") != std::string::npos);
  }

  void dotDrawsIt_data() {
    QTest::addColumn<bool>("values");
    QTest::addColumn<bool>("clusters");
    QTest::newRow("plain") << true << false;
    QTest::newRow("clusters") << true << true;
    QTest::newRow("nodes only") << false << true;
  }
  void dotDrawsIt() {
#ifndef NODEWISE_DOT
    QSKIP("Graphviz' dot was not found when this was built");
#endif
    QFETCH(bool, values);
    QFETCH(bool, clusters);
    QCOMPARE(complaints(toDot(sample(), {.values = values, .clusters = clusters, .nodeAttributes = {}})),
             QString());
    QCOMPARE(complaints(toDot(Graph{})), QString());
  }

  void controlCharactersAndBrokenUtf8AreReplaced() {
#ifndef NODEWISE_DOT
    QSKIP("Graphviz' dot was not found when this was built");
#endif
    GraphBuilder b;
    b.input(kVector, "a\x01\t\r\x7F b\xFF\xC3");
    QCOMPARE(complaints(toDot(b.graph)), QString());
  }
};

QTEST_APPLESS_MAIN(TestDot)
#include "tst_dot.moc"
