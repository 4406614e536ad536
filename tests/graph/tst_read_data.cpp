#include "graph/reader.h"

#include <QtTest>

#include <cmath>

using namespace nodewise;

namespace {

Result<Data> read(const char* text) { return readData(nlohmann::json::parse(text), "D"); }

template <class T> std::vector<T> elements(const char* text) {
  const auto data = read(text);
  if (!data.ok() || data->tensor() == nullptr) return {};
  const Tensor& tensor = *data->tensor();
  return {tensor.as<T>(), tensor.as<T>() + elementCount(tensor.shape)};
}

} // namespace

class TestReadData : public QObject {
  Q_OBJECT
private Q_SLOTS:
  void integersAreExactUpToTheirLimits() {
    QVERIFY(elements<uint64_t>(
                R"({"dtype":"uint64","shape":[2],"data":[18446744073709551615,9007199254740993]})") ==
            (std::vector<uint64_t>{UINT64_MAX, (uint64_t{1} << 53) + 1}));
    QVERIFY(elements<int64_t>(
                R"({"dtype":"int64","shape":[2],"data":[-9223372036854775808,9223372036854775807]})") ==
            (std::vector<int64_t>{INT64_MIN, INT64_MAX}));
    QVERIFY(elements<int8_t>(R"({"dtype":"int8","shape":[2],"data":[-128,127]})") ==
            (std::vector<int8_t>{-128, 127}));
  }

  void floatsAreExact() {
    const auto doubles = elements<double>(
        R"({"dtype":"float64","shape":[6],"data":[0.1,-0.0,5e-324,1.7976931348623157e308,"inf",3]})");
    QVERIFY(doubles == (std::vector<double>{0.1, -0.0, 5e-324, 1.7976931348623157e308, HUGE_VAL, 3.0}));
    QVERIFY(std::signbit(doubles[1]));
    QVERIFY(std::isnan(elements<double>(R"({"dtype":"float64","shape":[1],"data":["nan"]})").at(0)));
  }

  void aFloat32MayHaveTheDigitsOfItsDouble() {
    QVERIFY(elements<float>(R"({"dtype":"float32","shape":[3],"data":[0.1,0.10000000149011612,"-inf"]})") ==
            (std::vector<float>{0.1F, 0.1F, -HUGE_VALF}));
  }

  void complexNumbersArePairs() {
    QVERIFY(elements<float>(R"({"dtype":"complex64","shape":[1],"data":[[1.5,"-inf"]]})").at(0) == 1.5F);
    const auto data = read(R"({"dtype":"complex128","shape":[1],"data":[[1.5,"-inf"]]})");
    QVERIFY(data.ok());
    QCOMPARE(data->tensor()->as<double>()[1], -HUGE_VAL);
  }

  void boolsMayBeWords() {
    QVERIFY(elements<uint8_t>(R"({"dtype":"bool","shape":[4],"data":[true,false,1,0]})") ==
            (std::vector<uint8_t>{1, 0, 1, 0}));
  }

  void base64HoldsLittleEndianBytes() {
    const auto integers = elements<int32_t>(R"({"dtype":"int32","shape":[2],"b64":"AQAAAAIBAAA="})");
    QVERIFY(integers == (std::vector<int32_t>{1, 258}));
  }

  void moreThanSixteenElementsMayBeFlat() {
    const auto data =
        read(R"({"dtype":"int8","shape":[2,9],"data":[1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18]})");
    QVERIFY(data.ok());
    QCOMPARE(static_cast<int>(data->tensor()->bytes.back()), 18);
  }

  void emptyArraysHaveNoElements() {
    QVERIFY(read(R"({"dtype":"float64","shape":[3,0],"data":[]})").ok());
    QVERIFY(read(R"({"dtype":"float64","shape":[3,0],"b64":""})").ok());
  }

  void generatorsKeepAll128Bits() {
    const auto data = read(
        R"({"rng":{"bit_generator":"PCG64DXSM","state":"340282366920938463463374607431768211455","inc":"18446744073709551616","has_uint32":1,"uinteger":4294967295}})");
    QVERIFY(data.ok());
    const auto& rng = std::get<RngState>(data->v);
    QVERIFY(rng.state == ~UInt128{0});
    QVERIFY(rng.inc == UInt128{1} << 64);
    QVERIFY(rng.generator == RngState::Generator::PCG64DXSM);
    QCOMPARE(rng.hasUint32, 1U);
    QCOMPARE(rng.uinteger, UINT32_MAX);
  }

  void slicesHaveThreeParts() {
    const auto data = read(R"({"slice":[null,-9223372036854775808,2]})");
    QVERIFY(data.ok());
    const auto& slice = std::get<SliceData>(data->v);
    QVERIFY(!slice.start);
    QVERIFY(slice.stop == INT64_MIN);
    QVERIFY(slice.step == 2);
  }

  void listsHoldData() {
    const auto data = read(R"({"list":[{"none":true},{"list":[]},{"opaque":"x"}]})");
    QVERIFY(data.ok());
    QCOMPARE(std::get<ListData>(data->v).items.size(), size_t{3});
  }

  void sparseMatricesHoldTheirParts() {
    const auto data = read(
        R"({"sparse":{"format":"csc","shape":[3,2],"data":{"dtype":"float32","shape":[3],"data":[1,2,3]},"indices":{"dtype":"int32","shape":[3],"data":[0,2,2]},"indptr":{"dtype":"int64","shape":[3],"data":[0,2,3]}}})");
    QVERIFY(data.ok());
    const auto& sparse = std::get<SparseData>(data->v);
    QVERIFY(sparse.csc);
    QVERIFY((sparse.shape == std::array<int64_t, 2>{3, 2}));
    QCOMPARE(sparse.data.dtype, DType::Float32);
  }

  void refuses_data() {
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QString>("path");
    QTest::addColumn<QString>("words");
    const auto row = [](const char* name, const char* text, const char* path, const char* words) {
      QTest::newRow(name) << QByteArray(text) << path << words;
    };
    row("no object", R"(3)", "D", "data (a JSON object), found 3");
    row("no form", R"({})", "D", "\"dtype\"");
    row("no shape", R"({"dtype":"int8","data":[]})", "D", "the key \"shape\"");
    row("unknown length", R"({"dtype":"int8","shape":[null],"data":[]})", "D.shape[0]", "a length from 0");
    row("neither data nor b64", R"({"dtype":"int8","shape":[]})", "D", "\"data\" and \"b64\", found neither");
    row("data and b64", R"({"dtype":"int8","shape":[1],"data":[1],"b64":"AQ=="})", "D",
        "\"data\" and \"b64\", found both");
    row("too few elements", R"({"dtype":"int8","shape":[2,3],"data":[1]})", "D.data",
        "6 elements for the shape [2, 3], found 1");
    row("too many elements", R"({"dtype":"int8","shape":[],"data":[1,2]})", "D.data",
        "1 elements for the shape [], found 2");
    row("nested elements", R"({"dtype":"int8","shape":[1,1],"data":[[1]]})", "D.data[0]",
        "found a list of 1");
    row("data no list", R"({"dtype":"int8","shape":[],"data":1})", "D.data", "a list of elements, found 1");
    row("huge and empty", R"({"dtype":"int8","shape":[9223372036854775807],"data":[]})", "D.data",
        "9223372036854775807 elements");
    row("overflow", R"({"dtype":"int16","shape":[9223372036854775807],"data":[]})", "D.shape",
        "fits in memory");
    row("int8 too large", R"({"dtype":"int8","shape":[2],"data":[1,128]})", "D.data[1]",
        "an integer from -128 to 127, found 128");
    row("int8 too small", R"({"dtype":"int8","shape":[1],"data":[-129]})", "D.data[0]", "found -129");
    row("int64 too large", R"({"dtype":"int64","shape":[1],"data":[9223372036854775808]})", "D.data[0]",
        "to 9223372036854775807, found");
    row("negative unsigned", R"({"dtype":"uint64","shape":[1],"data":[-1]})", "D.data[0]",
        "from 0 to 18446744073709551615, found -1");
    row("uint64 too large", R"({"dtype":"uint64","shape":[1],"data":[18446744073709551616]})", "D.data[0]",
        "from 0 to");
    row("fractional integer", R"({"dtype":"int64","shape":[1],"data":[1.0]})", "D.data[0]", "found 1.0");
    row("integer of text", R"({"dtype":"int64","shape":[1],"data":["1"]})", "D.data[0]", "the text \"1\"");
    row("integer nan", R"({"dtype":"int64","shape":[1],"data":["nan"]})", "D.data[0]", "the text \"nan\"");
    row("integer of bool", R"({"dtype":"int64","shape":[1],"data":[true]})", "D.data[0]", "found true");
    row("float of bool", R"({"dtype":"float64","shape":[1],"data":[true]})", "D.data[0]", "found true");
    row("float null", R"({"dtype":"float64","shape":[1],"data":[null]})", "D.data[0]", "a number");
    row("float word", R"({"dtype":"float64","shape":[1],"data":["NaN"]})", "D.data[0]",
        "\"nan\", \"inf\" or \"-inf\"");
    row("float32 too large", R"({"dtype":"float32","shape":[1],"data":[1e39]})", "D.data[0]",
        "in the range of float32");
    row("float16 too large", R"({"dtype":"float16","shape":[1],"data":[65520]})", "D.data[0]",
        "in the range of float16");
    row("bool 2", R"({"dtype":"bool","shape":[1],"data":[2]})", "D.data[0]", "true or false, found 2");
    row("complex real", R"({"dtype":"complex64","shape":[1],"data":[1]})", "D.data[0]", "[re, im]");
    row("complex triple", R"({"dtype":"complex64","shape":[1],"data":[[1,2,3]]})", "D.data[0]", "[re, im]");
    row("complex part", R"({"dtype":"complex64","shape":[1],"data":[[1,null]]})", "D.data[0]", "[re, im]");
    row("base64 no text", R"({"dtype":"int8","shape":[1],"b64":[1]})", "D.b64", "base64 text");
    row("base64 length", R"({"dtype":"int16","shape":[2],"b64":"AQI="})", "D.b64",
        "4 bytes for 2 elements of int16, found 2");
    row("base64 characters", R"({"dtype":"int8","shape":[3],"b64":"A*AA"})", "D.b64",
        "groups of 4 characters");
    row("base64 cut", R"({"dtype":"int8","shape":[3],"b64":"AAA"})", "D.b64", "groups of 4 characters");
    row("base64 bool", R"({"dtype":"bool","shape":[3],"b64":"AQIB"})", "D.b64", "bytes 0 and 1");
    row("generator unknown",
        R"({"rng":{"bit_generator":"MT19937","state":"1","inc":"1","has_uint32":0,"uinteger":0}})",
        "D.rng.bit_generator", "others are opaque");
    row("generator missing", R"({"rng":{"state":"1","inc":"1","has_uint32":0,"uinteger":0}})", "D.rng",
        "bit_generator");
    row("state a number",
        R"({"rng":{"bit_generator":"PCG64","state":1,"inc":"1","has_uint32":0,"uinteger":0}})", "D.rng.state",
        "decimal text");
    row("state too large",
        R"({"rng":{"bit_generator":"PCG64","state":"340282366920938463463374607431768211456","inc":"1","has_uint32":0,"uinteger":0}})",
        "D.rng.state", "2^128 - 1");
    row("state not decimal",
        R"({"rng":{"bit_generator":"PCG64","state":"1","inc":"0x1","has_uint32":0,"uinteger":0}})",
        "D.rng.inc", "decimal text");
    row("state empty",
        R"({"rng":{"bit_generator":"PCG64","state":"","inc":"1","has_uint32":0,"uinteger":0}})",
        "D.rng.state", "decimal text");
    row("has_uint32",
        R"({"rng":{"bit_generator":"PCG64","state":"1","inc":"1","has_uint32":2,"uinteger":0}})",
        "D.rng.has_uint32", "from 0 to 1");
    row("uinteger",
        R"({"rng":{"bit_generator":"PCG64","state":"1","inc":"1","has_uint32":1,"uinteger":4294967296}})",
        "D.rng.uinteger", "from 0 to 4294967295");
    row("slice of two", R"({"slice":[1,2]})", "D.slice", "[start, stop, step], found a list of 2");
    row("slice part", R"({"slice":[1,2,0.5]})", "D.slice[2]", "null or an integer");
    row("none false", R"({"none":false})", "D.none", "true, found false");
    row("list no list", R"({"list":{}})", "D.list", "a list of data");
    row("list item", R"({"list":[{"none":true},{"dtype":"x"}]})", "D.list[1].dtype", "one of bool");
    row("opaque no text", R"({"opaque":[]})", "D.opaque", "text");
  }
  void refuses() {
    QFETCH(QByteArray, text);
    QFETCH(QString, path);
    QFETCH(QString, words);
    const auto data = read(text.constData());
    QVERIFY(!data.ok());
    QCOMPARE(QString::fromStdString(data.error().where), path);
    QVERIFY2(QString::fromStdString(data.error().what).contains(words), data.error().what.c_str());
  }

  void refusesSparse_data() {
    QTest::addColumn<QByteArray>("pointer");
    QTest::addColumn<QByteArray>("value");
    QTest::addColumn<QString>("path");
    QTest::addColumn<QString>("words");
    const auto row = [](const char* name, const char* pointer, const char* value, const char* path,
                        const char* words) {
      QTest::newRow(name) << QByteArray(pointer) << QByteArray(value) << path << words;
    };
    row("format", "/format", "\"coo\"", "D.sparse.format", "\"csr\" or \"csc\"");
    row("axes", "/shape", "[2]", "D.sparse.shape", "2 axes");
    row("data no object", "/data", "[1]", "D.sparse.data", "data (a JSON object)");
    row("data of two axes", "/data/shape", "[3,1]", "D.sparse.data", "1 axis, found 2");
    row("index dtype", "/indices/dtype", "\"int16\"", "D.sparse.indices.dtype", "int32 or int64");
    row("too few indices", "/indices", R"({"dtype":"int32","shape":[2],"data":[0,1]})", "D.sparse.indices",
        "3 indices, as many as data");
    row("index too large", "/indices/data/1", "3", "D.sparse.indices", "integers from 0 to 2, found 3 at 1");
    row("index negative", "/indices/data/1", "-1", "D.sparse.indices", "found -1 at 1");
    row("too few starts", "/indptr", R"({"dtype":"int32","shape":[2],"data":[0,3]})", "D.sparse.indptr",
        "a start for each row and the end, 3 integers, found 2");
    row("first start", "/indptr/data/0", "1", "D.sparse.indptr", "ascend from 0");
    row("descending starts", "/indptr/data/1", "4", "D.sparse.indptr", "found 4 at 1");
    row("more rows than starts can be", "/shape", "[9223372036854775807,1]", "D.sparse.indptr",
        "9223372036854775808 integers");
  }
  void refusesSparse() {
    QFETCH(QByteArray, pointer);
    QFETCH(QByteArray, value);
    QFETCH(QString, path);
    QFETCH(QString, words);
    auto json = nlohmann::json::parse(
        R"({"format":"csr","shape":[2,3],"data":{"dtype":"int8","shape":[3],"data":[1,2,3]},"indices":{"dtype":"int32","shape":[3],"data":[0,2,1]},"indptr":{"dtype":"int32","shape":[3],"data":[0,2,3]}})");
    QVERIFY(readData({{"sparse", json}}, "D").ok());
    json[nlohmann::json::json_pointer(pointer.toStdString())] = nlohmann::json::parse(value.toStdString());
    const auto data = readData({{"sparse", json}}, "D");
    QVERIFY(!data.ok());
    QCOMPARE(QString::fromStdString(data.error().where), path);
    QVERIFY2(QString::fromStdString(data.error().what).contains(words), data.error().what.c_str());
  }
};

QTEST_APPLESS_MAIN(TestReadData)
#include "tst_read_data.moc"
