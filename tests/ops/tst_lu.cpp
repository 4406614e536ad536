#include "ops/dense.h"

#include <QtTest>

#include <algorithm>
#include <cmath>
#include <limits>

using namespace nodewise;
using namespace nodewise::testing;

namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

struct Shape2 {
  int64_t m, n;
};
constexpr Shape2 kShapes[] = {{0, 0}, {0, 3}, {3, 0}, {1, 1}, {2, 2}, {7, 7}, {33, 33}, {8, 5}, {5, 8}};

Dense rowsOf(const Dense& a, const Dense& order) {
  Dense result(order.rows, a.cols);
  for (int64_t i = 0; i < order.rows; ++i)
    for (int64_t j = 0; j < a.cols; ++j) result(i, j) = a(static_cast<int64_t>(order(i, 0).real()), j);
  return result;
}

/// The tridiagonal matrix of three diagonals.
Dense tridiagonal(const Dense& below, const Dense& main, const Dense& above) {
  Dense a(main.rows, main.rows);
  for (int64_t i = 0; i < main.rows; ++i) {
    a(i, i) = main(i, 0);
    if (i + 1 < main.rows) {
      a(i + 1, i) = below(i, 0);
      a(i, i + 1) = above(i, 0);
    }
  }
  return a;
}

} // namespace

class TestLu : public QObject {
  Q_OBJECT

private Q_SLOTS:
  void luMultipliesBack_data() { addLapackRows(); }
  void luMultipliesBack();
  void luRefusesWhatIsNotFinite();
  void luFactorPacksBothFactors_data() { addLapackRows(); }
  void luFactorPacksBothFactors();
  void luFactorOfSingularIsNotANumber();
  void pivotsBecomePermutations();
  void wildPivotsAreRefused();
  void tridiagonalFactorsSolve_data() { addLapackRows(); }
  void tridiagonalFactorsSolve();
  void tridiagonalLengthsAreChecked();
  void tridiagonalPivotsAreChecked();
  void wrongParamsAreRefused();
};

void TestLu::luMultipliesBack() {
  QFETCH(int, dtype);
  const auto d = static_cast<DType>(dtype);
  const DType real = realPart(d);
  for (const auto [m, n] : kShapes)
    for (const Layout layout : kLayouts) {
      const Dense a = randomDense(m, n, d, 1);
      const double tolerance = toleranceOf(d);
      OpCall call{"LU", {}, {toData(a, d)}, {matrixType(d), matrixType(d), matrixType(d)}};
      call.layout = layout;
      const auto full = outputsOf(call);
      const Dense &p = full[0], &l = full[1], &u = full[2];
      QVERIFY(maxAbs(p * l * u - a) <= tolerance);
      QVERIFY(maxAbs(p * transpose(p) - identityDense(m)) == 0);
      QVERIFY(maxAbs(l - lowerTriangle(l)) == 0 && maxAbs(u - upperTriangle(u)) == 0 &&
              maxAbs(l) <= std::sqrt(2.0) + tolerance);

      call.params = {{"permute_l", true}};
      call.outputTypes = {matrixType(d), matrixType(d)};
      const auto permuted = outputsOf(call);
      QVERIFY(maxAbs(permuted[0] - p * l) == 0 && maxAbs(permuted[1] - u) == 0);

      call.params = {{"p_indices", true}};
      call.outputTypes = {vectorType(DType::Int32), matrixType(d), matrixType(d)};
      const auto indexed = outputsOf(call);
      QVERIFY(maxAbs(rowsOf(indexed[1], indexed[0]) - p * l) == 0 && maxAbs(indexed[2] - u) == 0);
    }
  const OpCall realPermutation{
      "LU", {}, {toData(randomDense(3, 3, d, 2), d)}, {matrixType(real), matrixType(d), matrixType(d)}};
  QVERIFY(maxAbs(outputsOf(realPermutation)[0]) == 1);
}

void TestLu::luRefusesWhatIsNotFinite() {
  const DType d = DType::Float64;
  const OpCall call{
      "LU", {}, {toData(denseOf({{1, kNaN}, {0, 1}}), d)}, {matrixType(d), matrixType(d), matrixType(d)}};
  QCOMPARE(callOp(call).errorText(), std::string("ValueError: the matrix has to be finite"));
}

void TestLu::luFactorPacksBothFactors() {
  QFETCH(int, dtype);
  const auto d = static_cast<DType>(dtype);
  for (const auto [m, n] : kShapes)
    for (const Layout layout : kLayouts) {
      const Dense a = randomDense(m, n, d, 3);
      OpCall call{"LUFactor", {}, {toData(a, d)}, {matrixType(d), vectorType(DType::Int32)}};
      call.layout = layout;
      const auto result = outputsOf(call);
      const int64_t k = std::min(m, n);
      Dense l = columns(lowerTriangle(result[0], 1), 0, k),
            u = transpose(columns(transpose(upperTriangle(result[0])), 0, k));
      for (int64_t i = 0; i < k; ++i) l(i, i) = 1;
      Dense swapped = a;
      for (int64_t i = 0; i < k; ++i) {
        const auto other = static_cast<int64_t>(result[1](i, 0).real());
        QVERIFY(other >= i && other < m);
        for (int64_t j = 0; j < n; ++j) std::swap(swapped(i, j), swapped(other, j));
      }
      QVERIFY(maxAbs(l * u - swapped) <= toleranceOf(d));
    }
}

void TestLu::luFactorOfSingularIsNotANumber() {
  for (const DType d : kLapackDTypes) {
    const OpCall call{
        "LUFactor", {}, {toData(denseOf({{1, 2}, {2, 4}}), d)}, {matrixType(d), vectorType(DType::Int32)}};
    QVERIFY(allNaN(outputsOf(call)[0]));
  }
}

void TestLu::pivotsBecomePermutations() {
  const Data pivots = vectorOf<int32_t>({2, 2, 2, 3});
  const std::vector<Type> out{vectorType(DType::Int64)};
  QCOMPARE(mismatch({"PivotToPermutations", {{"inverse", true}}, {pivots}, out},
                    {vectorOf<int64_t>({2, 0, 1, 3})}),
           std::string());
  QCOMPARE(mismatch({"PivotToPermutations", {{"inverse", false}}, {pivots}, out},
                    {vectorOf<int64_t>({1, 2, 0, 3})}),
           std::string());
  QCOMPARE(
      mismatch({"PivotToPermutations", {}, {vectorOf<int64_t>({-1, 1})}, out}, {vectorOf<int64_t>({1, 0})}),
      std::string());
  QCOMPARE(mismatch({"PivotToPermutations", {}, {vectorOf<int32_t>({})}, out}, {vectorOf<int64_t>({})}),
           std::string());
}

void TestLu::wildPivotsAreRefused() {
  for (const int64_t wild :
       {int64_t{2}, int64_t{-3}, std::numeric_limits<int64_t>::max(), std::numeric_limits<int64_t>::min()}) {
    const OpCall call{"PivotToPermutations", {}, {vectorOf<int64_t>({0, wild})}, {vectorType(DType::Int64)}};
    QCOMPARE(callOp(call).errorText(), std::string("IndexError: a pivot is outside of the 2 rows"));
  }
}

void TestLu::tridiagonalFactorsSolve() {
  QFETCH(int, dtype);
  const auto d = static_cast<DType>(dtype);
  for (const int64_t n : kSizes)
    for (const Layout layout : kLayouts) {
      const int64_t beside = std::max<int64_t>(n - 1, 0);
      const Dense below = randomDense(beside, 1, d, 4), main = randomDense(n, 1, d, 5),
                  above = randomDense(beside, 1, d, 6);
      const Dense a = tridiagonal(below, main, above);
      OpCall factor{"LUFactorTridiagonal",
                    {},
                    {toData(below, d, true), toData(main, d, true), toData(above, d, true)},
                    {vectorType(d), vectorType(d), vectorType(d), vectorType(d), vectorType(DType::Int32)}};
      factor.layout = layout;
      const OpOutcome factors = callOp(factor);
      QCOMPARE(factors.errorText(), std::string());
      QCOMPARE(factors.outputs[3].tensor()->shape[0], std::max<int64_t>(n - 2, 0));
      for (const bool transposed : {false, true})
        for (const int64_t k : {1, 3}) {
          const Dense b = randomDense(n, k, d, 7);
          OpCall solve{"SolveLUFactorTridiagonal",
                       {{"b_ndim", k == 1 ? 1 : 2}, {"transposed", transposed}},
                       factors.outputs,
                       {k == 1 ? vectorType(d) : matrixType(d)}};
          solve.inputs.push_back(toData(b, d, k == 1));
          solve.layout = layout;
          for (int inPlace = 0; inPlace < 2; ++inPlace) {
            const Dense x = outputsOf(solve)[0];
            QVERIFY(maxAbs((transposed ? transpose(a) : a) * x - b) <= toleranceOf(d) * (1 + maxAbs(x)));
            solve.destroys = {{0, 5}};
          }
        }
    }
}

void TestLu::tridiagonalLengthsAreChecked() {
  const DType d = DType::Float64;
  const OpCall call{"LUFactorTridiagonal",
                    {},
                    {rampOf(d, {3}), rampOf(d, {3}), rampOf(d, {2})},
                    {vectorType(d), vectorType(d), vectorType(d), vectorType(d), vectorType(DType::Int32)}};
  QCOMPARE(callOp(call).errorText(),
           std::string("ValueError: the diagonals beside one of 3 elements need 2, found 3 and 2"));
}

void TestLu::tridiagonalPivotsAreChecked() {
  const DType d = DType::Float64;
  for (const int32_t wild : {0, 3, -5, 1000000}) {
    const OpCall call{"SolveLUFactorTridiagonal",
                      {{"b_ndim", 1}},
                      {rampOf(d, {2}, 1), rampOf(d, {3}, 1), rampOf(d, {2}, 1), rampOf(d, {1}, 1),
                       vectorOf<int32_t>({wild, 2, 3}), rampOf(d, {3}, 1)},
                      {vectorType(d)}};
    QCOMPARE(callOp(call).errorText(),
             std::string("ValueError: pivot i of a tridiagonal factor has to be i or i + 1"));
  }
}

void TestLu::wrongParamsAreRefused() {
  const DType d = DType::Float64;
  const OpCall both{
      "LU", {{"permute_l", true}, {"p_indices", true}}, {rampOf(d, {2, 2})}, {matrixType(d), matrixType(d)}};
  QCOMPARE(callOp(both).errorText(),
           std::string("$.graph.nodes[0].params.p_indices: expected false where permute_l is true"));
  const OpCall outputs{"LU", {{"permute_l", true}}, {rampOf(d, {2, 2})}, {matrixType(d)}};
  QCOMPARE(callOp(outputs).errorText(), std::string("$.graph.nodes[0]: LU takes 2 outputs, found 1"));
  const OpCall pivots{"LUFactor", {}, {rampOf(d, {2, 2})}, {matrixType(d), vectorType(DType::Int64)}};
  QCOMPARE(callOp(pivots).errorText(),
           std::string("$.graph.nodes[0]: output 1 has to be int32, but is int64"));
}

QTEST_APPLESS_MAIN(TestLu)
#include "tst_lu.moc"
