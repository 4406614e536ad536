// Scalar ops against a straightforward interpreter of one element, over dtypes and lengths around a vector's.
#include "graph_text.h"

#include "ops/scalar_op.h"

#include <cmath>
#include <functional>
#include <limits>
#include <random>

using namespace nodewise;
using namespace nodewise::testing;

namespace {

using Unary = double (*)(double);
using Binary = double (*)(double, double);

struct FloatRow {
  const char* op;
  Unary one = nullptr;
  Binary two = nullptr;
  double least = -3, most = 3; ///< range of inputs
};

double floorDiv(double x, double y) { return y == 0 ? x / y : std::floor(x / y); }
double pyMod(double x, double y) {
  if (y == 0) return std::numeric_limits<double>::quiet_NaN();
  const double r = std::fmod(x, y);
  return r != 0 && (r < 0) != (y < 0) ? r + y : r == 0 ? std::copysign(0.0, y) : r;
}

const FloatRow kFloatRows[] = {
    {"add", nullptr, [](double x, double y) { return x + y; }},
    {"sub", nullptr, [](double x, double y) { return x - y; }},
    {"mul", nullptr, [](double x, double y) { return x * y; }},
    {"true_div", nullptr, [](double x, double y) { return x / y; }},
    {"int_div", nullptr, floorDiv, 0.3, 9},
    {"mod", nullptr, pyMod},
    {"pow", nullptr, [](double x, double y) { return std::pow(x, y); }, 0.1, 3},
    {"maximum", nullptr,
     [](double x, double y) { return std::isnan(x) || std::isnan(y) ? std::nan("") : std::max(x, y); }},
    {"minimum", nullptr,
     [](double x, double y) { return std::isnan(x) || std::isnan(y) ? std::nan("") : std::min(x, y); }},
    {"arctan2", nullptr, [](double y, double x) { return std::atan2(y, x); }},
    {"neg", [](double x) { return -x; }},
    {"abs", [](double x) { return std::abs(x); }},
    {"sqr", [](double x) { return x * x; }},
    {"sqrt", [](double x) { return std::sqrt(x); }},
    {"reciprocal", [](double x) { return 1 / x; }},
    {"exp", [](double x) { return std::exp(x); }, nullptr, -700, 700},
    {"exp2", [](double x) { return std::exp2(x); }},
    {"expm1", [](double x) { return std::expm1(x); }},
    {"log", [](double x) { return std::log(x); }},
    {"log2", [](double x) { return std::log2(x); }},
    {"log10", [](double x) { return std::log10(x); }},
    {"log1p", [](double x) { return std::log1p(x); }},
    {"sin", [](double x) { return std::sin(x); }, nullptr, -1e5, 1e5},
    {"cos", [](double x) { return std::cos(x); }, nullptr, -1e5, 1e5},
    {"tan", [](double x) { return std::tan(x); }},
    {"arcsin", [](double x) { return std::asin(x); }},
    {"arccos", [](double x) { return std::acos(x); }},
    {"arctan", [](double x) { return std::atan(x); }},
    {"sinh", [](double x) { return std::sinh(x); }},
    {"cosh", [](double x) { return std::cosh(x); }},
    {"tanh", [](double x) { return std::tanh(x); }},
    {"arcsinh", [](double x) { return std::asinh(x); }},
    {"arccosh", [](double x) { return std::acosh(x); }},
    {"arctanh", [](double x) { return std::atanh(x); }},
    {"sign", [](double x) { return std::isnan(x) ? x : double((x > 0) - (x < 0)); }},
    {"ceil", [](double x) { return std::ceil(x); }},
    {"floor", [](double x) { return std::floor(x); }},
    {"trunc", [](double x) { return std::trunc(x); }},
    {"round_half_to_even", [](double x) { return std::nearbyint(x); }},
    {"round_half_away_from_zero", [](double x) { return std::round(x); }},
    {"erf", [](double x) { return std::erf(x); }},
    {"erfc", [](double x) { return std::erfc(x); }},
    {"gammaln", [](double x) { return std::lgamma(x); }, nullptr, 0.01, 50},
    {"sigmoid", [](double x) { return 1 / (1 + std::exp(-x)); }},
    {"softplus", [](double x) { return std::log1p(std::exp(x)); }, nullptr, -30, 30},
};

bool close(double found, double expected, double rtol) {
  if (std::isnan(expected)) return std::isnan(found);
  if (std::isinf(expected) || std::isinf(found)) return found == expected;
  return std::abs(found - expected) <= rtol * (std::abs(expected) + 0.1);
}

std::string elementwise(const std::string& op, const std::vector<std::string>& dtypes, const std::string& out,
                        const std::string& extra = {}) {
  std::string values, ids;
  for (size_t k = 0; k < dtypes.size(); ++k) {
    values += value(dtypes[k], "[null]") + ",";
    ids += (k ? "," : "") + std::to_string(k);
  }
  const std::string last = std::to_string(dtypes.size());
  return "{\"values\":[" + values + value(out, "[null]") + "],\"inputs\":[" + ids + "],\"outputs\":[" + last +
         "],\"nodes\":[{\"op\":\"Elemwise\",\"params\":{\"scalar_op\":\"" + op + "\"" + extra + "},\"in\":[" +
         ids + "],\"out\":[" + last + "]}]}";
}

constexpr int64_t kLengths[] = {0, 1, 2, 7, 8, 9, 63, 64, 65, 1000};

template <class T> std::vector<double> samples(const FloatRow& row, int64_t n, unsigned seed) {
  std::mt19937_64 random(seed);
  std::uniform_real_distribution<double> uniform(row.least, row.most);
  std::vector<double> x;
  for (int64_t k = 0; k < n; ++k) x.push_back(static_cast<T>(uniform(random)));
  // Values at which functions turn, among the others.
  const double special[] = {0.0,
                            -0.0,
                            1.0,
                            -1.0,
                            0.5,
                            -0.5,
                            1.5,
                            2.5,
                            std::numeric_limits<double>::infinity(),
                            -std::numeric_limits<double>::infinity(),
                            std::nan("")};
  if (row.least == -3)
    for (size_t k = 0; k < std::size(special) && 3 * k + 2 < x.size(); ++k) x[3 * k + seed % 3] = special[k];
  return x;
}

} // namespace

class TestScalarOps : public QObject {
  Q_OBJECT
private Q_SLOTS:
  void floatOpsMatchTheInterpreter_data() {
    QTest::addColumn<int>("row");
    QTest::addColumn<bool>("single");
    for (int r = 0; r < static_cast<int>(std::size(kFloatRows)); ++r)
      for (bool single : {false, true})
        QTest::addRow("%s float%d", kFloatRows[r].op, single ? 32 : 64) << r << single;
  }
  void floatOpsMatchTheInterpreter() {
    QFETCH(int, row);
    QFETCH(bool, single);
    if (single)
      check<float>(kFloatRows[row], "float32", 2e-5);
    else
      check<double>(kFloatRows[row], "float64", 1e-12);
  }

  void everyScalarOpCompiles_data() {
    QTest::addColumn<QString>("op");
    for (const ScalarOpRow& row : scalarOpTable())
      QTest::newRow(std::string(row.name).c_str()) << QString::fromStdString(std::string(row.name));
  }
  /// All dtypes of the op's domain, as many inputs as it takes; a strided loop and a vector loop are in each.
  void everyScalarOpCompiles() {
    QFETCH(QString, op);
    const ScalarOpRow* row = findScalarOp(op.toStdString());
    struct Domain {
      uint8_t bit;
      const char* dtype;
    };
    static constexpr Domain domains[] = {
        {OnBool, "bool"},     {OnInteger, "int8"},  {OnInteger, "uint16"}, {OnInteger, "int64"},
        {OnFloat, "float16"}, {OnFloat, "float32"}, {OnFloat, "float64"},  {OnComplex, "complex128"}};
    int compiled = 0;
    for (const Domain& d : domains) {
      if (!(row->domain & d.bit)) continue;
      std::string out = d.dtype;
      const bool toComplex = op == "complex" || op == "complex_from_polar";
      if (toComplex) out = "complex128";
      if (op.startsWith("is") || row->conversion == ScalarConversion::ToCommon) out = "bool";
      const bool toReal = op == "abs" || op == "real" || op == "imag" || op == "angle";
      if (toReal && d.bit == OnComplex) out = "float64";
      if (op == "angle" && d.bit != OnComplex) out = "float64";
      const std::vector<std::string> inputs(static_cast<size_t>(row->leastInputs), d.dtype);
      const std::string text = elementwise(op.toStdString(), inputs, out);
      auto session = openText(text, withoutCache());
      QVERIFY2(session, session ? "" : session.error().text().c_str());
      QCOMPARE((*session)->nodes()[0].kind, NodeKind::Kernel);
      Result<CompileSummary> summary = (*session)->compile({}, {}, {});
      QVERIFY(summary);
      QVERIFY2(summary->failed == 0,
               (op.toStdString() + " on " + d.dtype + ": " + (*session)->state(0).reason).c_str());
      ++compiled;
    }
    QVERIFY(compiled > 0);
  }

  void integersWrap() {
    const std::string text = elementwise("add", {"int8", "int8"}, "int8");
    auto out = runText(text, {tensorOf<int8_t>({3}, {127, -128, 100}), tensorOf<int8_t>({3}, {1, -1, 100})});
    QVERIFY(out);
    QCOMPARE(elementsOf<int8_t>((*out)[0]), (std::vector<int8_t>{-128, 127, -56}));
  }

  void integerDivisionRoundsDownAndNeverTraps() {
    const auto least = std::numeric_limits<int64_t>::min();
    const std::vector<int64_t> x{7, -7, 7, -7, 5, least}, y{2, 2, -2, -2, 0, -1};
    auto quotient = runText(elementwise("int_div", {"int64", "int64"}, "int64"),
                            {tensorOf<int64_t>({6}, x), tensorOf<int64_t>({6}, y)});
    QVERIFY(quotient);
    QCOMPARE(elementsOf<int64_t>((*quotient)[0]), (std::vector<int64_t>{3, -4, -4, 3, 0, least}));
    auto rest = runText(elementwise("mod", {"int64", "int64"}, "int64"),
                        {tensorOf<int64_t>({6}, x), tensorOf<int64_t>({6}, y)});
    QVERIFY(rest);
    QCOMPARE(elementsOf<int64_t>((*rest)[0]), (std::vector<int64_t>{1, 1, -1, -1, 0, 0}));
  }

  void floorDivisionIsExact() {
    auto out = runText(elementwise("int_div", {"float64", "float64"}, "float64"),
                       {tensorOf<double>({2}, {1.0, -1.0}),
                        tensorOf<double>({2}, {0.1, std::numeric_limits<double>::infinity()})});
    QVERIFY(out);
    QCOMPARE(elementsOf<double>((*out)[0]), (std::vector<double>{9.0, -1.0}));
  }

  void aNegativeIntegerPowerIsAValueError() {
    const std::string text = elementwise("pow", {"int64", "int64"}, "int64");
    auto good = runText(text, {tensorOf<int64_t>({3}, {2, 3, -2}), tensorOf<int64_t>({3}, {10, 0, 3})});
    QVERIFY(good);
    QCOMPARE(elementsOf<int64_t>((*good)[0]), (std::vector<int64_t>{1024, 1, -8}));
    auto bad = runText(text, {tensorOf<int64_t>({2}, {2, 3}), tensorOf<int64_t>({2}, {1, -1})});
    QVERIFY(!bad);
    QCOMPARE(bad.error().type, std::string("ValueError"));
    QVERIFY2(bad.error().text().find("Elemwise") != std::string::npos, bad.error().text().c_str());
    QVERIFY2(bad.error().text().find("i64[2]") != std::string::npos, bad.error().text().c_str());
  }

  void switchShowsNothingOfTheOtherBranch() {
    const double nan = std::nan(""), inf = std::numeric_limits<double>::infinity();
    auto out = runText(elementwise("switch", {"bool", "float64", "float64"}, "float64"),
                       {tensorOf<bool>({3}, {true, false, true}), tensorOf<double>({3}, {1, nan, 3}),
                        tensorOf<double>({3}, {inf, 2, nan})});
    QVERIFY(out);
    QCOMPARE(elementsOf<double>((*out)[0]), (std::vector<double>{1, 2, 3}));
  }

  void comparisonsPromote() {
    // int64 with float64 compares as doubles.
    auto out = runText(elementwise("lt", {"int64", "float64"}, "bool"),
                       {tensorOf<int64_t>({3}, {1, 2, 3}), tensorOf<double>({3}, {1.5, 2.0, 2.5})});
    QVERIFY(out);
    QCOMPARE(elementsOf<bool>((*out)[0]), (std::vector<bool>{true, false, false}));
  }

  void fusedIntermediatesAreRoundedToTheirDtype() {
    // (x + 1) in float32, then minus 1 in float64: what float32 rounds away stays away.
    const std::string inner =
        R"({"values":[)" + scalar("float64") + "," + scalar("float64") + "," + scalar("float32") + "," +
        scalar("float64") + "," + scalar("float64") +
        R"(],"inputs":[0,1],"outputs":[4],"nodes":[{"op":"add","in":[0,1],"out":[2]},{"op":"cast","params":{"dtype":"float64"},"in":[2],"out":[3]},{"op":"sub","in":[3,1],"out":[4]}]})";
    auto out = runText(elementwise("composite", {"float64", "float64"}, "float64", ",\"graph\":" + inner),
                       {tensorOf<double>({1}, {1e-9}), tensorOf<double>({1}, {1.0})});
    QVERIFY(out);
    QCOMPARE(elementsOf<double>((*out)[0]), (std::vector<double>{0.0}));
  }

  void aScalarLoopStopsWhenDone() {
    // x doubles until it passes a limit.
    const std::string inner =
        R"({"values":[)" + scalar("float64") + "," + scalar("float64") + "," + scalar("float64") + "," +
        scalar("bool") +
        R"(],"inputs":[0,1],"outputs":[2,3],"nodes":[{"op":"add","in":[0,0],"out":[2]},{"op":"gt","in":[2,1],"out":[3]}]})";
    const std::string text = "{\"values\":[" + value("int64", "[null]") + "," + value("float64", "[null]") +
                             "," + value("float64", "[null]") + "," + value("float64", "[null]") + "," +
                             value("bool", "[null]") +
                             "],\"inputs\":[0,1,2],\"outputs\":[3,4],\"nodes\":[{\"op\":\"Elemwise\","
                             "\"params\":{\"scalar_op\":\"scalar_loop\",\"as_while\":true,\"graph\":" +
                             inner + "},\"in\":[0,1,2],\"out\":[3,4]}]}";
    auto out = runText(text, {tensorOf<int64_t>({3}, {100, 2, 0}), tensorOf<double>({3}, {1, 1, 1}),
                              tensorOf<double>({3}, {10, 10, 10})});
    QVERIFY2(out, out ? "" : out.error().text().c_str());
    QCOMPARE(elementsOf<double>((*out)[0]), (std::vector<double>{16, 4, 1}));
    QCOMPARE(elementsOf<bool>((*out)[1]), (std::vector<bool>{true, false, false}));
  }

  void scalarLoopsRunInsideScalarGraphs_data() {
    QTest::addColumn<QString>("outer"); // the scalar op, with its params
    QTest::addColumn<QList<double>>("expected");
    const std::string f = scalar("float64"), i = scalar("int64"), flag = scalar("bool");
    const std::string one =
        R"({"type":{"kind":"scalar","dtype":"float64"},"const":{"dtype":"float64","shape":[],"data":[1.0]}})";
    const std::string truth =
        R"({"type":{"kind":"scalar","dtype":"bool"},"const":{"dtype":"bool","shape":[],"data":[true]}})";
    const std::string limit =
        R"({"type":{"kind":"scalar","dtype":"float64"},"const":{"dtype":"float64","shape":[],"data":[2.5]}})";
    // x + 1, n times
    const std::string counting =
        R"("op":"scalar_loop","params":{"graph":{"values":[)" + f + "," + one + "," + f +
        R"(],"inputs":[0],"outputs":[2],"nodes":[{"op":"add","in":[0,1],"out":[2]}]}})";
    // (x + 1, x + 1 > 2.5), n times, or until the second is true
    const auto limited = [&](const std::string& asWhile) {
      return R"("op":"scalar_loop","params":{)" + asWhile + R"("graph":{"values":[)" + f + "," + flag + "," +
             one + "," + limit + "," + f + "," + flag +
             R"(],"inputs":[0,1],"outputs":[4,5],"nodes":[{"op":"add","in":[0,2],"out":[4]},)" +
             R"({"op":"gt","in":[4,3],"out":[5]}]}})";
    };
    const auto row = [](const char* name, const std::string& op, const std::string& graph,
                        const QList<double>& expected) {
      QTest::newRow(name) << QString::fromStdString("\"scalar_op\":\"" + op + "\",\"graph\":" + graph)
                          << expected;
    };
    // Of the steps n and x: {2, 0, 4} and {0, 1, 10}.
    row("in a composite", "composite",
        R"({"values":[)" + i + "," + f + "," + f + "," + f + R"(],"inputs":[0,1],"outputs":[3],"nodes":[{)" +
            counting + R"(,"in":[0,1],"out":[2]},{"op":"mul","in":[2,1],"out":[3]}]})",
        {0, 1, 140});
    row("in a loop", "scalar_loop",
        R"({"values":[)" + f + "," + f + R"(],"inputs":[0],"outputs":[1],"nodes":[{)" + counting +
            R"(,"in":[0,0],"out":[1]}]})", // each step doubles x
        {0, 1, 160});
    for (const bool asWhile : {true, false})
      row(asWhile ? "until done" : "the same, not until done", "composite",
          R"({"values":[)" + i + "," + f + "," + truth + "," + f + "," + flag + "," + f +
              R"(],"inputs":[0,1],"outputs":[5],"nodes":[{)" + limited(asWhile ? R"("as_while":true,)" : "") +
              R"(,"in":[0,1,2],"out":[3,4]},{"op":"add","in":[3,4],"out":[5]}]})",
          asWhile ? QList<double>{2, 1, 12} : QList<double>{2, 2, 15});
  }
  void scalarLoopsRunInsideScalarGraphs() {
    QFETCH(QString, outer);
    QFETCH(QList<double>, expected);
    const std::string text =
        "{\"values\":[" + value("int64", "[null]") + "," + value("float64", "[null]") + "," +
        value("float64", "[null]") +
        "],\"inputs\":[0,1],\"outputs\":[2],\"nodes\":[{\"op\":\"Elemwise\",\"params\":{" +
        outer.toStdString() + "},\"in\":[0,1],\"out\":[2]}]}";
    auto out = runText(text, {tensorOf<int64_t>({3}, {2, 0, 4}), tensorOf<double>({3}, {0, 1, 10})});
    QVERIFY2(out, out ? "" : out.error().text().c_str());
    QCOMPARE(elementsOf<double>((*out)[0]), (std::vector<double>{expected.begin(), expected.end()}));
  }
  void aWrongLoopInsideAScalarGraphIsAnError() {
    // The loop takes steps and a state, its graph one input more.
    const std::string f = scalar("float64");
    const std::string inner =
        R"({"values":[)" + f + "," + f + R"(],"inputs":[0],"outputs":[1],"nodes":[{)" +
        R"("op":"scalar_loop","params":{"graph":{"values":[)" + f + "," + f + "," + f +
        R"(],"inputs":[0,1],"outputs":[2],"nodes":[{"op":"add","in":[0,1],"out":[2]}]}})" +
        R"(,"in":[0,0],"out":[1]}]})";
    auto out = runText(elementwise("composite", {"float64"}, "float64", ",\"graph\":" + inner),
                       {tensorOf<double>({1}, {1})});
    QVERIFY(!out);
    QVERIFY2(out.error().text().find("expected 1 inputs, found 2") != std::string::npos,
             out.error().text().c_str());
    QVERIFY2(out.error().where.find("params.graph.nodes[0].params.graph") != std::string::npos,
             out.error().where.c_str());
  }

  void onlyStaticallyOneBroadcasts() {
    const std::string rows = "{\"values\":[" + value("float64", "[null,1]") + "," +
                             value("float64", "[null,null]") + "," + value("float64", "[null,null]") +
                             "],\"inputs\":[0,1],\"outputs\":[2],\"nodes\":[{\"op\":\"Elemwise\",\"params\":{"
                             "\"scalar_op\":\"add\"},\"in\":[0,1],\"out\":[2]}]}";
    auto out =
        runText(rows, {tensorOf<double>({2, 1}, {10, 20}), tensorOf<double>({2, 3}, {1, 2, 3, 4, 5, 6})});
    QVERIFY(out);
    QCOMPARE(elementsOf<double>((*out)[0]), (std::vector<double>{11, 12, 13, 24, 25, 26}));
    auto bad = runText(elementwise("add", {"float64", "float64"}, "float64"),
                       {tensorOf<double>({1}, {1}), tensorOf<double>({3}, {1, 2, 3})});
    QVERIFY(!bad);
    QCOMPARE(bad.error().type, std::string("ValueError"));
  }

private:
  template <class T> void check(const FloatRow& row, const std::string& dtype, double rtol) {
    const std::vector<std::string> in(row.one ? 1 : 2, dtype);
    auto session = openText(elementwise(row.op, in, dtype), withoutCache());
    QVERIFY2(session, session ? "" : session.error().text().c_str());
    for (int64_t n : kLengths) {
      const std::vector<double> x = samples<T>(row, n, 1), y = samples<T>(row, n, 2);
      auto typed = [&](const std::vector<double>& v) {
        return tensorOf<T>({n}, std::vector<T>(v.begin(), v.end()));
      };
      std::vector<Data> inputs{typed(x)};
      if (row.two) inputs.push_back(typed(y));
      auto result = (*session)->run(inputs, 1, false, {});
      QVERIFY2(result, result ? "" : result.error().text().c_str());
      const std::vector<T> found = elementsOf<T>(result->outputs[0]);
      QCOMPARE(static_cast<int64_t>(found.size()), n);
      for (size_t k = 0; k < found.size(); ++k) {
        const double expected =
            static_cast<double>(static_cast<T>(row.one ? row.one(x[k]) : row.two(x[k], y[k])));
        QVERIFY2(close(static_cast<double>(found[k]), expected, rtol),
                 qPrintable(QString("%1(%2, %3) of %4: found %5, expected %6")
                                .arg(row.op)
                                .arg(x[k])
                                .arg(row.two ? y[k] : 0)
                                .arg(n)
                                .arg(static_cast<double>(found[k]))
                                .arg(expected)));
      }
    }
  }
};

QTEST_GUILESS_MAIN(TestScalarOps)
#include "tst_scalar_ops.moc"
