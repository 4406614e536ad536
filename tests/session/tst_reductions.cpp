// Reductions along any axes against naive loops: all axis sets, ranks, strided and transposed inputs, dtypes.
#include "graph_text.h"

#include <cmath>
#include <limits>
#include <numeric>
#include <random>

using namespace nodewise;
using namespace nodewise::testing;

namespace {

std::string list(const std::vector<int>& v) {
  std::string text = "[";
  for (size_t k = 0; k < v.size(); ++k) text += (k ? "," : "") + std::to_string(v[k]);
  return text + "]";
}
std::string unknown(size_t rank) {
  std::string text = "[";
  for (size_t k = 0; k < rank; ++k) text += k ? ",null" : "null";
  return text + "]";
}

/// x -> (transpose by `order`) -> op over axes.
std::string reduction(const std::string& op, const std::string& params, const std::string& in,
                      const std::string& out, const std::vector<int>& order, size_t kept) {
  const std::string rank = unknown(order.size());
  return "{\"values\":[" + value(in, rank) + "," + value(in, rank) + "," + value(out, unknown(kept)) +
         "],\"inputs\":[0],\"outputs\":[2],\"nodes\":[" +
         "{\"op\":\"DimShuffle\",\"params\":{\"new_order\":" + list(order) +
         "},\"in\":[0],\"out\":[1],\"views\":[[0,0]]}," + "{\"op\":\"" + op + "\",\"params\":{" + params +
         "},\"in\":[1],\"out\":[2]}]}";
}

struct ReduceCase {
  std::vector<int64_t> shape; ///< before the transpose
  std::vector<int> order;     ///< of the transpose
  std::vector<int> axes;      ///< reduced, after it
};

/// Position in the result of each element, by its position in x.
std::vector<size_t> targets(const ReduceCase& c, std::vector<int64_t>& outShape) {
  const size_t rank = c.shape.size();
  outShape.clear();
  for (size_t a = 0; a < rank; ++a)
    if (std::ranges::find(c.axes, static_cast<int>(a)) == c.axes.end())
      outShape.push_back(c.shape[static_cast<size_t>(c.order[a])]);
  int64_t count = 1;
  for (int64_t n : c.shape) count *= n;
  std::vector<size_t> out;
  for (int64_t i = 0; i < count; ++i) {
    std::vector<int64_t> index(rank);
    int64_t rest = i;
    for (size_t a = rank; a-- > 0;) {
      index[a] = rest % c.shape[a];
      rest /= c.shape[a];
    }
    int64_t at = 0;
    for (size_t a = 0; a < rank; ++a)
      if (std::ranges::find(c.axes, static_cast<int>(a)) == c.axes.end())
        at = at * c.shape[static_cast<size_t>(c.order[a])] + index[static_cast<size_t>(c.order[a])];
    out.push_back(static_cast<size_t>(at));
  }
  return out;
}

} // namespace

class TestReductions : public QObject {
  Q_OBJECT
private Q_SLOTS:
  void sumsAlongAnyAxesMatchLoops_data() {
    QTest::addColumn<int>("seed");
    for (int seed = 0; seed < 60; ++seed) QTest::addRow("%d", seed) << seed;
  }
  void sumsAlongAnyAxesMatchLoops() {
    QFETCH(int, seed);
    const ReduceCase c = randomCase(static_cast<unsigned>(seed));
    std::vector<int64_t> outShape;
    const std::vector<size_t> target = targets(c, outShape);
    std::mt19937_64 random(static_cast<unsigned>(seed) + 1000);
    std::uniform_real_distribution<double> uniform(-1, 1);
    std::vector<double> x(target.size());
    for (double& v : x) v = uniform(random);
    size_t size = 1;
    for (int64_t n : outShape) size *= static_cast<size_t>(n);
    std::vector<double> sum(size, 0.0), most(size, -std::numeric_limits<double>::infinity());
    for (size_t k = 0; k < x.size(); ++k) {
      sum[target[k]] += x[k];
      most[target[k]] = std::max(most[target[k]], x[k]);
    }
    const std::string axis = "\"axis\":" + list(c.axes);
    auto found = runText(reduction("Sum", axis, "float64", "float64", c.order, outShape.size()),
                         {tensorOf<double>(c.shape, x)});
    QVERIFY2(found, found ? "" : found.error().text().c_str());
    QCOMPARE((*found)[0].tensor()->shape, outShape);
    const auto values = elementsOf<double>((*found)[0]);
    for (size_t k = 0; k < size; ++k)
      QVERIFY2(std::abs(values[k] - sum[k]) < 1e-12 * static_cast<double>(x.size() + 1),
               qPrintable(QString("element %1: %2, expected %3").arg(k).arg(values[k]).arg(sum[k])));
    if (x.empty()) return;
    auto greatest = runText(reduction("Max", axis, "float64", "float64", c.order, outShape.size()),
                            {tensorOf<double>(c.shape, x)});
    QVERIFY2(greatest, greatest ? "" : greatest.error().text().c_str());
    QCOMPARE(elementsOf<double>((*greatest)[0]), most);
  }

  void overNothingIsTheIdentity() {
    const Data none = tensorOf<double>({2, 0}, {});
    auto run = [&](const char* op) {
      return runText(reduction(op, "\"axis\":[1]", "float64", "float64", {0, 1}, 1), {none});
    };
    QCOMPARE(elementsOf<double>((*run("Sum"))[0]), (std::vector<double>{0, 0}));
    QCOMPARE(elementsOf<double>((*run("Prod"))[0]), (std::vector<double>{1, 1}));
    QCOMPARE(elementsOf<double>((*run("ProdWithoutZeros"))[0]), (std::vector<double>{1, 1}));
    for (const char* op : {"Max", "Min"}) {
      auto bad = run(op);
      QVERIFY(!bad);
      QCOMPARE(bad.error().type, std::string("ValueError"));
    }
  }

  void productsLeaveZerosOut() {
    auto out = runText(reduction("ProdWithoutZeros", "\"axis\":[1]", "float64", "float64", {0, 1}, 1),
                       {tensorOf<double>({2, 3}, {2, 0, 3, 0, 0, 0})});
    QVERIFY(out);
    QCOMPARE(elementsOf<double>((*out)[0]), (std::vector<double>{6, 0}));
  }

  void notANumberWins() {
    const double nan = std::nan("");
    for (const char* op : {"Max", "Min"}) {
      auto out = runText(reduction(op, "\"axis\":[0]", "float64", "float64", {0}, 0),
                         {tensorOf<double>({5}, {1, 2, nan, 3, 4})});
      QVERIFY(out);
      QVERIFY(std::isnan(elementsOf<double>((*out)[0])[0]));
    }
  }

  void smallIntegersAccumulateInTheirAccumulator() {
    const std::vector<int8_t> x(300, 100);
    auto wide = runText(reduction("Sum", "\"axis\":[0],\"acc_dtype\":\"int64\"", "int8", "int64", {0}, 0),
                        {tensorOf<int8_t>({300}, x)});
    QVERIFY(wide);
    QCOMPARE(elementsOf<int64_t>((*wide)[0])[0], int64_t{30000});
    auto all = runText(reduction("All", "\"axis\":[0]", "bool", "bool", {0}, 0),
                       {tensorOf<bool>({3}, {true, true, false})});
    QVERIFY(all);
    QCOMPARE(elementsOf<bool>((*all)[0])[0], false);
  }

  void longFloat32SumsStayExact() {
    const std::vector<float> x(1'000'000, 0.1F);
    auto out = runText(reduction("Sum", "\"axis\":[0]", "float32", "float32", {0}, 0),
                       {tensorOf<float>({1'000'000}, x)});
    QVERIFY(out);
    QVERIFY(std::abs(elementsOf<float>((*out)[0])[0] - 100000.0015F) < 0.01F);
  }

  void argmaxIsTheFirstGreatest() {
    const std::string text = "{\"values\":[" + value("float64", "[null,null]") + "," +
                             value("int64", "[null]") +
                             "],\"inputs\":[0],\"outputs\":[1],\"nodes\":[{\"op\":\"Argmax\",\"params\":{"
                             "\"axis\":[1]},\"in\":[0],\"out\":[1]}]}";
    const double nan = std::nan("");
    auto out = runText(text, {tensorOf<double>({3, 4}, {1, 3, 3, 2, 5, nan, 9, nan, -1, -1, -2, -1})});
    QVERIFY(out);
    QCOMPARE(elementsOf<int64_t>((*out)[0]), (std::vector<int64_t>{1, 1, 0}));
  }

  void runningSumsAlongEachAxis() {
    auto text = [](const char* axis, const char* mode) {
      return "{\"values\":[" + value("float64", "[null,null]") + "," + value("float64", "[null,null]") +
             "],\"inputs\":[0],\"outputs\":[1],\"nodes\":[{\"op\":\"CumOp\",\"params\":{\"axis\":" + axis +
             ",\"mode\":\"" + mode + "\"},\"in\":[0],\"out\":[1]}]}";
    };
    const Data x = tensorOf<double>({2, 3}, {1, 2, 3, 4, 5, 6});
    QCOMPARE(elementsOf<double>((*runText(text("0", "add"), {x}))[0]),
             (std::vector<double>{1, 2, 3, 5, 7, 9}));
    QCOMPARE(elementsOf<double>((*runText(text("1", "mul"), {x}))[0]),
             (std::vector<double>{1, 2, 6, 4, 20, 120}));
  }

  void aWrongAxisNamesItsPlace() {
    auto bad = runText(reduction("Sum", "\"axis\":[2]", "float64", "float64", {0, 1}, 1),
                       {tensorOf<double>({1, 1}, {1})});
    QVERIFY(!bad);
    QVERIFY2(bad.error().text().find("nodes[1].params.axis") != std::string::npos,
             bad.error().text().c_str());
  }

private:
  static ReduceCase randomCase(unsigned seed) {
    std::mt19937 random(seed);
    auto upTo = [&](int n) { return static_cast<int>(random() % static_cast<unsigned>(n)); };
    static constexpr int64_t lengths[] = {0, 1, 2, 3, 7, 8, 9, 40, 130};
    ReduceCase c;
    const int rank = 1 + upTo(4);
    for (int a = 0; a < rank; ++a) {
      // Empty axes are rare, long ones only in small ranks.
      const int64_t length = lengths[upTo(12) == 0 ? 0 : 1 + upTo(rank <= 2 ? 8 : 6)];
      c.shape.push_back(length);
      c.order.push_back(a);
    }
    std::shuffle(c.order.begin(), c.order.end(), random);
    for (int a = 0; a < rank; ++a)
      if (upTo(2)) c.axes.push_back(a);
    return c;
  }
};

QTEST_GUILESS_MAIN(TestReductions)
#include "tst_reductions.moc"
