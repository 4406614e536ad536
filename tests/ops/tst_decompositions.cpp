#include "ops/dense.h"

#include <QtTest>

#include <algorithm>
#include <cmath>
#include <limits>

using namespace nodewise;
using namespace nodewise::testing;

namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
constexpr double kInf = std::numeric_limits<double>::infinity();

struct Shape2 {
  int64_t m, n;
};
constexpr Shape2 kShapes[] = {{0, 0}, {0, 3}, {3, 0}, {1, 1}, {2, 2},
                              {1, 7}, {7, 1}, {8, 5}, {5, 8}, {33, 9}};

/// Columns of a in the order of an index vector.
Dense columnsInOrder(const Dense& a, const Dense& order) {
  Dense result(a.rows, a.cols);
  for (int64_t j = 0; j < a.cols; ++j)
    for (int64_t i = 0; i < a.rows; ++i) result(i, j) = a(i, static_cast<int64_t>(order(j, 0).real()));
  return result;
}

double distanceToOrthogonal(const Dense& q) { return maxAbs(adjoint(q) * q - identityDense(q.cols)); }

std::vector<Type> withColumns(std::vector<Type> types, bool pivoting) {
  if (pivoting) types.push_back(vectorType(DType::Int32));
  return types;
}

} // namespace

class TestDecompositions : public QObject {
  Q_OBJECT

private Q_SLOTS:
  void qrMultipliesBack_data() { addLapackLayoutRows(); }
  void qrMultipliesBack();
  void qrModesAgree_data() { addLapackLayoutRows(); }
  void qrModesAgree();
  void qrPivotsMakeTheDiagonalDescend();
  void qrOfNotANumberDoesNotHang();
  void svdMultipliesBack_data() { addLapackLayoutRows(); }
  void svdMultipliesBack();
  void svdOfIntegersIsComputedInFloat();
  void svdOfNotFiniteIsAnError();
  void wrongNodesAreRefused();
};

void TestDecompositions::qrMultipliesBack() {
  QFETCH(int, dtype);
  QFETCH(int, layout);
  const auto d = static_cast<DType>(dtype);
  for (const auto [m, n] : kShapes)
    for (const bool full : {true, false})
      for (const bool pivoting : {true, false}) {
        const Dense a = randomDense(m, n, d, 1);
        OpCall call{"QR",
                    {{"mode", full ? "full" : "economic"}, {"pivoting", pivoting}},
                    {toData(a, d)},
                    withColumns({matrixType(d), matrixType(d)}, pivoting)};
        call.layout = static_cast<Layout>(layout);
        const auto out = outputsOf(call);
        const Dense &q = out[0], &r = out[1];
        QCOMPARE(q.cols, full ? m : std::min(m, n));
        QVERIFY(maxAbs(q * r - (pivoting ? columnsInOrder(a, out[2]) : a)) <= toleranceOf(d));
        QVERIFY(distanceToOrthogonal(q) <= toleranceOf(d));
        QCOMPARE(maxAbs(r - upperTriangle(r)), 0.0);
      }
}

void TestDecompositions::qrModesAgree() {
  QFETCH(int, dtype);
  QFETCH(int, layout);
  const auto d = static_cast<DType>(dtype);
  for (const auto [m, n] : kShapes)
    for (const bool pivoting : {true, false}) {
      if (m == 0 || n == 0) continue;
      const Data a = toData(randomDense(m, n, d, 2), d);
      const auto call = [&](const char* mode, std::vector<Type> types) {
        OpCall c{
            "QR", {{"mode", mode}, {"pivoting", pivoting}}, {a}, withColumns(std::move(types), pivoting)};
        c.layout = static_cast<Layout>(layout);
        return outputsOf(c);
      };
      const auto full = call("full", {matrixType(d), matrixType(d)});
      const auto r = call("r", {matrixType(d)});
      const auto raw = call("raw", {matrixType(d), vectorType(d), matrixType(d)});
      QCOMPARE(maxAbs(r[0] - full[1]), 0.0);
      QCOMPARE(maxAbs(upperTriangle(raw[0]) - full[1]), 0.0);
      QCOMPARE(raw[1].rows, std::min(m, n));
      QCOMPARE(raw[2].rows, std::min(m, n));
      QCOMPARE(maxAbs(transpose(columns(transpose(full[1]), 0, raw[2].rows)) - raw[2]), 0.0);
      if (pivoting) QVERIFY(maxAbs(r[1] - full[2]) == 0 && maxAbs(raw[3] - full[2]) == 0);
    }
}

void TestDecompositions::qrPivotsMakeTheDiagonalDescend() {
  for (const DType d : kLapackDTypes) {
    const OpCall call{"QR",
                      {{"mode", "r"}, {"pivoting", true}},
                      {toData(randomDense(9, 7, d, 3), d)},
                      {matrixType(d), vectorType(DType::Int32)}};
    const Dense r = outputsOf(call)[0];
    for (int64_t i = 1; i < 7; ++i) QVERIFY(std::abs(r(i, i)) <= std::abs(r(i - 1, i - 1)) * 1.0001);
  }
}

void TestDecompositions::qrOfNotANumberDoesNotHang() {
  for (const DType d : kLapackDTypes)
    for (const bool pivoting : {true, false}) {
      Dense a = randomDense(40, 40, d, 4);
      a(3, 0) = kNaN;
      const OpCall call{"QR",
                        {{"mode", "full"}, {"pivoting", pivoting}},
                        {toData(a, d)},
                        withColumns({matrixType(d), matrixType(d)}, pivoting)};
      const auto out = outputsOf(call);
      QVERIFY(std::isnan(out[1](0, 0).real()));
      if (pivoting)
        for (int64_t j = 0; j < 40; ++j) QCOMPARE(out[2](j, 0), Complex(static_cast<double>(j)));
    }
}

void TestDecompositions::svdMultipliesBack() {
  QFETCH(int, dtype);
  QFETCH(int, layout);
  const auto d = static_cast<DType>(dtype);
  const DType real = realPart(d);
  for (const auto [m, n] : kShapes)
    for (const bool full : {true, false}) {
      const Dense a = randomDense(m, n, d, 5);
      const int64_t k = std::min(m, n);
      OpCall call{
          "SVD", {{"full_matrices", full}}, {toData(a, d)}, {matrixType(d), vectorType(real), matrixType(d)}};
      call.layout = static_cast<Layout>(layout);
      const auto out = outputsOf(call);
      const Dense &u = out[0], &s = out[1], &vh = out[2];
      QVERIFY(u.cols == (full ? m : k) && s.rows == k && vh.rows == (full ? n : k));
      QVERIFY(maxAbs(u * diagonalDense(s, u.cols, vh.rows) * vh - a) <= toleranceOf(d));
      QVERIFY(distanceToOrthogonal(u) <= toleranceOf(d) &&
              distanceToOrthogonal(adjoint(vh)) <= toleranceOf(d));
      for (int64_t i = 0; i < k; ++i)
        QVERIFY(s(i, 0).real() >= 0 && (i == 0 || s(i, 0).real() <= s(i - 1, 0).real()));

      call.params["compute_uv"] = false;
      call.outputTypes = {vectorType(real)};
      QVERIFY(maxAbs(outputsOf(call)[0] - s) <= toleranceOf(d) * (1 + maxAbs(s)));
    }
}

void TestDecompositions::svdOfIntegersIsComputedInFloat() {
  const OpCall call{"SVD",
                    {{"compute_uv", false}},
                    {toData(denseOf({{3, 0}, {0, -4}}), DType::Int64)},
                    {vectorType(DType::Float64)}};
  QCOMPARE(mismatch(call, {vectorOf<double>({4, 3})}, 1e-15), std::string());
}

void TestDecompositions::svdOfNotFiniteIsAnError() {
  for (const DType d : kLapackDTypes)
    for (const double bad : {kNaN, kInf})
      for (const bool vectors : {true, false}) {
        Dense a = randomDense(5, 5, d, 6);
        a(2, 3) = bad;
        const DType real = realPart(d);
        const std::vector<Type> all{matrixType(d), vectorType(real), matrixType(d)}, values{vectorType(real)};
        const OpCall call{"SVD", {{"compute_uv", vectors}}, {toData(a, d)}, vectors ? all : values};
        QCOMPARE(callOp(call).errorText(), std::string("LinAlgError: the SVD did not converge"));
      }
}

void TestDecompositions::wrongNodesAreRefused() {
  const DType d = DType::Float64;
  const OpCall mode{"QR", {{"mode", "reduced"}}, {rampOf(d, {2, 2})}, {matrixType(d), matrixType(d)}};
  QCOMPARE(callOp(mode).errorText(),
           std::string(
               "$.graph.nodes[0].params.mode: expected one of \"full\", \"economic\", \"r\", \"raw\", found "
               "\"reduced\""));
  const OpCall count{"QR", {{"mode", "raw"}}, {rampOf(d, {2, 2})}, {matrixType(d), matrixType(d)}};
  QCOMPARE(callOp(count).errorText(), std::string("$.graph.nodes[0]: QR takes 3 outputs, found 2"));
  const OpCall values{
      "SVD", {}, {rampOf(d, {2, 2})}, {matrixType(d), vectorType(DType::Float32), matrixType(d)}};
  QCOMPARE(callOp(values).errorText(),
           std::string("$.graph.nodes[0]: output 1 has to be float64, but is float32"));
}

QTEST_APPLESS_MAIN(TestDecompositions)
#include "tst_decompositions.moc"
