#include "ops/dense.h"

#include <QtTest>

#include <cmath>
#include <limits>

using namespace nodewise;
using namespace nodewise::testing;

namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

/// One row for each dtype and size; `layouts` also for each memory layout.
void addRows(bool layouts = true) {
  QTest::addColumn<int>("dtype");
  QTest::addColumn<int>("n");
  QTest::addColumn<int>("layout");
  for (const DType d : kLapackDTypes)
    for (const int64_t n : kSizes)
      for (const Layout layout : kLayouts) {
        if (!layouts && layout != Layout::Contiguous) continue;
        QTest::addRow("%s n=%d %s", std::string(dtypeName(d)).c_str(), static_cast<int>(n),
                      layoutName(layout).c_str())
            << static_cast<int>(d) << static_cast<int>(n) << static_cast<int>(layout);
      }
}

/// Elements outside of one triangle replaced by what must not be read.
Dense withOtherTriangle(const Dense& a, bool lower, Complex other) {
  Dense m = a;
  for (int64_t i = 0; i < a.rows; ++i)
    for (int64_t j = 0; j < a.cols; ++j)
      if (lower ? j > i : j < i) m(i, j) = other;
  return m;
}

OpCall systemCall(const char* op, nlohmann::json params, const Dense& a, const Dense& b, DType d,
                  bool vector) {
  params["b_ndim"] = vector ? 1 : 2;
  return {op, params, {toData(a, d), toData(b, d, vector)}, {vector ? vectorType(d) : matrixType(d)}};
}

} // namespace

class TestSolvers : public QObject {
  Q_OBJECT

private Q_SLOTS:
  void choleskyFactorsTheNamedTriangle_data() { addRows(); }
  void choleskyFactorsTheNamedTriangle();
  void choleskyOfNotPositiveIsNotANumber();
  void choleskySolveSolves_data() { addRows(); }
  void choleskySolveSolves();
  void solveTriangularReadsOneTriangle_data() { addRows(); }
  void solveTriangularReadsOneTriangle();
  void zeroOnTheDiagonalGivesNotANumber();
  void solveSolvesUnderEachAssumption_data() { addRows(); }
  void solveSolvesUnderEachAssumption();
  void solveOfTridiagonalIsAHint();
  void solveOfSingularIsNotANumber_data();
  void solveOfSingularIsNotANumber();
  void solveSurvivesNotANumber();
  void integersAreConvertedFirst();
  void blockDiagonalPutsMatricesSideBySide();
  void wrongShapesAreRefused_data();
  void wrongShapesAreRefused();
  void wrongParamsAreRefused_data();
  void wrongParamsAreRefused();
};

void TestSolvers::choleskyFactorsTheNamedTriangle() {
  QFETCH(int, dtype);
  QFETCH(int, n);
  QFETCH(int, layout);
  const auto d = static_cast<DType>(dtype);
  const Dense a = positiveDense(n, d, 1);
  for (const bool lower : {true, false}) {
    OpCall call{
        "Cholesky", {{"lower", lower}}, {toData(withOtherTriangle(a, lower, kNaN), d)}, {matrixType(d)}};
    call.layout = static_cast<Layout>(layout);
    for (int inPlace = 0; inPlace < 2; ++inPlace) {
      const Dense factor = outputsOf(call)[0];
      const Dense product = lower ? factor * adjoint(factor) : adjoint(factor) * factor;
      QVERIFY(maxAbs(product - a) <= toleranceOf(d) * (1 + maxAbs(a)));
      QCOMPARE(maxAbs(factor - (lower ? lowerTriangle(factor) : upperTriangle(factor))), 0.0);
      call.destroys = {{0, 0}};
    }
  }
}

void TestSolvers::choleskyOfNotPositiveIsNotANumber() {
  for (const DType d : kLapackDTypes)
    for (const Dense& a : {denseOf({{1, 2}, {2, 1}}), denseOf({{0}}), denseOf({{1, 0}, {0, -1}})}) {
      QVERIFY(allNaN(outputsOf({"Cholesky", {{"lower", true}}, {toData(a, d)}, {matrixType(d)}})[0]));
      QVERIFY(allNaN(outputsOf({"Cholesky", {{"lower", false}}, {toData(a, d)}, {matrixType(d)}})[0]));
    }
}

void TestSolvers::choleskySolveSolves() {
  QFETCH(int, dtype);
  QFETCH(int, n);
  QFETCH(int, layout);
  const auto d = static_cast<DType>(dtype);
  for (const bool lower : {true, false})
    for (const int64_t k : {0, 1, 3}) {
      const Dense full = dominantDense(n, d, 2), b = randomDense(n, k, d, 3);
      const Dense factor = lower ? lowerTriangle(full) : upperTriangle(full);
      const Dense a = lower ? factor * adjoint(factor) : adjoint(factor) * factor;
      OpCall call =
          systemCall("CholeskySolve", {{"lower", lower}}, withOtherTriangle(full, lower, kNaN), b, d, k == 1);
      call.layout = static_cast<Layout>(layout);
      for (int inPlace = 0; inPlace < 2; ++inPlace) {
        const Dense x = outputsOf(call)[0];
        QVERIFY(maxAbs(a * x - b) <= toleranceOf(d) * (1 + maxAbs(a)));
        call.destroys = {{0, 1}};
      }
    }
}

void TestSolvers::solveTriangularReadsOneTriangle() {
  QFETCH(int, dtype);
  QFETCH(int, n);
  QFETCH(int, layout);
  const auto d = static_cast<DType>(dtype);
  for (const bool lower : {true, false})
    for (const bool unit : {true, false})
      for (const int64_t k : {0, 1, 3}) {
        const Dense scale = Complex(1.0 / static_cast<double>(std::max(n, 1))) * identityDense(n);
        const Dense full = toDense(toData(dominantDense(n, d, 4) * scale, d)), b = randomDense(n, k, d, 5);
        Dense a = lower ? lowerTriangle(full) : upperTriangle(full),
              given = withOtherTriangle(full, lower, kNaN);
        for (int64_t i = 0; unit && i < n; ++i) {
          a(i, i) = 1;
          given(i, i) = kNaN;
        }
        OpCall call =
            systemCall("SolveTriangular", {{"lower", lower}, {"unit_diagonal", unit}}, given, b, d, k == 1);
        call.layout = static_cast<Layout>(layout);
        for (int inPlace = 0; inPlace < 2; ++inPlace) {
          const Dense x = outputsOf(call)[0];
          QVERIFY(maxAbs(a * x - b) <= toleranceOf(d) * (1 + maxAbs(x)));
          call.destroys = {{0, 1}};
        }
      }
}

void TestSolvers::zeroOnTheDiagonalGivesNotANumber() {
  for (const DType d : kLapackDTypes)
    for (const bool vector : {true, false}) {
      const Dense a = denseOf({{1, 0, 0}, {2, 0, 0}, {3, 4, 5}}), b = denseOf({{1}, {2}, {3}});
      const OpCall call = systemCall("SolveTriangular", {{"lower", true}}, a, b, d, vector);
      QVERIFY(allNaN(outputsOf(call)[0]));
      OpCall unit = call;
      unit.params["unit_diagonal"] = true;
      QCOMPARE(maxAbs(outputsOf(unit)[0] - denseOf({{1}, {0}, {0}})), 0.0);
    }
}

void TestSolvers::solveSolvesUnderEachAssumption() {
  QFETCH(int, dtype);
  QFETCH(int, n);
  QFETCH(int, layout);
  const auto d = static_cast<DType>(dtype);
  const Dense general = dominantDense(n, d, 6), positive = positiveDense(n, d, 7);
  const Dense hermitian = general + adjoint(general) - Complex(2.5 * n) * identityDense(n);
  const Dense symmetric = general + transpose(general);
  const std::pair<const char*, Dense> problems[] = {
      {"gen", general}, {"banded", general}, {"her", hermitian}, {"sym", symmetric}, {"pos", positive}};
  for (const auto& [assume, matrix] : problems)
    for (const bool lower : {true, false})
      for (const int64_t k : {0, 1, 3}) {
        const bool triangle = std::string(assume) != "gen" && std::string(assume) != "banded";
        const Dense a = toDense(toData(matrix, d)), b = randomDense(n, k, d, 8);
        OpCall call = systemCall("Solve", {{"assume_a", assume}, {"lower", lower}},
                                 triangle ? withOtherTriangle(a, lower, 77) : a, b, d, k == 1);
        call.layout = static_cast<Layout>(layout);
        for (int inPlace = 0; inPlace < 2; ++inPlace) {
          const Dense x = outputsOf(call)[0];
          QVERIFY2(maxAbs(a * x - b) <= toleranceOf(d) * (1 + maxAbs(a) * maxAbs(x)), assume);
          call.destroys = {{0, 1}};
        }
      }
}

void TestSolvers::solveOfTridiagonalIsAHint() {
  for (const DType d : kLapackDTypes)
    for (const int64_t n : kSizes) {
      const Dense full = dominantDense(n, d, 9), b = randomDense(n, 2, d, 10);
      for (const Dense& a : {full, lowerTriangle(upperTriangle(full, -1), -1)}) {
        const Dense x = outputsOf(systemCall("Solve", {{"assume_a", "tridiagonal"}}, a, b, d, false))[0];
        QVERIFY(maxAbs(a * x - b) <= toleranceOf(d) * (1 + maxAbs(a)));
      }
    }
}

void TestSolvers::solveOfSingularIsNotANumber_data() {
  QTest::addColumn<QString>("assume");
  for (const char* assume : {"gen", "sym", "her", "pos", "tridiagonal", "banded"})
    QTest::newRow(assume) << assume;
}

void TestSolvers::solveOfSingularIsNotANumber() {
  QFETCH(QString, assume);
  for (const DType d : kLapackDTypes)
    for (const Dense& a : {denseOf({{0, 0}, {0, 0}}), denseOf({{1, 1}, {1, 1}})})
      for (const bool vector : {true, false}) {
        const OpCall call =
            systemCall("Solve", {{"assume_a", assume.toStdString()}}, a, denseOf({{1}, {2}}), d, vector);
        QVERIFY(allNaN(outputsOf(call)[0]));
      }
}

void TestSolvers::solveSurvivesNotANumber() {
  for (const char* assume : {"gen", "sym", "her", "pos", "tridiagonal", "banded"})
    for (const DType d : kLapackDTypes)
      for (const int64_t n : {int64_t{1}, int64_t{7}, int64_t{80}}) {
        Dense a = positiveDense(n, d, 11);
        for (int64_t i = 0; i < n; ++i) a(i, n / 2) = a(n / 2, i) = kNaN;
        const Dense x =
            outputsOf(systemCall("Solve", {{"assume_a", assume}}, a, randomDense(n, 1, d, 12), d, true))[0];
        QVERIFY(std::isnan(x(n / 2, 0).real()));
      }
}

void TestSolvers::integersAreConvertedFirst() {
  const Data a = toData(denseOf({{2, 0}, {0, 4}}), DType::Int8),
             b = toData(denseOf({{1}, {3}}), DType::UInt8, true);
  const nlohmann::json vector{{"b_ndim", 1}};
  QCOMPARE(mismatch({"Solve", vector, {a, b}, {vectorType(DType::Float32)}}, {vectorOf<float>({0.5F, 0.75F})},
                    1e-6),
           std::string());
  QCOMPARE(mismatch({"CholeskySolve", {{"b_ndim", 1}, {"lower", true}}, {a, b}, {vectorType(DType::Float64)}},
                    {vectorOf<double>({0.25, 0.1875})}, 1e-15),
           std::string());
}

void TestSolvers::blockDiagonalPutsMatricesSideBySide() {
  const DType d = DType::Int32;
  const OpCall call{
      "BlockDiagonal",
      {{"n_inputs", 4}},
      {rampOf(d, {2, 1}, 1), rampOf(DType::Int8, {0, 2}), rampOf(d, {1, 3}, 7), rampOf(d, {1, 1}, -1)},
      {matrixType(d)}};
  const Dense expected =
      denseOf({{1, 0, 0, 0, 0, 0, 0}, {2, 0, 0, 0, 0, 0, 0}, {0, 0, 0, 7, 8, 9, 0}, {0, 0, 0, 0, 0, 0, -1}});
  QCOMPARE(mismatch(call, {toData(expected, d)}), std::string());
}

void TestSolvers::wrongShapesAreRefused_data() {
  QTest::addColumn<QString>("op");
  QTest::addColumn<QList<QList<int>>>("shapes");
  QTest::addColumn<QString>("error");
  using Shapes = QList<QList<int>>;
  QTest::newRow("Cholesky") << "Cholesky" << Shapes{{2, 3}}
                            << "ValueError: expected a square matrix, found shape (2, 3)";
  for (const char* op : {"CholeskySolve", "SolveTriangular", "Solve"}) {
    QTest::addRow("%s not square", op)
        << op << Shapes{{3, 2}, {3, 2}} << "ValueError: expected a square matrix, found shape (3, 2)";
    QTest::addRow("%s rows", op) << op << Shapes{{3, 3}, {2, 3}}
                                 << "ValueError: system of equations: shapes (3, 3) and (2, 3)";
  }
}

void TestSolvers::wrongShapesAreRefused() {
  QFETCH(QString, op);
  QFETCH(QList<QList<int>>, shapes);
  QFETCH(QString, error);
  OpCall call{op.toStdString(), {}, {}, {matrixType(DType::Float64)}};
  for (const QList<int>& shape : shapes)
    call.inputs.push_back(rampOf(DType::Float64, std::vector<int64_t>(shape.begin(), shape.end()), 1));
  QCOMPARE(QString::fromStdString(callOp(call).errorText()), error);
}

void TestSolvers::wrongParamsAreRefused_data() {
  QTest::addColumn<QString>("op");
  QTest::addColumn<QString>("params");
  QTest::addColumn<QString>("dtype");
  QTest::addColumn<QString>("error");
  QTest::newRow("b_ndim") << "Solve"
                          << R"({"b_ndim": 3})"
                          << "float64"
                          << "$.graph.nodes[0].params.b_ndim: expected 1 or 2, found 3";
  QTest::newRow("rank") << "Solve"
                        << R"({"b_ndim": 1})"
                        << "float64"
                        << "$.graph.nodes[0]: input 1 has to be a tensor of rank 1, but is f64[2,2]";
  QTest::newRow("lower") << "SolveTriangular"
                         << R"({"lower": 1})"
                         << "float64"
                         << "$.graph.nodes[0].params.lower: expected true or false, found 1";
  QTest::newRow("output")
      << "CholeskySolve"
      << "{}"
      << "int64"
      << "$.graph.nodes[0]: output 0 has to be float32, float64, complex64 or complex128, but is "
         "int64";
}

void TestSolvers::wrongParamsAreRefused() {
  QFETCH(QString, op);
  QFETCH(QString, params);
  QFETCH(QString, dtype);
  QFETCH(QString, error);
  const DType d = *parseDType(dtype.toStdString());
  const OpCall call{op.toStdString(),
                    nlohmann::json::parse(params.toStdString()),
                    {rampOf(d, {2, 2}, 1), rampOf(d, {2, 2}, 1)},
                    {matrixType(d)}};
  QCOMPARE(QString::fromStdString(callOp(call).errorText()), error);

  const OpCall wrongAssumption{"Solve",
                               {{"assume_a", "diagonal"}},
                               {rampOf(DType::Float64, {2, 2}), rampOf(DType::Float64, {2, 2})},
                               {matrixType(DType::Float64)}};
  QVERIFY(callOp(wrongAssumption).errorText().rfind("$.graph.nodes[0].params.assume_a: expected one of", 0) ==
          0);
}

QTEST_APPLESS_MAIN(TestSolvers)
#include "tst_solvers.moc"
