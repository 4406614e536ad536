// Comparing with recorded results: tolerances, exactness, raised errors; the samples all pass.
#include "graph_text.h"

#include "session/compare.h"
#include "session/verify.h"

#include <fstream>

using namespace nodewise;
using namespace nodewise::test;

class TestVerify : public QObject {
  Q_OBJECT
private Q_SLOTS:
  void tolerancesAreTheFormats() {
    const Case none;
    QVERIFY(difference(number(1.0 + 1e-9), number(1.0), none).empty());
    QVERIFY(!difference(number(1.0 + 1e-7), number(1.0), none).empty());
    QVERIFY(difference(tensor<float>({}, {1.000005F}), tensor<float>({}, {1.0F}), none).empty());
    QVERIFY(!difference(tensor<float>({}, {1.0001F}), tensor<float>({}, {1.0F}), none).empty());
    Case loose;
    loose.rtol = 1e-3;
    QVERIFY(difference(number(1.0005), number(1.0), loose).empty());
  }
  void integersAreExact() {
    Case loose;
    loose.rtol = 0.5;
    QVERIFY(!difference(tensor<int64_t>({}, {(int64_t{1} << 62) + 1}),
                        tensor<int64_t>({}, {int64_t{1} << 62}), loose)
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
    QVERIFY(!difference(tensor<double>({1}, {1}), number(1), {}).empty());
    QVERIFY(!difference(tensor<float>({}, {1}), number(1), {}).empty());
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
