#include "graph/json_text.h"

#include <QtTest>

using namespace nodewise;

class TestJsonText : public QObject {
  Q_OBJECT
private Q_SLOTS:
  void saysLineAndColumn_data() {
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QString>("place");
    QTest::addColumn<QString>("words");
    const auto row = [](const char* name, const QByteArray& text, const char* place, const char* words) {
      QTest::newRow(name) << text << place << words;
    };
    row("missing comma", "{\"a\": 1\n \"b\": 2}", "line 2, column 4", "expected");
    row("cut off", "{\"a\": [1, 2", "line 1, column 12", "end of input");
    row("text after the end", "{}\n\nx", "line 3, column 1", "end of input");
    row("columns count characters", "[\"\xC3\xA9\xC3\xA9\", x]", "line 1, column 8", "invalid literal");
    row("broken UTF-8", "[\"\xFF\"]", "line 1, column 3", "UTF-8");
    row("single quotes", "['a']", "line 1, column 2", "invalid literal");
    row("bare nan", "[1, nan]", "line 1, column 6", "invalid literal");
    row("number too large for a double", "[\n1e999]", "line 2, column 5", "number overflow");
    row("control character in text", "[\"a\tb\"]", "line 1, column 4", "control character");
    row("nothing but spaces", "  \n ", "line 2, column 2", "end of input");
    row("zero byte", QByteArray("[1\0]", 4), "line 1, column 3", "zero byte");
    row("zero byte after the end", QByteArray("[1]\n\0x", 6), "line 2, column 1", "zero byte");
  }
  void saysLineAndColumn() {
    QFETCH(QByteArray, text);
    QFETCH(QString, place);
    QFETCH(QString, words);
    const auto json = parseJson({text.constData(), static_cast<size_t>(text.size())});
    QVERIFY(!json.ok());
    QCOMPARE(QString::fromStdString(json.error().where), place);
    QVERIFY2(QString::fromStdString(json.error().what).contains(words), json.error().what.c_str());
  }

  void saysThatTheTextIsEmpty() { QVERIFY(parseJson("").error().what.find("empty") != std::string::npos); }

  void repeatsNoLongPiecesOfABrokenFile() {
    const auto json = parseJson("[\"" + std::string(100000, 'x'));
    QVERIFY(!json.ok());
    QVERIFY(json.error().what.size() < 500);
  }

  void takesWhatTheFormatAllows() {
    const auto json = parseJson("\xEF\xBB\xBF {\"n\": [18446744073709551615, -9223372036854775808, -0.0, "
                                "1e-320], \"u\": \"\\u00e9\"}");
    QVERIFY(json.ok());
    QVERIFY((*json)["n"][0].is_number_unsigned());
    QCOMPARE((*json)["n"][0].get<uint64_t>(), UINT64_MAX);
    QCOMPARE((*json)["n"][1].get<int64_t>(), INT64_MIN);
    QVERIFY(std::signbit((*json)["n"][2].get<double>()));
    QCOMPARE((*json)["n"][3].get<double>(), 1e-320);
    QCOMPARE((*json)["u"].get<std::string>(), std::string("\xC3\xA9"));
  }

  void ofARepeatedKeyTheLastValueCounts() {
    const auto json = parseJson("{\"a\": [1], \"b\": 2, \"a\": {\"c\": 3}}");
    QVERIFY(json.ok());
    QCOMPARE(json->dump(), std::string("{\"a\":{\"c\":3},\"b\":2}"));
  }

  void agreesWithTheLibrarysOwnDocument() {
    const std::string text = R"({"a":[1,-2,3.5,"x",null,true,[],{}],"b":{"c":{"d":[[[1]]]}},"":0})";
    QVERIFY(*parseJson(text) == nlohmann::json::parse(text));
  }

  void nestsAsDeepAsTheLimitAndNoDeeper() {
    const auto nested = [](size_t depth) {
      return "\n" + std::string(depth, '[') + "\"]\\\"[\"" + std::string(depth, ']');
    };
    QVERIFY(parseJson(nested(kDeepestJson)).ok());
    const auto deeper = parseJson(nested(kDeepestJson + 1));
    QVERIFY(!deeper.ok());
    QCOMPARE(deeper.error().where, "line 2, column " + std::to_string(kDeepestJson + 1));
    QVERIFY(!parseJson(std::string(10'000'000, '[')).ok());
  }

  void describes_data() {
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QString>("words");
    QTest::newRow("object") << QByteArray("{\"a\":1}") << "an object";
    QTest::newRow("list") << QByteArray("[1,2]") << "a list of 2";
    QTest::newRow("text") << QByteArray("\"abc\"") << "the text \"abc\"";
    QTest::newRow("null") << QByteArray("null") << "null";
    QTest::newRow("number") << QByteArray("-1.5") << "-1.5";
  }
  void describes() {
    QFETCH(QByteArray, text);
    QFETCH(QString, words);
    QCOMPARE(QString::fromStdString(describeJson(*parseJson(text.toStdString()))), words);
  }
};

QTEST_APPLESS_MAIN(TestJsonText)
#include "tst_json_text.moc"
