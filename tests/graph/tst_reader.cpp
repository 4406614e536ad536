#include "base/file.h"
#include "graph/read_parts.h"
#include "graph/reader.h"

#include <QtTest>

using namespace nodewise;
using nlohmann::json;

namespace {

/// w <- w - exp(x) / 2, as two nodes of which one has an inner graph, with a case that gave a result and one
/// that raised.
constexpr const char* kFile = R"({
  "format": "nodewise-graph", "version": 1, "name": "step", "source": "by hand",
  "producer": {"name": "pytensor", "version": "3.0"},
  "graph": {
    "values": [
      {"type": {"kind": "tensor", "dtype": "float64", "shape": [null]}, "name": "x"},
      {"type": {"kind": "tensor", "dtype": "float64", "shape": [3]}, "name": "w", "shared": true},
      {"type": {"kind": "tensor", "dtype": "float64", "shape": [1]}, "const": {"dtype": "float64", "shape": [1], "data": [0.5]}},
      {"type": {"kind": "tensor", "dtype": "float64", "shape": [null]}},
      {"type": {"kind": "tensor", "dtype": "float64", "shape": [3]}}
    ],
    "inputs": [0, 1],
    "outputs": [4, 3, 0, 2],
    "nodes": [
      {"op": "Elemwise", "in": [0, 2], "out": [3], "name": "half", "scope": "a/b", "origin": "m.py:1", "views": [],
       "params": {"scalar_op": "composite", "graph": {
         "values": [{"type": {"kind": "scalar", "dtype": "float64"}}, {"type": {"kind": "scalar", "dtype": "float64"}},
                    {"type": {"kind": "scalar", "dtype": "float64"}}, {"type": {"kind": "scalar", "dtype": "float64"}}],
         "inputs": [0, 1], "outputs": [3],
         "nodes": [{"op": "exp", "in": [0], "out": [2]}, {"op": "mul", "in": [2, 1], "out": [3]}]}}},
      {"op": "Elemwise", "in": [1, 3], "out": [4], "params": {"scalar_op": "sub"}, "destroys": [[0, 1]]}
    ],
    "updates": [[1, 0]]
  },
  "cases": [
    {"inputs": [{"dtype": "float64", "shape": [3], "data": [0, 0, 0]}, {"dtype": "float64", "shape": [3], "data": [1, 1, 1]}],
     "outputs": [{"dtype": "float64", "shape": [3], "data": [0.5, 0.5, 0.5]}, {"dtype": "float64", "shape": [3], "data": [0.5, 0.5, 0.5]},
                 {"dtype": "float64", "shape": [3], "data": [0, 0, 0]}, {"dtype": "float64", "shape": [1], "data": [0.5]}],
     "rtol": 1e-6, "atol": 0, "random": true},
    {"inputs": [{"dtype": "float64", "shape": [2], "data": [0, 0]}, {"dtype": "float64", "shape": [3], "data": [1, 1, 1]}],
     "raises": {"type": "ValueError", "message": "lengths"}}
  ]
})";

/// kFile with the value at `pointer` replaced (or added); without a value: removed.
std::string changed(const QByteArray& pointer, const QByteArray& value) {
  json patch{{"op", value.isEmpty() ? "remove" : "add"}, {"path", pointer.toStdString()}};
  if (!value.isEmpty()) patch["value"] = json::parse(value.toStdString());
  json file = json::parse(kFile);
  // "add" to a list inserts; a changed element takes the place of the old one.
  const json::json_pointer place(pointer.toStdString());
  if (!value.isEmpty() && !place.empty() && file.contains(place)) patch["op"] = "replace";
  return file.patch(json::array({patch})).dump();
}

std::string nestedGraphs(int count) {
  std::string graph = R"({"values":[],"inputs":[],"outputs":[],"nodes":[]})";
  for (int i = 1; i < count; ++i)
    graph =
        R"({"values":[],"inputs":[],"outputs":[],"nodes":[{"op":"OpFromGraph","in":[],"out":[],"params":{"graph":)" +
        graph + "}}]}";
  return R"({"format":"nodewise-graph","version":1,"graph":)" + graph + "}";
}

} // namespace

class TestReader : public QObject {
  Q_OBJECT
private Q_SLOTS:
  void readsEveryField() {
    const auto file = readGraphText(kFile, "step.nwg.json");
    QVERIFY2(file.ok(), file.ok() ? "" : file.error().text().c_str());
    QCOMPARE(file->path, std::string("step.nwg.json"));
    QCOMPARE(file->name, std::string("step"));
    QCOMPARE(file->source, std::string("by hand"));
    QCOMPARE(file->producerName, std::string("pytensor"));
    QCOMPARE(file->producerVersion, std::string("3.0"));
    const Graph& graph = file->graph;
    QCOMPARE(graph.values.size(), size_t{5});
    QCOMPARE(graph.values[0].name, std::string("x"));
    QVERIFY(graph.values[1].shared);
    QVERIFY(!graph.values[0].shared);
    QVERIFY(graph.values[2].constant != nullptr);
    QCOMPARE(*graph.values[2].constant->tensor()->as<double>(), 0.5);
    QVERIFY(graph.inputs == (std::vector<ValueId>{0, 1}));
    QVERIFY(graph.outputs == (std::vector<ValueId>{4, 3, 0, 2}));
    QVERIFY((graph.updates == std::vector<std::pair<int, int>>{{1, 0}}));
  }

  void readsNodes() {
    const auto file = readGraphText(kFile);
    QVERIFY(file.ok());
    const Node &half = file->graph.nodes.at(0), &step = file->graph.nodes.at(1);
    QCOMPARE(half.op, std::string("Elemwise"));
    QCOMPARE(half.name, std::string("half"));
    QCOMPARE(half.scope, std::string("a/b"));
    QCOMPARE(half.origin, std::string("m.py:1"));
    QVERIFY(half.in == (std::vector<ValueId>{0, 2}));
    QVERIFY(half.out == std::vector<ValueId>{3});
    QVERIFY((step.destroys == std::vector<std::pair<int, int>>{{0, 1}}));
    QVERIFY(step.views.empty());
    QVERIFY(step.inner == nullptr);
    QCOMPARE(step.params.dump(), std::string(R"({"scalar_op":"sub"})"));
  }

  void takesInnerGraphsOutOfTheParams() {
    const auto file = readGraphText(kFile);
    QVERIFY(file.ok());
    const Node& half = file->graph.nodes.at(0);
    QCOMPARE(half.params.dump(), std::string(R"({"scalar_op":"composite"})"));
    QVERIFY(half.inner != nullptr);
    QCOMPARE(half.inner->nodes.at(1).op, std::string("mul"));
    QCOMPARE(innerPath("$.graph", 0, half), std::string("$.graph.nodes[0].params.graph"));
  }

  void theInnerGraphOfBlockwiseIsItsCore() {
    json file = json::parse(kFile);
    json& node = file["graph"]["nodes"][0];
    node["op"] = "Blockwise";
    node["params"]["core"] = node["params"]["graph"];
    node["params"].erase("graph");
    const auto read = readGraphText(file.dump());
    QVERIFY(read.ok());
    QVERIFY(read->graph.nodes[0].inner != nullptr);
    QVERIFY(!read->graph.nodes[0].params.contains("core"));
    QCOMPARE(innerPath("$.graph", 0, read->graph.nodes[0]), std::string("$.graph.nodes[0].params.core"));
  }

  void paramsOfUnknownOpsMayBeCalledGraph() {
    json file = json::parse(kFile);
    json& node = file["graph"]["nodes"][1];
    node["op"] = "Mystery";
    node["params"] = {{"graph", "bar chart"}, {"core", 3}, {"repr", "Mystery{}"}};
    const auto read = readGraphText(file.dump());
    QVERIFY(read.ok());
    QVERIFY(read->graph.nodes[1].params == node["params"]);
    QVERIFY(read->graph.nodes[1].inner == nullptr);
  }

  void readsCases() {
    const auto file = readGraphText(kFile);
    QVERIFY(file.ok());
    const Case &gave = file->cases.at(0), &raised = file->cases.at(1);
    QCOMPARE(gave.inputs.size(), size_t{2});
    QCOMPARE(gave.outputs.size(), size_t{4});
    QVERIFY(gave.rtol == 1e-6);
    QVERIFY(gave.atol == 0.0);
    QVERIFY(gave.random);
    QVERIFY(gave.raisesType.empty());
    QCOMPARE(raised.raisesType, std::string("ValueError"));
    QCOMPARE(raised.raisesMessage, std::string("lengths"));
    QVERIFY(raised.outputs.empty());
    QVERIFY(!raised.rtol);
  }

  void accepts_data() {
    QTest::addColumn<QByteArray>("pointer");
    QTest::addColumn<QByteArray>("value");
    QTest::newRow("unknown key of the file") << QByteArray("/comment") << QByteArray("{\"a\":[null]}");
    QTest::newRow("unknown key of a value") << QByteArray("/graph/values/0/unit") << QByteArray("1");
    QTest::newRow("unknown key of a node") << QByteArray("/graph/nodes/0/cost") << QByteArray("1");
    QTest::newRow("unknown key of a case") << QByteArray("/cases/0/note") << QByteArray("1");
    QTest::newRow("no cases") << QByteArray("/cases") << QByteArray();
    QTest::newRow("no producer") << QByteArray("/producer") << QByteArray();
    QTest::newRow("no name") << QByteArray("/name") << QByteArray();
    QTest::newRow("no params") << QByteArray("/graph/nodes/1/params") << QByteArray();
    QTest::newRow("unknown op") << QByteArray("/graph/nodes/1/op") << QByteArray("\"Mystery\"");
    QTest::newRow("no outputs, no cases") << QByteArray("/graph/nodes/1/views") << QByteArray("[[0,0]]");
    QTest::newRow("recorded output longer than declared")
        << QByteArray("/cases/0/outputs/0")
        << QByteArray(R"({"dtype":"float64","shape":[4],"data":[1,2,3,4]})");
  }
  void accepts() {
    QFETCH(QByteArray, pointer);
    QFETCH(QByteArray, value);
    const auto file = readGraphText(changed(pointer, value));
    QVERIFY2(file.ok(), file.ok() ? "" : file.error().text().c_str());
  }

  void refuses_data() {
    QTest::addColumn<QByteArray>("pointer");
    QTest::addColumn<QByteArray>("value");
    QTest::addColumn<QString>("path");
    QTest::addColumn<QString>("words");
    const auto row = [](const char* name, const char* pointer, const char* value, const char* path,
                        const char* words) {
      QTest::newRow(name) << QByteArray(pointer) << QByteArray(value) << path << words;
    };
    // File
    row("no object", "", "[]", "$", "a graph file (a JSON object)");
    row("no format", "/format", "", "$", "the key \"format\"");
    row("other format", "/format", "\"onnx\"", "$.format", "\"nodewise-graph\", found the text \"onnx\"");
    row("no version", "/version", "", "$", "the key \"version\"");
    row("version 0", "/version", "0", "$.version", "a version number from 1");
    row("newer version", "/version", "2", "$.version", "at most version 1, found 2");
    row("version text", "/version", "\"1\"", "$.version", "the text \"1\"");
    row("name no text", "/name", "7", "$.name", "text, found 7");
    row("source no text", "/source", "null", "$.source", "text, found null");
    row("producer text", "/producer", "\"pytensor\"", "$.producer", "a producer (a JSON object)");
    row("producer version", "/producer/version", "3", "$.producer.version", "text, found 3");
    row("no graph", "/graph", "", "$", "the key \"graph\"");
    row("graph list", "/graph", "[1]", "$.graph", "a graph (a JSON object), found a list of 1");
    row("cases object", "/cases", "{}", "$.cases", "a list of cases");
    // Graph
    row("no values", "/graph/values", "", "$.graph", "the key \"values\"");
    row("no inputs", "/graph/inputs", "", "$.graph", "the key \"inputs\"");
    row("no outputs", "/graph/outputs", "", "$.graph", "the key \"outputs\"");
    row("no nodes", "/graph/nodes", "", "$.graph", "the key \"nodes\"");
    row("values object", "/graph/values", "{}", "$.graph.values", "a list of values");
    row("inputs number", "/graph/inputs", "0", "$.graph.inputs", "a list of inputs, found 0");
    row("input id too large", "/graph/inputs/1", "5", "$.graph.inputs[1]", "a value id from 0 to 4, found 5");
    row("input id negative", "/graph/inputs/1", "-1", "$.graph.inputs[1]", "found -1");
    row("input id fractional", "/graph/inputs/1", "1.0", "$.graph.inputs[1]", "found 1.0");
    row("input id text", "/graph/inputs/1", "\"x\"", "$.graph.inputs[1]", "the text \"x\"");
    row("input id huge", "/graph/inputs/1", "18446744073709551615", "$.graph.inputs[1]",
        "found 18446744073709551615");
    row("input twice", "/graph/inputs/1", "0", "$.graph.inputs[1]", "value 0 is inputs[0] already");
    row("input a constant", "/graph/inputs/1", "2", "$.graph.inputs[1]", "value 2 is a constant already");
    row("output id too large", "/graph/outputs/2", "5", "$.graph.outputs[2]",
        "a value id from 0 to 4, found 5");
    row("value without origin", "/graph/values/5", R"({"type":{"kind":"none"}})", "$.graph.values[5]",
        "no input, no constant and no node's output");
    row("updates object", "/graph/updates", "{}", "$.graph.updates", "a list of pairs");
    row("update of one", "/graph/updates/0", "[1]", "$.graph.updates[0]",
        "[input's value id, output position], found a list of 1");
    row("update of no input", "/graph/updates/0", "[2,0]", "$.graph.updates[0]",
        "the id of an input, but value 2 is a constant");
    row("update id too large", "/graph/updates/0", "[5,0]", "$.graph.updates[0][0]", "from 0 to 4");
    row("update output too large", "/graph/updates/0", "[1,4]", "$.graph.updates[0][1]",
        "an output position from 0 to 3, found 4");
    row("input updated twice", "/graph/updates", "[[1,0],[1,0]]", "$.graph.updates[1]", "value 1 has two");
    row("update of another type", "/graph/values/1/type",
        R"({"kind":"tensor","dtype":"float32","shape":[null]})", "$.graph.updates[0]",
        "the input's type, f32[?], found f64[3]");
    // Value, Type, Data within a graph
    row("value no object", "/graph/values/0", "null", "$.graph.values[0]",
        "a value (a JSON object), found null");
    row("value without type", "/graph/values/0/type", "", "$.graph.values[0]", "the key \"type\"");
    row("type wrong", "/graph/values/0/type/dtype", "\"real\"", "$.graph.values[0].type.dtype",
        "one of bool");
    row("value name", "/graph/values/0/name", "[]", "$.graph.values[0].name", "text");
    row("shared text", "/graph/values/1/shared", "\"yes\"", "$.graph.values[1].shared", "true or false");
    row("shared constant", "/graph/values/2/shared", "true", "$.graph.values[2].shared", "on inputs only");
    row("shared result", "/graph/values/3/shared", "true", "$.graph.values[3].shared", "on inputs only");
    row("constant wrong", "/graph/values/2/const/data/0", "\"x\"", "$.graph.values[2].const.data[0]",
        "a number");
    row("constant dtype", "/graph/values/2/const/dtype", "\"float32\"", "$.graph.values[2].const",
        "data of type f64[1], found f32[1]");
    row("constant length", "/graph/values/2/type/shape/0", "2", "$.graph.values[2].const",
        "data of type f64[2], found f64[1]");
    row("constant rank", "/graph/values/2/type/shape", "[]", "$.graph.values[2].const",
        "data of type f64[], found f64[1]");
    row("constant kind", "/graph/values/2/const", "{\"none\":true}", "$.graph.values[2].const",
        "data of type f64[1], found none data");
    row("constant opaque", "/graph/values/2/const", "{\"opaque\":\"x\"}", "$.graph.values[2].const",
        "found opaque data");
    row("constant of a node's output", "/graph/values/3/const",
        R"({"dtype":"float64","shape":[1],"data":[1]})", "$.graph.nodes[0].out[0]",
        "value 3 is a constant already");
    // Node
    row("node no object", "/graph/nodes/0", "[]", "$.graph.nodes[0]", "a node (a JSON object)");
    row("no op", "/graph/nodes/0/op", "", "$.graph.nodes[0]", "the key \"op\"");
    row("empty op", "/graph/nodes/0/op", "\"\"", "$.graph.nodes[0].op", "text that is not empty");
    row("op number", "/graph/nodes/0/op", "1", "$.graph.nodes[0].op", "found 1");
    row("no in", "/graph/nodes/0/in", "", "$.graph.nodes[0]", "the key \"in\"");
    row("no out", "/graph/nodes/0/out", "", "$.graph.nodes[0]", "the key \"out\"");
    row("in too large", "/graph/nodes/0/in/1", "9", "$.graph.nodes[0].in[1]",
        "a value id from 0 to 4, found 9");
    row("in of a later node", "/graph/nodes/0/in/1", "4", "$.graph.nodes[0].in[1]", "topological order");
    row("in of itself", "/graph/nodes/0/in/1", "3", "$.graph.nodes[0].in[1]", "topological order");
    row("out twice", "/graph/nodes/1/out/0", "3", "$.graph.nodes[1].out[0]",
        "value 3 is an output of nodes[0] already");
    row("out an input", "/graph/nodes/1/out/0", "0", "$.graph.nodes[1].out[0]",
        "value 0 is inputs[0] already");
    row("params list", "/graph/nodes/1/params", "[]", "$.graph.nodes[1].params",
        "parameters (a JSON object)");
    row("node name", "/graph/nodes/1/name", "1", "$.graph.nodes[1].name", "text");
    row("node scope", "/graph/nodes/1/scope", "[\"a\"]", "$.graph.nodes[1].scope", "text");
    row("node origin", "/graph/nodes/1/origin", "12", "$.graph.nodes[1].origin", "text");
    row("destroys of no pair", "/graph/nodes/1/destroys/0", "0", "$.graph.nodes[1].destroys[0]",
        "[output position, input position], found 0");
    row("destroys output", "/graph/nodes/1/destroys/0", "[1,0]", "$.graph.nodes[1].destroys[0][0]",
        "an output position from 0 to 0, found 1");
    row("destroys input", "/graph/nodes/1/destroys/0", "[0,2]", "$.graph.nodes[1].destroys[0][1]",
        "an input position from 0 to 1, found 2");
    row("views input", "/graph/nodes/1/views", "[[0,-1]]", "$.graph.nodes[1].views[0][1]", "found -1");
    row("inner graph missing parts", "/graph/nodes/0/params/graph/values", "",
        "$.graph.nodes[0].params.graph", "the key \"values\"");
    row("inner graph number", "/graph/nodes/0/params/graph", "3", "$.graph.nodes[0].params.graph",
        "a graph (a JSON object), found 3");
    row("inner node", "/graph/nodes/0/params/graph/nodes/1/in/0", "3",
        "$.graph.nodes[0].params.graph.nodes[1].in[0]", "topological order");
    // Case
    row("case no object", "/cases/1", "1", "$.cases[1]", "a case (a JSON object)");
    row("case without inputs", "/cases/0/inputs", "", "$.cases[0]", "the key \"inputs\"");
    row("too few inputs", "/cases/0/inputs/1", "", "$.cases[0].inputs",
        "2, one for each of the graph's inputs, found 1");
    row("too few outputs", "/cases/0/outputs/3", "", "$.cases[0].outputs",
        "4, one for each of the graph's outputs, found 3");
    row("outputs and raises", "/cases/0/raises", "{\"type\":\"ValueError\"}", "$.cases[0]",
        "\"outputs\" and \"raises\", found both");
    row("neither outputs nor raises", "/cases/1/raises", "", "$.cases[1]",
        "\"outputs\" and \"raises\", found neither");
    row("raises text", "/cases/1/raises", "\"ValueError\"", "$.cases[1].raises",
        "what was raised (a JSON object)");
    row("raises no type", "/cases/1/raises/type", "", "$.cases[1].raises", "the key \"type\"");
    row("raises message", "/cases/1/raises/message", "1", "$.cases[1].raises.message", "text");
    row("input dtype", "/cases/0/inputs/0/dtype", "\"int64\"", "$.cases[0].inputs[0]",
        "data of type f64[?], found i64[3]");
    row("input rank", "/cases/0/inputs/0/shape", "[3,1]", "$.cases[0].inputs[0]", "found f64[3,1]");
    row("input length", "/cases/0/inputs/1", R"({"dtype":"float64","shape":[2],"data":[1,1]})",
        "$.cases[0].inputs[1]", "data of type f64[3], found f64[2]");
    row("output dtype", "/cases/0/outputs/1/dtype", "\"float32\"", "$.cases[0].outputs[1]",
        "data of type f64[?], found f32[3]");
    row("output rank", "/cases/0/outputs/1/shape", "[3,1]", "$.cases[0].outputs[1]", "found f64[3,1]");
    row("output element", "/cases/0/outputs/1/data/2", "null", "$.cases[0].outputs[1].data[2]", "a number");
    row("rtol text", "/cases/0/rtol", "\"tight\"", "$.cases[0].rtol", "a number from 0");
    row("atol negative", "/cases/0/atol", "-1e-9", "$.cases[0].atol", "a number from 0, found -1e-09");
    row("random number", "/cases/0/random", "1", "$.cases[0].random", "true or false, found 1");
  }
  void refuses() {
    QFETCH(QByteArray, pointer);
    QFETCH(QByteArray, value);
    QFETCH(QString, path);
    QFETCH(QString, words);
    const auto file = readGraphText(changed(pointer, value), "bad.json");
    QVERIFY(!file.ok());
    QCOMPARE(QString::fromStdString(file.error().where), "bad.json: " + path);
    QVERIFY2(QString::fromStdString(file.error().what).contains(words), file.error().what.c_str());
  }

  void fitsEveryKind_data() {
    QTest::addColumn<QByteArray>("type");
    QTest::addColumn<QByteArray>("data");
    QTest::addColumn<bool>("fits");
    const auto row = [](const char* name, const char* type, const char* data, bool fits) {
      QTest::newRow(name) << QByteArray(type) << QByteArray(data) << fits;
    };
    constexpr const char *scalar = R"({"kind":"scalar","dtype":"int8"})", *rng = R"({"kind":"rng"})";
    constexpr const char* other = R"({"kind":"rng","bit_generator":"MT19937"})";
    constexpr const char* state =
        R"({"rng":{"bit_generator":"PCG64","state":"1","inc":"1","has_uint32":0,"uinteger":0}})";
    constexpr const char *list = R"({"kind":"list","elem":{"kind":"scalar","dtype":"int8"}})",
                         *opaque = R"({"opaque":"x"})";
    constexpr const char* sparse =
        R"({"sparse":{"format":"csr","shape":[1,2],"data":{"dtype":"int8","shape":[0],"data":[]},"indices":{"dtype":"int32","shape":[0],"data":[]},"indptr":{"dtype":"int32","shape":[2],"data":[0,0]}}})";
    row("scalar", scalar, R"({"dtype":"int8","shape":[],"data":[1]})", true);
    row("scalar with an axis", scalar, R"({"dtype":"int8","shape":[1],"data":[1]})", false);
    row("generator", rng, state, true);
    row("generator of another kind", other, state, false);
    row("opaque generator", other, opaque, true);
    row("slice", R"({"kind":"slice"})", R"({"slice":[null,null,null]})", true);
    row("slice none", R"({"kind":"slice"})", R"({"none":true})", false);
    row("none", R"({"kind":"none"})", R"({"none":true})", true);
    row("list", list, R"({"list":[{"dtype":"int8","shape":[],"data":[1]}]})", true);
    row("list of others", list, R"({"list":[{"dtype":"int16","shape":[],"data":[1]}]})", false);
    row("sparse", R"({"kind":"sparse","format":"csr","dtype":"int8","shape":[null,2]})", sparse, true);
    row("sparse format", R"({"kind":"sparse","format":"csc","dtype":"int8","shape":[null,2]})", sparse,
        false);
    row("sparse dtype", R"({"kind":"sparse","format":"csr","dtype":"int16","shape":[null,2]})", sparse,
        false);
    row("sparse length", R"({"kind":"sparse","format":"csr","dtype":"int8","shape":[null,3]})", sparse,
        false);
    row("sparse dense", R"({"kind":"sparse","format":"csr","dtype":"int8","shape":[null,2]})",
        R"({"dtype":"int8","shape":[1,2],"data":[0,0]})", false);
    row("anything opaque", R"({"kind":"opaque"})", state, true);
  }
  void fitsEveryKind() {
    QFETCH(QByteArray, type);
    QFETCH(QByteArray, data);
    QFETCH(bool, fits);
    const json file{
        {"format", "nodewise-graph"},
        {"version", 1},
        {"graph",
         {{"values",
           {{{"type", json::parse(type.toStdString())}, {"const", json::parse(data.toStdString())}}}},
          {"inputs", json::array()},
          {"outputs", {0}},
          {"nodes", json::array()}}}};
    const auto read = readGraphText(file.dump());
    QCOMPARE(read.ok(), fits);
    if (!fits) QVERIFY(read.error().where.starts_with("$.graph.values[0].const"));
  }

  void aNewerVersionSaysWhatToDo() {
    QVERIFY(readGraphText(changed("/version", "2")).error().remedy.find("newer") != std::string::npos);
  }

  void graphsNestAsDeepAsTheLimitAndNoDeeper() {
    QVERIFY(readGraphText(nestedGraphs(kDeepestGraph)).ok());
    const auto deeper = readGraphText(nestedGraphs(kDeepestGraph + 1));
    QVERIFY(!deeper.ok());
    QVERIFY(deeper.error().what.find("at most 64 deep") != std::string::npos);
    QVERIFY(deeper.error().where.starts_with("$.graph.nodes[0].params.graph.nodes[0]"));
  }

  void brokenTextSaysFileLineAndColumn() {
    const auto file = readGraphText("{\n  \"format\" \"nodewise-graph\"}", "bad.json");
    QVERIFY(!file.ok());
    QVERIFY2(file.error().where.starts_with("bad.json: line 2, column"), file.error().where.c_str());
  }

  void everyPieceOfAFileIsReadOrRefusedWithAReason() {
    const std::string text = json::parse(kFile).dump();
    for (size_t n = 0; n < text.size(); ++n) {
      const auto file = readGraphText(text.substr(0, n), "cut.json");
      QVERIFY(!file.ok());
      QVERIFY(file.error().where.starts_with("cut.json"));
    }
  }

  void readsFromAFileAndNamesItInErrors() {
    const QTemporaryDir folder;
    const std::string path = folder.filePath(QStringLiteral("a.nwg.json")).toStdString();
    QVERIFY(writeFile(path, kFile).ok());
    const auto good = readGraphFile(path);
    QVERIFY(good.ok());
    QCOMPARE(good->path, path);
    QVERIFY(writeFile(path, changed("/graph/inputs/1", "5")).ok());
    QCOMPARE(readGraphFile(path).error().where, path + ": $.graph.inputs[1]");
    QVERIFY(readGraphFile(folder.path().toStdString()).error().what.find("folder") != std::string::npos);
    QVERIFY(!readGraphFile(path + ".missing").ok());
  }
};

QTEST_APPLESS_MAIN(TestReader)
#include "tst_reader.moc"
