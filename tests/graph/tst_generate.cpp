#include "graph/generate.h"
#include "graph/graph_builder.h"
#include "graph/read_parts.h"
#include "graph/reader.h"
#include "graph/writer.h"

#include <QtTest>

#include <cstring>
#include <set>

using namespace nodewise;

class TestGenerate : public QObject {
  Q_OBJECT
private Q_SLOTS:
  void hasAsManyNodesAsAskedForAndReadsBack_data() {
    QTest::addColumn<int>("nodes");
    for (const int nodes : {0, 1, 2, 3, 5, 8, 13, 100, 1234}) QTest::addRow("%d", nodes) << nodes;
  }
  void hasAsManyNodesAsAskedForAndReadsBack() {
    QFETCH(int, nodes);
    for (uint64_t seed = 0; seed < 5; ++seed) {
      const GraphFile file = generateNetwork(nodes, seed);
      QCOMPARE(file.graph.nodes.size(), static_cast<size_t>(nodes));
      const auto written = toJson(file);
      const auto read = readGraphText(written.dump());
      QVERIFY2(read.ok(), read.ok() ? "" : read.error().text().c_str());
      QVERIFY(toJson(*read) == written);
    }
  }

  void aNegativeNumberGivesNoNodes() { QVERIFY(generateNetwork(-3, 1).graph.nodes.empty()); }

  void everyValueIsUsed() {
    const Graph graph = generateNetwork(2000, 3).graph;
    std::vector<bool> used(graph.values.size());
    for (const Node& node : graph.nodes)
      for (const ValueId id : node.in) used[static_cast<size_t>(id)] = true;
    for (const ValueId id : graph.outputs) used[static_cast<size_t>(id)] = true;
    QVERIFY(std::ranges::find(used, false) == used.end());
  }

  void theSeedDecides() {
    QVERIFY(toJson(generateNetwork(300, 1)) == toJson(generateNetwork(300, 1)));
    QVERIFY(toJson(generateNetwork(300, 1).graph) != toJson(generateNetwork(300, 2).graph));
  }

  void hasScopesBlocksAndInnerGraphs() {
    const Graph graph = generateNetwork(2000, 3).graph;
    std::set<std::string> scopes, withInner;
    for (const Node& node : graph.nodes) {
      QVERIFY(!node.scope.empty());
      QVERIFY(!node.origin.empty());
      scopes.insert(node.scope);
      if (node.inner) withInner.insert(node.op);
    }
    QVERIFY(withInner == (std::set<std::string>{"Elemwise", "OpFromGraph", "Scan"}));
    QVERIFY(std::ranges::any_of(
        scopes, [](const std::string& scope) { return scope.ends_with("block1/attention"); }));
  }

  void exampleInputsFitTheirTypes() {
    GraphBuilder b;
    for (const DTypeRow& row : dtypeTable()) {
      b.input(scalarType(row.dtype));
      b.input(tensorType(row.dtype, {kUnknownLength, 1, 3}));
      b.input({Kind::Sparse, row.dtype, {kUnknownLength, 2}, "csr", {}});
    }
    b.input({Kind::Sparse, DType::Float64, {2, 5}, "csc", {}});
    b.input({Kind::Rng, DType::Float64, {}, "PCG64", {}});
    b.input({Kind::Rng, DType::Float64, {}, "PCG64DXSM", {}});
    b.input({Kind::Rng, DType::Float64, {}, "MT19937", {}});
    b.input({Kind::Slice, DType::Float64, {}, {}, {}});
    b.input({Kind::None, DType::Float64, {}, {}, {}});
    b.input({Kind::Opaque, DType::Float64, {}, "<it>", {}});
    b.input({Kind::List, DType::Float64, {}, {}, std::make_shared<const Type>(scalarType(DType::Int8))});
    const auto inputs = exampleInputs(b.graph);
    QVERIFY2(inputs.ok(), inputs.ok() ? "" : inputs.error().text().c_str());
    QCOMPARE(inputs->size(), b.graph.inputs.size());
    for (size_t i = 0; i < inputs->size(); ++i) {
      const auto again = readData(toJson((*inputs)[i]), "input"); // which checks the structure of sparse ones
      QVERIFY2(again.ok(), again.ok() ? "" : again.error().text().c_str());
      const auto fits = checkFits(b.graph.values[i].type, *again, JsonPath("input"));
      QVERIFY2(fits.ok(), fits.ok() ? "" : fits.error().text().c_str());
    }
  }

  void exampleInputsHaveTheDocumentedNumbers() {
    GraphBuilder b;
    b.input(tensorType(DType::Int64, {}));
    b.input(tensorType(DType::Int8, {kUnknownLength}));
    const auto inputs = exampleInputs(b.graph);
    QVERIFY(inputs.ok());
    QCOMPARE(*(*inputs)[0].tensor()->as<int64_t>(), int64_t{1});
    QVERIFY(std::memcmp((*inputs)[1].tensor()->as<int8_t>(), "\0\1\0\1", 4) == 0);
    QVERIFY((*inputs)[1].tensor()->shape == std::vector<int64_t>{4});
  }

  void inputsTooLargeToMakeUpAreAnError_data() {
    QTest::addColumn<bool>("sparse");
    QTest::newRow("tensor") << false;
    QTest::newRow("sparse") << true;
  }
  void inputsTooLargeToMakeUpAreAnError() {
    QFETCH(bool, sparse);
    GraphBuilder b;
    b.input(tensorType(DType::Int8, {2}));
    Type type = tensorType(DType::Int8, {INT64_MAX, 1});
    if (sparse) type = {Kind::Sparse, DType::Int8, {INT64_MAX, 1}, "csr", {}};
    b.input(type);
    const auto inputs = exampleInputs(b.graph);
    QVERIFY(!inputs.ok());
    QCOMPARE(inputs.error().where, std::string("input 1"));
  }
};

QTEST_APPLESS_MAIN(TestGenerate)
#include "tst_generate.moc"
