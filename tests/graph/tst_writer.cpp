#include "graph/reader.h"
#include "graph/writer.h"

#include <QtTest>

#include <cmath>
#include <cstring>
#include <limits>

using namespace nodewise;
using nlohmann::json;

namespace {

template <class T> Tensor tensor(DType dtype, const std::vector<T>& elements) {
  Tensor t{
      dtype, {static_cast<int64_t>(elements.size())}, std::vector<std::byte>(elements.size() * sizeof(T))};
  if (isComplex(dtype)) t.shape[0] /= 2;
  std::memcpy(t.bytes.data(), elements.data(), t.bytes.size());
  return t;
}

template <class T> std::vector<T> extremes() {
  using Limits = std::numeric_limits<T>;
  if constexpr (Limits::is_integer)
    return {Limits::min(), T{0}, T{1}, Limits::max()};
  else
    return {Limits::lowest(),
            Limits::max(),
            Limits::min(),
            Limits::denorm_min(),
            -T{0},
            T{1} / T{3},
            T{0.1F},
            Limits::infinity(),
            -Limits::infinity(),
            Limits::epsilon(),
            std::nextafter(T{1}, T{0}),
            T{1e22F}};
}

struct Sample {
  const char* name;
  Tensor tensor;
};

std::vector<Sample> samples() {
  std::vector<uint16_t> halves{0x0000, 0x8000, 0x0001, 0x03FF, 0x0400,
                               0x3555, 0x7BFF, 0xFBFF, 0x7C00, 0xFC00};
  return {{"bool", tensor<uint8_t>(DType::Bool, {0, 1, 1})},
          {"int8", tensor(DType::Int8, extremes<int8_t>())},
          {"int16", tensor(DType::Int16, extremes<int16_t>())},
          {"int32", tensor(DType::Int32, extremes<int32_t>())},
          {"int64", tensor(DType::Int64, extremes<int64_t>())},
          {"uint8", tensor(DType::UInt8, extremes<uint8_t>())},
          {"uint16", tensor(DType::UInt16, extremes<uint16_t>())},
          {"uint32", tensor(DType::UInt32, extremes<uint32_t>())},
          {"uint64", tensor(DType::UInt64, extremes<uint64_t>())},
          {"float16", tensor(DType::Float16, halves)},
          {"float32", tensor(DType::Float32, extremes<float>())},
          {"float64", tensor(DType::Float64, extremes<double>())},
          {"complex64", tensor(DType::Complex64, extremes<float>())},
          {"complex128", tensor(DType::Complex128, extremes<double>())}};
}

/// Through text, as files go.
Result<Data> throughText(const Data& data) { return readData(json::parse(toJson(data).dump()), "$"); }

} // namespace

class TestWriter : public QObject {
  Q_OBJECT
private Q_SLOTS:
  void everyElementComesBackBitByBit_data() {
    QTest::addColumn<int>("sample");
    for (int i = 0; const Sample& sample : samples()) QTest::newRow(sample.name) << i++;
  }
  void everyElementComesBackBitByBit() {
    QFETCH(int, sample);
    const Tensor original = samples()[static_cast<size_t>(sample)].tensor;
    const auto flat = throughText(Data{original});
    QVERIFY2(flat.ok(), flat.ok() ? "" : flat.error().text().c_str());
    QVERIFY(toJson(Data{original}).contains("data"));
    QVERIFY(flat->tensor()->dtype == original.dtype);
    QVERIFY(flat->tensor()->shape == original.shape);
    QVERIFY(flat->tensor()->bytes == original.bytes);

    Tensor large = original; // more than 16 elements: as bytes
    for (int i = 0; i < 10; ++i)
      large.bytes.insert(large.bytes.end(), original.bytes.begin(), original.bytes.end());
    large.shape = {11, original.shape[0]};
    QVERIFY(toJson(Data{large}).contains("b64"));
    const auto bytes = throughText(Data{large});
    QVERIFY(bytes.ok());
    QVERIFY(bytes->tensor()->shape == large.shape);
    QVERIFY(bytes->tensor()->bytes == large.bytes);
  }

  void notANumberIsAWord() {
    const json written = toJson(Data{tensor<double>(DType::Float64, {std::nan(""), 1})});
    QCOMPARE(written["data"].dump(), std::string(R"(["nan",1.0])"));
    QVERIFY(std::isnan(
        *throughText(Data{tensor<double>(DType::Float64, {std::nan("")})})->tensor()->as<double>()));
  }

  void sixteenElementsAreFlatAndSeventeenAreNot() {
    QVERIFY(toJson(Data{tensor(DType::Int8, std::vector<int8_t>(16))}).contains("data"));
    QVERIFY(toJson(Data{tensor(DType::Int8, std::vector<int8_t>(17))}).contains("b64"));
  }

  void otherFormsComeBack_data() {
    QTest::addColumn<QByteArray>("text");
    const auto row = [](const char* name, const char* text) { QTest::newRow(name) << QByteArray(text); };
    row("generator",
        R"({"rng":{"bit_generator":"PCG64","has_uint32":1,"inc":"340282366920938463463374607431768211455","state":"0","uinteger":4294967295}})");
    row("other generator",
        R"({"rng":{"bit_generator":"PCG64DXSM","has_uint32":0,"inc":"1","state":"18446744073709551616","uinteger":0}})");
    row("slice", R"({"slice":[null,-9223372036854775808,9223372036854775807]})");
    row("none", R"({"none":true})");
    row("empty list", R"({"list":[]})");
    row("list",
        R"({"list":[{"list":[{"none":true}]},{"data":[[0.5,"inf"]],"dtype":"complex64","shape":[1]}]})");
    row("sparse",
        R"({"sparse":{"data":{"data":[1.5],"dtype":"float32","shape":[1]},"format":"csc","indices":{"data":[2],"dtype":"int32","shape":[1]},"indptr":{"data":[0,1],"dtype":"int64","shape":[2]},"shape":[3,1]}})");
    row("opaque", "{\"opaque\":\"<\xC3\xA9 \\\" \\\\ \\n>\"}");
    row("empty array", R"({"data":[],"dtype":"float64","shape":[0,3]})");
  }
  void otherFormsComeBack() {
    QFETCH(QByteArray, text);
    const json original = json::parse(text.toStdString());
    const auto data = readData(original, "$");
    QVERIFY2(data.ok(), data.ok() ? "" : data.error().text().c_str());
    QCOMPARE(toJson(*data).dump(), original.dump());
  }

  void writesNoDefaults() {
    GraphFile file;
    file.graph.values.push_back({{Kind::Rng, DType::Float64, {}, "PCG64", {}}, {}, {}, false});
    file.graph.values.push_back({{Kind::Rng, DType::Float64, {}, "PCG64", {}}, {}, {}, false});
    file.graph.inputs = {0};
    file.graph.outputs = {1};
    file.graph.nodes.push_back({"Advance", json::object(), {}, {0}, {1}, {}, {}, {}, {}, {}});
    QCOMPARE(
        toJson(file).dump(),
        std::string(
            R"({"format":"nodewise-graph","graph":{"inputs":[0],"nodes":[{"in":[0],"op":"Advance","out":[1]}],)"
            R"("outputs":[1],"values":[{"type":{"kind":"rng"}},{"type":{"kind":"rng"}}]},"version":1})"));
  }

  void innerGraphsGoBackWhereTheyWere_data() {
    QTest::addColumn<QString>("op");
    QTest::addColumn<QString>("key");
    QTest::newRow("Scan") << "Scan"
                          << "graph";
    QTest::newRow("Blockwise") << "Blockwise"
                               << "core";
    QTest::newRow("unknown") << "Mystery"
                             << "graph";
  }
  void innerGraphsGoBackWhereTheyWere() {
    QFETCH(QString, op);
    QFETCH(QString, key);
    const json empty{{"values", json::array()},
                     {"inputs", json::array()},
                     {"outputs", json::array()},
                     {"nodes", json::array()}};
    json graph = empty;
    graph["nodes"].push_back({{"op", op.toStdString()},
                              {"in", json::array()},
                              {"out", json::array()},
                              {"params", {{"n", 1}, {key.toStdString(), empty}}}});
    const json file{{"format", "nodewise-graph"}, {"version", 1}, {"graph", graph}};
    const auto read = readGraphText(file.dump());
    QVERIFY(read.ok());
    QVERIFY(read->graph.nodes[0].inner != nullptr);
    QVERIFY(toJson(*read) == file);
  }

  void writesFilesThatReadAgain() {
    const QTemporaryDir folder;
    const std::string path = folder.filePath(QStringLiteral("x.nwg.json")).toStdString();
    GraphFile file;
    file.name = "broken \xFF text"; // from a model whose names are not UTF-8
    QVERIFY(writeGraphFile(file, path).ok());
    const auto read = readGraphFile(path);
    QVERIFY2(read.ok(), read.ok() ? "" : read.error().text().c_str());
    QCOMPARE(read->name, std::string("broken \xEF\xBF\xBD text"));
    QVERIFY(!writeGraphFile(file, folder.path().toStdString() + "/missing/x.nwg.json").ok());
  }
};

QTEST_APPLESS_MAIN(TestWriter)
#include "tst_writer.moc"
