#include "ops/dense.h"

#include <QtTest>

#include <cmath>
#include <limits>
#include <numbers>

using namespace nodewise;
using namespace nodewise::testing;

namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
constexpr double kInf = std::numeric_limits<double>::infinity();

Type scalarTensor(DType d) { return tensorType(d, {}); }

/// exp by its series, after scaling: a reference that shares nothing with the op.
Dense exponential(const Dense& a) {
  constexpr int kHalvings = 8;
  const Dense small = Complex(std::exp2(-kHalvings)) * a;
  Dense sum = identityDense(a.rows), term = sum;
  for (int k = 1; k < 30; ++k) {
    term = Complex(1.0 / k) * (term * small);
    sum = sum + term;
  }
  for (int k = 0; k < kHalvings; ++k) sum = sum * sum;
  return sum;
}

std::vector<Type> lstsqTypes(int rank) {
  const DType d = DType::Float64;
  return {tensorType(d, std::vector<int64_t>(static_cast<size_t>(rank), -1)), vectorType(d),
          scalarTensor(DType::Int32), vectorType(d)};
}

Data tensorData(const Dense& a, DType d, std::vector<int64_t> shape) {
  Data data = toData(a, d);
  std::get<Tensor>(data.v).shape = std::move(shape);
  return data;
}

} // namespace

class TestInverses : public QObject {
  Q_OBJECT

private Q_SLOTS:
  void inverseTimesMatrixIsTheIdentity_data() { addLapackLayoutRows(); }
  void inverseTimesMatrixIsTheIdentity();
  void inverseOfSingularIsAnError();
  void pinvSatisfiesPenrose_data() { addLapackLayoutRows(); }
  void pinvSatisfiesPenrose();
  void pinvCutsSmallSingularValues();
  void pinvOfNotFiniteIsAnError();
  void determinantOfProductsMultiplies_data() { addLapackLayoutRows(); }
  void determinantOfProductsMultiplies();
  void determinantsOfKnownMatrices();
  void determinantBeyondTheRangeOfProducts();
  void expmAgreesWithTheSeries_data() { addLapackLayoutRows(); }
  void expmAgreesWithTheSeries();
  void expmOfKnownMatrices();
  void expmOfTriangularMatricesIsExactOnTheDiagonal();
  void expmOfNotFiniteIsNotANumber();
  void tensorInvInvertsTheFlattenedMatrix();
  void tensorSolveSolvesTheFlattenedSystem();
  void lstsqMinimizes();
  void lstsqOfDeficientRankHasNoResiduals();
  void wrongCallsAreRefused_data();
  void wrongCallsAreRefused();
};

void TestInverses::inverseTimesMatrixIsTheIdentity() {
  QFETCH(int, dtype);
  QFETCH(int, layout);
  const auto d = static_cast<DType>(dtype);
  for (const int64_t n : kSizes) {
    const Dense a = dominantDense(n, d, 1);
    OpCall call{"MatrixInverse", {}, {toData(a, d)}, {matrixType(d)}};
    call.layout = static_cast<Layout>(layout);
    QVERIFY(maxAbs(a * outputsOf(call)[0] - identityDense(n)) <= toleranceOf(d));
  }
}

void TestInverses::inverseOfSingularIsAnError() {
  for (const DType d : kLapackDTypes)
    for (const Dense& a : {denseOf({{0}}), denseOf({{1, 2}, {2, 4}}), denseOf({{1, 0}, {0, 0}})})
      QCOMPARE(callOp({"MatrixInverse", {}, {toData(a, d)}, {matrixType(d)}}).errorText(),
               std::string("LinAlgError: the matrix is singular"));
}

void TestInverses::pinvSatisfiesPenrose() {
  QFETCH(int, dtype);
  QFETCH(int, layout);
  const auto d = static_cast<DType>(dtype);
  const std::pair<int64_t, int64_t> shapes[] = {{0, 0}, {0, 3}, {3, 0}, {1, 1}, {5, 3}, {3, 5}, {9, 9}};
  for (const bool hermitian : {false, true})
    for (const auto& [m, n] : shapes) {
      if (hermitian && m != n) continue;
      const Dense half = randomDense(m, n, d, 2),
                  a = hermitian ? toDense(toData(half + adjoint(half), d)) : half;
      OpCall call{"MatrixPinv", {{"hermitian", hermitian}}, {toData(a, d)}, {matrixType(d)}};
      call.layout = static_cast<Layout>(layout);
      const Dense p = outputsOf(call)[0];
      QVERIFY(p.rows == n && p.cols == m);
      const double tolerance = toleranceOf(d) * (1 + maxAbs(p)) * (1 + maxAbs(p));
      QVERIFY(maxAbs(a * p * a - a) <= tolerance && maxAbs(p * a * p - p) <= tolerance);
      QVERIFY(maxAbs(a * p - adjoint(a * p)) <= tolerance && maxAbs(p * a - adjoint(p * a)) <= tolerance);
    }
}

void TestInverses::pinvCutsSmallSingularValues() {
  const DType d = DType::Float64;
  for (const bool hermitian : {false, true}) {
    const OpCall call{"MatrixPinv",
                      {{"hermitian", hermitian}},
                      {toData(denseOf({{-2, 0}, {0, 1e-16}}), d)},
                      {matrixType(d)}};
    QCOMPARE(mismatch(call, {toData(denseOf({{-0.5, 0}, {0, 0}}), d)}, 1e-15), std::string());
  }
}

void TestInverses::pinvOfNotFiniteIsAnError() {
  for (const bool hermitian : {false, true})
    for (const double bad : {kNaN, kInf}) {
      const OpCall call{"MatrixPinv",
                        {{"hermitian", hermitian}},
                        {toData(denseOf({{bad, 0}, {0, 1}}), DType::Float64)},
                        {matrixType(DType::Float64)}};
      QCOMPARE(callOp(call).errorText(), std::string("LinAlgError: the singular values did not converge"));
    }
}

void TestInverses::determinantOfProductsMultiplies() {
  QFETCH(int, dtype);
  QFETCH(int, layout);
  const auto d = static_cast<DType>(dtype);
  const auto call = [&](const char* op, const Dense& a) {
    std::vector<Type> types{scalarTensor(d)};
    if (op == std::string("SLogDet")) types.push_back(scalarTensor(realPart(d)));
    OpCall c{op, {}, {toData(a, d)}, types};
    c.layout = static_cast<Layout>(layout);
    return outputsOf(c);
  };
  for (const int64_t n : {0, 1, 2, 7, 9}) {
    const Dense a = randomDense(n, n, d, 3), b = randomDense(n, n, d, 4);
    const Complex detA = call("Det", a)[0](0, 0), detB = call("Det", b)[0](0, 0),
                  detAb = call("Det", a * b)[0](0, 0);
    QVERIFY(std::abs(detA * detB - detAb) <= toleranceOf(d) * 10 * (1 + std::abs(detAb)));
    const auto signLog = call("SLogDet", a);
    QVERIFY(std::abs(signLog[0](0, 0) * std::exp(signLog[1](0, 0)) - detA) <=
            toleranceOf(d) * (1 + std::abs(detA)));
  }
}

void TestInverses::determinantsOfKnownMatrices() {
  const DType d = DType::Float64;
  const auto det = [&](const Dense& a) {
    return outputsOf({"Det", {}, {toData(a, d)}, {scalarTensor(d)}})[0](0, 0).real();
  };
  QCOMPARE(det(denseOf({{1, 2}, {3, 4}})), -2.0);
  QCOMPARE(det(denseOf({{0, 1}, {1, 0}})), -1.0);
  QCOMPARE(det(denseOf({{1, 2}, {2, 4}})), 0.0);
  QVERIFY(std::isnan(det(denseOf({{kNaN, 1}, {2, 4}}))));
  const auto singular =
      outputsOf({"SLogDet", {}, {toData(denseOf({{1, 2}, {2, 4}}), d)}, {scalarTensor(d), scalarTensor(d)}});
  QCOMPARE(singular[0](0, 0), Complex(0));
  QCOMPARE(singular[1](0, 0).real(), -kInf);
}

void TestInverses::determinantBeyondTheRangeOfProducts() {
  const DType d = DType::Float64;
  Dense a = Complex(1e200) * identityDense(4);
  a(2, 2) = a(3, 3) = -1e-200;
  const Complex det = outputsOf({"Det", {}, {toData(a, d)}, {scalarTensor(d)}})[0](0, 0);
  QVERIFY(std::abs(det - 1.0) < 1e-10);
}

void TestInverses::expmAgreesWithTheSeries() {
  QFETCH(int, dtype);
  QFETCH(int, layout);
  const auto d = static_cast<DType>(dtype);
  // Each size of the norm leads to another order or scaling.
  for (const double size : {1e-4, 1e-2, 0.3, 1.0, 3.0, 12.0})
    for (const int64_t n : {0, 1, 2, 7, 9})
      for (const bool lower : {true, false})
        for (const bool triangular : {true, false}) {
          const Dense full = toDense(
              toData(Complex(size / std::sqrt(static_cast<double>(n + 1))) * randomDense(n, n, d, 5), d));
          const Dense a = !triangular ? full : lower ? lowerTriangle(full) : upperTriangle(full);
          OpCall call{"Expm", {}, {toData(a, d)}, {matrixType(d)}};
          call.layout = static_cast<Layout>(layout);
          const Dense expected = exponential(a);
          QVERIFY(maxAbs(outputsOf(call)[0] - expected) <= toleranceOf(d) * (1 + maxAbs(expected)));
        }
}

void TestInverses::expmOfKnownMatrices() {
  const DType d = DType::Float64;
  const auto expm = [&](const Dense& a) {
    return outputsOf({"Expm", {}, {toData(a, d)}, {matrixType(d)}})[0];
  };
  QCOMPARE(maxAbs(expm(denseOf({{0, 0}, {0, 0}})) - identityDense(2)), 0.0);
  const Dense nilpotent = denseOf({{0, 1, 2}, {0, 0, 3}, {0, 0, 0}});
  QVERIFY(maxAbs(expm(nilpotent) - denseOf({{1, 1, 3.5}, {0, 1, 3}, {0, 0, 1}})) < 1e-14);
  const double angle = 40 * std::numbers::pi + 1;
  QVERIFY(maxAbs(expm(denseOf({{0, -angle}, {angle, 0}})) -
                 denseOf({{std::cos(1), -std::sin(1)}, {std::sin(1), std::cos(1)}})) < 1e-11);
  const Dense diagonal = expm(denseOf({{-1e100, 0}, {0, 2}}));
  QVERIFY(diagonal(0, 0) == 0.0 && std::abs(diagonal(1, 1) - std::exp(2)) < 1e-14 && diagonal(0, 1) == 0.0);
}

void TestInverses::expmOfTriangularMatricesIsExactOnTheDiagonal() {
  const DType d = DType::Float64;
  const Dense a = denseOf({{-1000, 1e6}, {0, -1}});
  const Dense e = outputsOf({"Expm", {}, {toData(a, d)}, {matrixType(d)}})[0];
  QVERIFY(std::abs(e(1, 1) / std::exp(-1.0) - 1.0) < 1e-14);
  QVERIFY(std::abs(e(0, 1) / (1e6 * std::exp(-1.0) / 999) - 1.0) < 1e-13);
}

void TestInverses::expmOfNotFiniteIsNotANumber() {
  for (const DType d : kLapackDTypes)
    for (const double bad : {kNaN, kInf})
      QVERIFY(allNaN(outputsOf({"Expm", {}, {toData(denseOf({{1, 2}, {bad, 4}}), d)}, {matrixType(d)}})[0]));
  // Finite, but its exponential is far out of range: must end.
  outputsOf({"Expm",
             {},
             {toData(denseOf({{1e300, 1e300}, {-1e300, 1e300}}), DType::Float64)},
             {matrixType(DType::Float64)}});
}

void TestInverses::tensorInvInvertsTheFlattenedMatrix() {
  const DType d = DType::Float64;
  const Dense a = dominantDense(6, d, 6);
  const Dense inverse = outputsOf({"MatrixInverse", {}, {toData(a, d)}, {matrixType(d)}})[0];
  for (const auto& [ind, shape, expected] :
       {std::tuple{2, std::vector<int64_t>{2, 3, 6}, std::vector<int64_t>{6, 2, 3}},
        std::tuple{1, std::vector<int64_t>{6, 3, 2}, std::vector<int64_t>{3, 2, 6}}}) {
    const OpCall call{"TensorInv", {{"ind", ind}}, {tensorData(a, d, shape)}, {tensorType(d, {-1, -1, -1})}};
    QCOMPARE(mismatch(call, {tensorData(inverse, d, expected)}, 1e-12), std::string());
  }
}

void TestInverses::tensorSolveSolvesTheFlattenedSystem() {
  const DType d = DType::Float64;
  const Dense a = dominantDense(6, d, 7), b = randomDense(6, 1, d, 8);
  const Dense x =
      outputsOf({"Solve", {{"b_ndim", 1}}, {toData(a, d), toData(b, d, true)}, {vectorType(d)}})[0];
  const OpCall call{"TensorSolve",
                    {{"axes", nullptr}},
                    {tensorData(a, d, {2, 3, 2, 3}), tensorData(b, d, {2, 3})},
                    {tensorType(d, {-1, -1})}};
  QCOMPARE(mismatch(call, {tensorData(x, d, {2, 3})}, 1e-12), std::string());
  // Axis 0 of the transpose, moved to the end, gives the matrix back.
  const OpCall moved{
      "TensorSolve", {{"axes", {0}}}, {toData(transpose(a), d), toData(b, d, true)}, {vectorType(d)}};
  QCOMPARE(mismatch(moved, {toData(x, d, true)}, 1e-12), std::string());
}

void TestInverses::lstsqMinimizes() {
  const DType d = DType::Float64;
  const Dense a = randomDense(9, 4, d, 9), b = randomDense(9, 2, d, 10);
  for (const Layout layout : kLayouts) {
    OpCall call{"Lstsq", {}, {toData(a, d), toData(b, d), scalarOf<double>(-1)}, lstsqTypes(2)};
    call.layout = layout;
    const auto out = outputsOf(call);
    const Dense rest = b - a * out[0];
    QVERIFY(maxAbs(adjoint(a) * rest) < 1e-12);
    QCOMPARE(out[1].rows, int64_t{2});
    for (int64_t j = 0; j < 2; ++j) {
      const Dense column = columns(rest, j, 1);
      QVERIFY(std::abs(out[1](j, 0) - (adjoint(column) * column)(0, 0)) < 1e-12);
    }
    QCOMPARE(out[2](0, 0), Complex(4));
    QCOMPARE(out[3].rows, int64_t{4});
  }
  const OpCall vector{
      "Lstsq", {}, {toData(a, d), toData(columns(b, 0, 1), d, true), scalarOf<double>(-1)}, lstsqTypes(1)};
  QVERIFY(maxAbs(adjoint(a) * (columns(b, 0, 1) - a * outputsOf(vector)[0])) < 1e-12);
}

void TestInverses::lstsqOfDeficientRankHasNoResiduals() {
  const DType d = DType::Float64;
  const OpCall deficient{"Lstsq",
                         {},
                         {toData(denseOf({{1, 1}, {1, 1}, {2, 2}}), d), toData(denseOf({{1}, {1}, {2}}), d),
                          scalarOf<double>(1e-10)},
                         lstsqTypes(2)};
  const auto out = outputsOf(deficient);
  QVERIFY(maxAbs(out[0] - denseOf({{0.5}, {0.5}})) < 1e-14);
  QCOMPARE(out[1].rows, int64_t{0});
  QCOMPARE(out[2](0, 0), Complex(1));
  const OpCall empty{
      "Lstsq", {}, {rampOf(d, {0, 3}), rampOf(d, {0, 2}), scalarOf<double>(-1)}, lstsqTypes(2)};
  const auto none = outputsOf(empty);
  QVERIFY(none[0].rows == 3 && none[0].cols == 2 && maxAbs(none[0]) == 0 && none[3].rows == 0);
}

void TestInverses::wrongCallsAreRefused_data() {
  QTest::addColumn<QString>("op");
  QTest::addColumn<QString>("params");
  QTest::addColumn<QList<QList<int>>>("shapes");
  QTest::addColumn<int>("rank");
  QTest::addColumn<QString>("error");
  using Shapes = QList<QList<int>>;
  const QString square = ": expected a square matrix, found shape (2, 3)";
  QTest::newRow("MatrixInverse") << "MatrixInverse"
                                 << "{}" << Shapes{{2, 3}} << 2 << "LinAlgError" + square;
  QTest::newRow("MatrixPinv") << "MatrixPinv"
                              << R"({"hermitian": true})" << Shapes{{2, 3}} << 2 << "LinAlgError" + square;
  QTest::newRow("Expm") << "Expm"
                        << "{}" << Shapes{{2, 3}} << 2 << "LinAlgError" + square;
  QTest::newRow("Det") << "Det"
                       << "{}" << Shapes{{2, 3}} << 0 << "ValueError" + square;
  QTest::newRow("TensorInv ind") << "TensorInv"
                                 << R"({"ind": 0})" << Shapes{{2, 2}} << 2
                                 << "ValueError: ind has to be positive, found 0";
  QTest::newRow("TensorInv") << "TensorInv"
                             << R"({"ind": 1})" << Shapes{{4, 2, 3}} << 3
                             << "LinAlgError: (4, 2, 3) cannot be seen as a square matrix: 4 by 6 elements";
  QTest::newRow("TensorSolve") << "TensorSolve"
                               << "{}" << Shapes{{2, 3, 5}, {2, 3}} << 1
                               << "LinAlgError: (2, 3, 5) cannot be seen as a square matrix of 5 columns";
  QTest::newRow("TensorSolve axes")
      << "TensorSolve"
      << R"({"axes": [1, 1]})" << Shapes{{6, 2, 3}, {6}} << 2
      << "$.graph.nodes[0].params.axes: expected different axes below 3, found 1";
  QTest::newRow("TensorSolve ranks")
      << "TensorSolve"
      << "{}" << Shapes{{6, 6}, {6, 6}} << 0
      << "$.graph.nodes[0]: input 0 of TensorSolve has to have more axes than input 1, "
         "but they are f64[6,6] and f64[6,6]";
}

void TestInverses::wrongCallsAreRefused() {
  QFETCH(QString, op);
  QFETCH(QString, params);
  QFETCH(QList<QList<int>>, shapes);
  QFETCH(int, rank);
  QFETCH(QString, error);
  OpCall call{op.toStdString(), nlohmann::json::parse(params.toStdString()), {}, {}};
  for (const QList<int>& shape : shapes)
    call.inputs.push_back(rampOf(DType::Float64, std::vector<int64_t>(shape.begin(), shape.end()), 1));
  call.outputTypes = {tensorType(DType::Float64, std::vector<int64_t>(static_cast<size_t>(rank), -1))};
  QCOMPARE(QString::fromStdString(callOp(call).errorText()), error);

  const DType d = DType::Float64;
  const OpCall vector{"Lstsq", {}, {rampOf(d, {3}), rampOf(d, {3}), scalarOf<double>(-1)}, lstsqTypes(2)};
  QCOMPARE(callOp(vector).errorText(),
           std::string("LinAlgError: the first matrix has to have 2 dimensions, but has shape (3)"));
  const OpCall lengths{
      "Lstsq", {}, {rampOf(d, {3, 2}), rampOf(d, {2, 2}), scalarOf<double>(-1)}, lstsqTypes(2)};
  QCOMPARE(callOp(lengths).errorText(), std::string("LinAlgError: shapes (3, 2) and (2, 2) do not fit"));
}

QTEST_APPLESS_MAIN(TestInverses)
#include "tst_inverses.moc"
