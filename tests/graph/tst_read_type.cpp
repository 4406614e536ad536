#include "graph/reader.h"
#include "graph/writer.h"

#include <QtTest>

using namespace nodewise;

class TestReadType : public QObject {
  Q_OBJECT
private Q_SLOTS:
  void reads_data() {
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QString>("expected");
    QTest::newRow("tensor") << QByteArray(R"({"kind":"tensor","dtype":"float16","shape":[null,0,1]})")
                            << "f16[?,0,1]";
    QTest::newRow("scalar") << QByteArray(R"({"kind":"scalar","dtype":"complex64"})") << "c64 scalar";
    QTest::newRow("rng") << QByteArray(R"({"kind":"rng","bit_generator":"MT19937"})") << "rng";
    QTest::newRow("slice") << QByteArray(R"({"kind":"slice"})") << "slice";
    QTest::newRow("none") << QByteArray(R"({"kind":"none"})") << "none";
    QTest::newRow("list") << QByteArray(R"({"kind":"list","elem":{"kind":"list","elem":{"kind":"none"}}})")
                          << "list of list of none";
    QTest::newRow("sparse") << QByteArray(
                                   R"({"kind":"sparse","format":"csc","dtype":"int8","shape":[3,null]})")
                            << "csc i8[3,?]";
    QTest::newRow("opaque") << QByteArray(R"({"kind":"opaque","repr":"<it>"})") << "<it>";
    QTest::newRow("unknown keys") << QByteArray(R"({"kind":"none","unit":{"of":["measure"]}})") << "none";
    QTest::newRow("any length beside 0")
        << QByteArray(R"({"kind":"tensor","dtype":"int8","shape":[9223372036854775807,0]})")
        << "i8[9223372036854775807,0]";
  }
  void reads() {
    QFETCH(QByteArray, text);
    QFETCH(QString, expected);
    const auto type = readType(nlohmann::json::parse(text.toStdString()), "$");
    QVERIFY2(type.ok(), type.ok() ? "" : type.error().text().c_str());
    QCOMPARE(QString::fromStdString(shortText(*type)), expected);
    QVERIFY(*readType(toJson(*type), "$") == *type);
  }

  void aGeneratorIsPCG64UnlessSaid() {
    QCOMPARE(readType({{"kind", "rng"}}, "$")->text, std::string("PCG64"));
  }

  void refuses_data() {
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QString>("path");
    QTest::addColumn<QString>("words");
    const auto row = [](const char* name, const char* text, const char* path, const char* words) {
      QTest::newRow(name) << QByteArray(text) << path << words;
    };
    row("no object", R"([])", "T", "a type (a JSON object), found an empty list");
    row("no kind", R"({})", "T", "the key \"kind\"");
    row("unknown kind", R"({"kind":"matrix"})", "T.kind", "one of tensor, scalar");
    row("kind no text", R"({"kind":1})", "T.kind", "found 1");
    row("no dtype", R"({"kind":"tensor","shape":[]})", "T", "the key \"dtype\"");
    row("unknown dtype", R"({"kind":"scalar","dtype":"float"})", "T.dtype", "one of bool, int8");
    row("dtype no text", R"({"kind":"scalar","dtype":null})", "T.dtype", "found null");
    row("no shape", R"({"kind":"tensor","dtype":"int8"})", "T", "the key \"shape\"");
    row("shape no list", R"({"kind":"tensor","dtype":"int8","shape":3})", "T.shape",
        "a list of lengths or nulls, found 3");
    row("negative length", R"({"kind":"tensor","dtype":"int8","shape":[2,-1]})", "T.shape[1]", "from 0 to");
    row("fractional length", R"({"kind":"tensor","dtype":"int8","shape":[2.0]})", "T.shape[0]", "found 2.0");
    row("length of text", R"({"kind":"tensor","dtype":"int8","shape":["2"]})", "T.shape[0]",
        "the text \"2\"");
    row("length above int64", R"({"kind":"tensor","dtype":"int8","shape":[9223372036854775808]})",
        "T.shape[0]", "found 9223372036854775808");
    row("overflow", R"({"kind":"tensor","dtype":"int8","shape":[4294967296,2147483648]})", "T.shape",
        "fits in memory");
    row("overflow by size of element", R"({"kind":"tensor","dtype":"float64","shape":[1152921504606846976]})",
        "T.shape", "fits in memory");
    row("overflow beside 0", R"({"kind":"tensor","dtype":"int8","shape":[0,4294967296,4294967296]})",
        "T.shape", "fits in memory");
    row("sparse axes", R"({"kind":"sparse","format":"csr","dtype":"int8","shape":[1]})", "T.shape",
        "2 axes, found 1");
    row("sparse format", R"({"kind":"sparse","format":"coo","dtype":"int8","shape":[1,1]})", "T.format",
        "\"csr\" or \"csc\"");
    row("sparse without format", R"({"kind":"sparse","dtype":"int8","shape":[1,1]})", "T",
        "the key \"format\"");
    row("list without elem", R"({"kind":"list"})", "T", "the key \"elem\"");
    row("bad elem", R"({"kind":"list","elem":{"kind":"list","elem":{"kind":"x"}}})", "T.elem.elem.kind",
        "one of tensor");
    row("generator no text", R"({"kind":"rng","bit_generator":3})", "T.bit_generator", "text, found 3");
    row("repr no text", R"({"kind":"opaque","repr":{}})", "T.repr", "text, found an empty object");
  }
  void refuses() {
    QFETCH(QByteArray, text);
    QFETCH(QString, path);
    QFETCH(QString, words);
    const auto type = readType(nlohmann::json::parse(text.toStdString()), "T");
    QVERIFY(!type.ok());
    QCOMPARE(QString::fromStdString(type.error().where), path);
    QVERIFY2(QString::fromStdString(type.error().what).contains(words), type.error().what.c_str());
  }

  void refusesMoreAxesThanNumPyHas() {
    nlohmann::json type{{"kind", "tensor"}, {"dtype", "int8"}, {"shape", std::vector<int>(kMostAxes, 1)}};
    QVERIFY(readType(type, "$").ok());
    type["shape"].push_back(1);
    QCOMPARE(readType(type, "$").error().what, std::string("expected at most 64 axes, found 65"));
  }
};

QTEST_APPLESS_MAIN(TestReadType)
#include "tst_read_type.moc"
