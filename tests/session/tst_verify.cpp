// Comparing with recorded results: tolerances, exactness, raised errors; the samples all pass.
#include "graph_text.h"

#include "graph/writer.h"
#include "ops/exponential_check.h"
#include "session/compare.h"
#include "session/verify.h"

#include <fstream>

using namespace nodewise;
using namespace nodewise::testing;

namespace {

/// exp of this is e^5 times a rotation by nearly half a turn: great elements beside small ones.
constexpr float kLogGrowth = 5, kAngle = 3.1365927F;
const double kGrowth = std::exp(double{kLogGrowth});
std::vector<float> rotation() { return {kLogGrowth, kAngle, -kAngle, kLogGrowth}; }
std::vector<float> exactRotation() {
  const auto c = static_cast<float>(kGrowth * std::cos(double{kAngle})),
             s = static_cast<float>(kGrowth * std::sin(double{kAngle}));
  return {c, s, -s, c};
}
/// A record that is off by this in every element, relative to the greatest, is within the bound.
constexpr double kRounding = 2e-7;

/// Runs one recorded case of a graph, which goes through a file as users' do.
Result<VerifyReport> verifyCase(const std::string& graph, Case recorded) {
  NW_TRY(GraphFile file, readText(graph));
  file.cases = {std::move(recorded)};
  const QTemporaryDir folder;
  const std::string path = folder.filePath("case.nwg.json").toStdString();
  NW_CHECK(writeGraphFile(file, path));
  return verifyFiles({path}, withoutCache(), sharedEngine(), {}, {});
}

} // namespace

class TestVerify : public QObject {
  Q_OBJECT
private Q_SLOTS:
  void tolerancesAreTheFormats() {
    const Case none;
    QVERIFY(difference(number(1.0 + 1e-9), number(1.0), none).empty());
    QVERIFY(!difference(number(1.0 + 1e-7), number(1.0), none).empty());
    QVERIFY(difference(tensorOf<float>({}, {1.000005F}), tensorOf<float>({}, {1.0F}), none).empty());
    QVERIFY(!difference(tensorOf<float>({}, {1.0001F}), tensorOf<float>({}, {1.0F}), none).empty());
    Case loose;
    loose.rtol = 1e-3;
    QVERIFY(difference(number(1.0005), number(1.0), loose).empty());
  }
  void integersAreExact() {
    Case loose;
    loose.rtol = 0.5;
    QVERIFY(!difference(tensorOf<int64_t>({}, {(int64_t{1} << 62) + 1}),
                        tensorOf<int64_t>({}, {int64_t{1} << 62}), loose)
                 .empty());
  }
  void notANumberEqualsItselfOnly() {
    const double nan = std::nan(""), inf = std::numeric_limits<double>::infinity();
    QVERIFY(difference(number(nan), number(nan), {}).empty());
    QVERIFY(!difference(number(1), number(nan), {}).empty());
    QVERIFY(!difference(number(nan), number(1), {}).empty());
    QVERIFY(difference(number(inf), number(inf), {}).empty());
    QVERIFY(!difference(number(1e300), number(inf), {}).empty());
    QVERIFY(!difference(number(-inf), number(inf), {}).empty());
  }
  void shapeAndDtypeCount() {
    QVERIFY(!difference(tensorOf<double>({1}, {1}), number(1), {}).empty());
    QVERIFY(!difference(tensorOf<float>({}, {1}), number(1), {}).empty());
  }
  void theSamplesPass() {
    auto files = graphFilesBelow({NODEWISE_SAMPLES});
    QVERIFY2(files, files ? "" : files.error().text().c_str());
    const VerifyReport report = verifyFiles(*files, withoutCache(), sharedEngine(), {}, {});
    for (const CaseRecord& c : report.records)
      QVERIFY2(c.verdict == Verdict::Passed, (c.file + ": " + c.reason).c_str());
    QVERIFY(report.passed >= 8);
    QVERIFY(report.good());
  }
  void factorsAreCheckedByTheirEquation_data() {
    QTest::addColumn<QList<double>>("q");
    QTest::addColumn<QList<double>>("r");
    QTest::addColumn<QString>("outputs");
    QTest::addColumn<int>("verdict");
    QTest::addColumn<QString>("note");
    const int passed = static_cast<int>(Verdict::Passed), failed = static_cast<int>(Verdict::Failed);
    const QList<double> q{-.6, -.8, -.8, .6}, r{-5, -2.2, 0, .4};
    QTest::newRow("LAPACK's signs") << q << r << "both" << passed << "";
    QTest::newRow("other signs") << QList<double>{.6, .8, .8, -.6} << QList<double>{5, 2.2, 0, -.4} << "both"
                                 << passed << "up to sign";
    QTest::newRow("one other sign") << QList<double>{.6, -.8, .8, .6} << QList<double>{5, 2.2, 0, .4}
                                    << "both" << passed << "up to sign";
    QTest::newRow("other signs of Q alone")
        << QList<double>{.6, .8, .8, -.6} << r << "q" << passed << "up to sign";
    QTest::newRow("other signs of R alone")
        << q << QList<double>{5, 2.2, 0, .4} << "r" << passed << "up to sign";
    QTest::newRow("signs that do not fit") << QList<double>{.6, .8, .8, -.6} << r << "both" << failed << "";
    QTest::newRow("a wrong element of Q") << QList<double>{-.6, -.8, -.8, .61} << r << "both" << failed << "";
    QTest::newRow("a wrong element of R") << q << QList<double>{-5, -2.3, 0, .4} << "both" << failed << "";
    QTest::newRow("a wrong element of R alone") << q << QList<double>{-5, -2.2, 0, .5} << "r" << failed << "";
    QTest::newRow("an element below R's diagonal")
        << q << QList<double>{-5, -2.2, .1, .4} << "both" << failed << "";
  }
  void factorsAreCheckedByTheirEquation() {
    QFETCH(QList<double>, q);
    QFETCH(QList<double>, r);
    QFETCH(QString, outputs);
    // The matrix is overwritten, and the results are copies: neither may get in the way.
    const std::string matrix = value("float64", "[2,2]");
    const std::string chosen = outputs == "both" ? "[4,5]" : outputs == "q" ? "[4]" : "[5]";
    const std::string graph = R"({"values":[)" + matrix + "," + matrix + "," + matrix + "," + matrix + "," +
                              matrix + "," + matrix + R"(],"inputs":[0],"outputs":)" + chosen +
                              R"(,"nodes":[{"op":"DeepCopyOp","in":[0],"out":[1]},
               {"op":"QR","in":[1],"out":[2,3],"destroys":[[0,0]]},
               {"op":"DeepCopyOp","in":[2],"out":[4]},{"op":"DeepCopyOp","in":[3],"out":[5]}]})";
    Case one;
    one.inputs = {tensorOf<double>({2, 2}, {3, 1, 4, 2})};
    if (outputs != "r") one.outputs.push_back(tensorOf<double>({2, 2}, {q.begin(), q.end()}));
    if (outputs != "q") one.outputs.push_back(tensorOf<double>({2, 2}, {r.begin(), r.end()}));
    const VerifyReport report = need(verifyCase(graph, std::move(one)));
    QCOMPARE(report.records.size(), size_t{1});
    QTEST(QString::fromStdString(report.records[0].note()), "note");
    QTEST(static_cast<int>(report.records[0].verdict), "verdict");
  }
  void anExponentialInSinglePrecisionIsCheckedByTheExactOne_data() {
    QTest::addColumn<double>("recordOff"); // of every recorded element, relative to the greatest
    QTest::addColumn<int>("verdict");
    QTest::addColumn<QString>("note");
    const int passed = static_cast<int>(Verdict::Passed), failed = static_cast<int>(Verdict::Failed);
    QTest::newRow("as recorded") << 0.0 << passed << "";
    QTest::newRow("a record with rounding")
        << kRounding << passed << "closer to the exact result than the record";
    QTest::newRow("a record beyond its bound") << 2e-6 << failed << "";
    QTest::newRow("a wrong record") << 0.5 << failed << "";
    QTest::newRow("a record of not-a-number") << std::nan("") << failed << "";
  }
  void anExponentialInSinglePrecisionIsCheckedByTheExactOne() {
    QFETCH(double, recordOff);
    const std::string matrix = value("float32", "[2,2]");
    const std::string graph = R"({"values":[)" + matrix + "," + matrix + "," + matrix +
                              R"(],"inputs":[0],"outputs":[2],"nodes":[{"op":"Expm","in":[0],"out":[1]},
               {"op":"DeepCopyOp","in":[1],"out":[2]}]})";
    Case one;
    one.inputs = {tensorOf<float>({2, 2}, rotation())};
    std::vector<float> record = exactRotation();
    for (float& element : record) element += static_cast<float>(recordOff * kGrowth);
    one.outputs = {tensorOf<float>({2, 2}, record)};
    const VerifyReport report = need(verifyCase(graph, std::move(one)));
    QCOMPARE(report.records.size(), size_t{1});
    QTEST(QString::fromStdString(report.records[0].note()), "note");
    QTEST(static_cast<int>(report.records[0].verdict), "verdict");
    QCOMPARE(report.closerThanRecord, int64_t{report.records[0].note().empty() ? 0 : 1});
  }
  void aWrongExponentialFailsWhateverTheRecord_data() {
    QTest::addColumn<double>("off"); // of one element found or all, relative
    QTest::addColumn<bool>("everywhere");
    QTest::addColumn<bool>("right");
    QTest::newRow("exact") << 0.0 << true << true;
    QTest::newRow("all within the tolerance") << 1e-7 << true << true;
    QTest::newRow("within the tolerance, but the record is closer") << 5e-6 << true << false;
    QTest::newRow("all beyond the tolerance") << 2e-5 << true << false;
    QTest::newRow("all beyond, the other way") << -2e-5 << true << false;
    QTest::newRow("one beyond") << 2e-5 << false << false;
    QTest::newRow("not-a-number") << std::nan("") << false << false;
  }
  void aWrongExponentialFailsWhateverTheRecord() {
    QFETCH(double, off);
    QFETCH(bool, everywhere);
    std::vector<float> found = exactRotation(), record = exactRotation();
    for (size_t k = 0; k < found.size(); ++k) {
      record[k] += static_cast<float>(kRounding * kGrowth);
      if (everywhere || k == 2) found[k] *= static_cast<float>(1 + off);
    }
    const Data a = tensorOf<float>({2, 2}, rotation()), ours = tensorOf<float>({2, 2}, found),
               theirs = tensorOf<float>({2, 2}, record);
    const std::string why = checkExponential({*a.tensor(), *ours.tensor(), *theirs.tensor()}, 1e-5, 1e-6);
    QTEST(why.empty(), "right");
  }
  void opaqueValuesAreUnsupported_data() {
    QTest::addColumn<QString>("type");
    QTest::addColumn<QString>("given");
    QTest::addColumn<QString>("expected");
    QTest::addColumn<QString>("op");
    QTest::addColumn<QString>("reason");
    const QString opaque = R"({"kind":"opaque","repr":"Generic"})";
    const QString list = R"({"kind":"list","elem":{"kind":"tensor","dtype":"float64","shape":[]}})";
    const QString one = R"({"list":[{"dtype":"float64","shape":[],"data":[1]}]})";
    const QString text = R"({"opaque":"<object>"})", textWithin = R"({"list":[{"opaque":"<object>"}]})";
    const QString byType = "input 0 is of an opaque type, which cannot be run";
    QTest::newRow("an opaque input") << opaque << text << text << "Generic" << byType;
    QTest::newRow("an opaque input, with a list")
        << opaque << textWithin << textWithin << "Generic" << byType;
    QTest::newRow("a list of opaque values") << QString(R"({"kind":"list","elem":%1})").arg(opaque)
                                             << textWithin << textWithin << "list of Generic" << byType;
    QTest::newRow("an object for a list")
        << list << text << one << "list of f64[]"
        << "input 0 is an object of which the file has the text alone; it cannot be run";
    QTest::newRow("an object expected")
        << list << one << text << "list of f64[]"
        << "output 0 is an object of which the file has the text alone; it cannot be compared";
    QTest::newRow("a random generator of another kind")
        << QStringLiteral(R"({"kind":"rng","bit_generator":"PCG64"})") << text << text << "rng"
        << "input 0 is an object of which the file has the text alone; it cannot be run";
  }
  void opaqueValuesAreUnsupported() {
    QFETCH(QString, type);
    QFETCH(QString, given);
    QFETCH(QString, expected);
    QTemporaryDir folder;
    const std::string path = folder.filePath("opaque.nwg.json").toStdString();
    std::ofstream(path) << QString(R"({"format":"nodewise-graph","version":1,"graph":{"values":[{"type":%1},
      {"type":%1}],"inputs":[0],"outputs":[1],"nodes":[{"op":"DeepCopyOp","in":[0],"out":[1]}]},
      "cases":[{"inputs":[%2],"outputs":[%3]}]})")
                               .arg(type, given, expected)
                               .toStdString();
    const VerifyReport report = verifyFiles({path}, withoutCache(), sharedEngine(), {}, {});
    QCOMPARE(report.records.size(), size_t{1});
    const CaseRecord& record = report.records[0];
    QVERIFY2(record.verdict == Verdict::Unsupported, record.reason.c_str());
    QTEST(QString::fromStdString(record.op), "op");
    QTEST(QString::fromStdString(record.reason), "reason");
    QVERIFY(report.good());
  }
  void aWrongResultFailsAndAnUnreadableFileIsInvalid() {
    QTemporaryDir folder;
    const std::string graph =
        R"("graph":{"values":[)" + value("float64", "[]") + "," + value("float64", "[]") +
        R"(],"inputs":[0],"outputs":[1],"nodes":[{"op":"Elemwise","params":{"scalar_op":"neg"},"in":[0],"out":[1]}]})";
    auto write = [&](const char* name, const std::string& text) {
      std::ofstream(folder.filePath(name).toStdString()) << text;
    };
    const std::string one = R"({"dtype":"float64","shape":[],"data":[1.0]})",
                      minus = R"({"dtype":"float64","shape":[],"data":[-1.0]})";
    write("good.nwg.json", R"({"format":"nodewise-graph","version":1,)" + graph + R"(,"cases":[{"inputs":[)" +
                               one + R"(],"outputs":[)" + minus + "]}]}");
    write("wrong.nwg.json", R"({"format":"nodewise-graph","version":1,)" + graph +
                                R"(,"cases":[{"inputs":[)" + one + R"(],"outputs":[)" + one + "]}]}");
    write("broken.nwg.json", "{");
    write("nocase.nwg.json", R"({"format":"nodewise-graph","version":1,)" + graph + "}");
    auto files = graphFilesBelow({folder.path().toStdString()});
    QVERIFY(files);
    const VerifyReport r = verifyFiles(*files, withoutCache(), sharedEngine(), {}, {});
    QCOMPARE(r.graphs, int64_t{4});
    QCOMPARE(r.cases, int64_t{3});
    QCOMPARE(r.passed, int64_t{1});
    QCOMPARE(r.failed, int64_t{1});
    QCOMPARE(r.invalid, int64_t{1});
    QCOMPARE(r.compiledOnly, int64_t{1});
    QVERIFY(!r.good());
  }
};

QTEST_GUILESS_MAIN(TestVerify)
#include "tst_verify.moc"
