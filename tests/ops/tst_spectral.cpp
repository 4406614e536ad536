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

DType complexOf(DType d) { return realPart(d) == DType::Float32 ? DType::Complex64 : DType::Complex128; }

double distanceToUnitary(const Dense& q) { return maxAbs(adjoint(q) * q - identityDense(q.cols)); }

Dense diagonalOf(const Dense& a) {
  Dense d(a.rows, 1);
  for (int64_t i = 0; i < a.rows; ++i) d(i, 0) = a(i, i);
  return d;
}

Dense withOtherTriangle(const Dense& a, bool lower, Complex other) {
  Dense m = a;
  for (int64_t i = 0; i < a.rows; ++i)
    for (int64_t j = 0; j < a.cols; ++j)
      if (lower ? j > i : j < i) m(i, j) = other;
  return m;
}

/// Eigenvalues on the diagonal of a real or complex Schur form, in order.
std::vector<Complex> schurValues(const Dense& t, bool complexForm) {
  std::vector<Complex> values;
  for (int64_t i = 0; i < t.rows; ++i) {
    if (!complexForm && i + 1 < t.rows && t(i + 1, i) != 0.0) {
      const Complex middle = 0.5 * (t(i, i) + t(i + 1, i + 1));
      const Complex root = std::sqrt(middle * middle - t(i, i) * t(i + 1, i + 1) + t(i, i + 1) * t(i + 1, i));
      values.push_back(middle + root);
      values.push_back(middle - root);
      ++i;
    } else {
      values.push_back(t(i, i));
    }
  }
  return values;
}

bool comesFirst(const std::string& sort, Complex w) {
  if (sort == "lhp") return w.real() < 0;
  if (sort == "rhp") return w.real() >= 0;
  if (sort == "iuc") return std::abs(w) <= 1;
  return std::abs(w) > 1;
}

/// No chosen value stands after one that is not.
template <class Chosen> bool chosenFirst(const std::vector<Complex>& values, Chosen chosen) {
  return std::is_partitioned(values.begin(), values.end(), chosen);
}

} // namespace

class TestSpectral : public QObject {
  Q_OBJECT

private Q_SLOTS:
  void eigSatisfiesItsEquation_data() { addLapackLayoutRows(); }
  void eigSatisfiesItsEquation();
  void eigOfRealMatricesGivesConjugatePairs();
  void eighReadsOneTriangle_data() { addLapackLayoutRows(); }
  void eighReadsOneTriangle();
  void eighSolvesTheGeneralizedProblem_data() { addLapackLayoutRows(); }
  void eighSolvesTheGeneralizedProblem();
  void schurMultipliesBackInOrder_data() { addLapackLayoutRows(); }
  void schurMultipliesBackInOrder();
  void schurOfNotFiniteIsNotANumber();
  void qzMultipliesBackInOrder_data() { addLapackLayoutRows(); }
  void qzMultipliesBackInOrder();
  void qzOfNotFiniteIsNotANumber();
  void trsylSolvesSylvester_data() { addLapackLayoutRows(); }
  void trsylSolvesSylvester();
  void wrongCallsAreRefused_data();
  void wrongCallsAreRefused();
};

void TestSpectral::eigSatisfiesItsEquation() {
  QFETCH(int, dtype);
  QFETCH(int, layout);
  const auto d = static_cast<DType>(dtype);
  const DType c = complexOf(d);
  for (const int64_t n : kSizes) {
    const Dense a = randomDense(n, n, d, 1);
    OpCall call{"Eig", {}, {toData(a, d)}, {vectorType(c), matrixType(c)}};
    call.layout = static_cast<Layout>(layout);
    const auto out = outputsOf(call);
    QVERIFY(maxAbs(a * out[1] - out[1] * diagonalDense(out[0], n, n)) <= toleranceOf(d) * 10);
    for (int64_t j = 0; j < n; ++j) {
      const Dense v = columns(out[1], j, 1);
      QVERIFY(std::abs((adjoint(v) * v)(0, 0) - 1.0) <= toleranceOf(d));
    }
  }
}

void TestSpectral::eigOfRealMatricesGivesConjugatePairs() {
  const Dense rotation = denseOf({{0, -1}, {1, 0}});
  const auto out = outputsOf({"Eig",
                              {},
                              {toData(rotation, DType::Int32)},
                              {vectorType(DType::Complex128), matrixType(DType::Complex128)}});
  QCOMPARE(out[0](0, 0), Complex(0, 1));
  QCOMPARE(out[0](1, 0), Complex(0, -1));
  for (int64_t i = 0; i < 2; ++i) QCOMPARE(out[1](i, 0), std::conj(out[1](i, 1)));
}

void TestSpectral::eighReadsOneTriangle() {
  QFETCH(int, dtype);
  QFETCH(int, layout);
  const auto d = static_cast<DType>(dtype);
  const DType real = realPart(d);
  for (const int64_t n : kSizes)
    for (const bool lower : {true, false}) {
      const Dense half = randomDense(n, n, d, 2), a = toDense(toData(half + adjoint(half), d));
      const Data given = toData(withOtherTriangle(a, lower, 99), d);
      Dense reference;
      for (const char* driver : {"evr", "evd"}) {
        OpCall call{
            "Eigh", {{"lower", lower}, {"driver", driver}}, {given}, {vectorType(real), matrixType(d)}};
        call.layout = static_cast<Layout>(layout);
        const auto out = outputsOf(call);
        QVERIFY(maxAbs(a * out[1] - out[1] * diagonalDense(out[0], n, n)) <= toleranceOf(d) * 20);
        QVERIFY(distanceToUnitary(out[1]) <= toleranceOf(d));
        for (int64_t i = 1; i < n; ++i) QVERIFY(out[0](i - 1, 0).real() <= out[0](i, 0).real());
        reference = out[0];
      }
      OpCall values{"Eigvalsh", {{"lower", lower}}, {given}, {vectorType(real)}};
      values.layout = static_cast<Layout>(layout);
      QVERIFY(maxAbs(outputsOf(values)[0] - reference) <= toleranceOf(d) * 20);
    }
}

void TestSpectral::eighSolvesTheGeneralizedProblem() {
  QFETCH(int, dtype);
  QFETCH(int, layout);
  const auto d = static_cast<DType>(dtype);
  const DType real = realPart(d);
  for (const int64_t n : kSizes)
    for (const bool lower : {true, false}) {
      const Dense half = randomDense(n, n, d, 3), a = toDense(toData(half + adjoint(half), d)),
                  b = positiveDense(n, d, 4);
      OpCall call{"Eigh",
                  {{"lower", lower}},
                  {toData(withOtherTriangle(a, lower, 99), d), toData(withOtherTriangle(b, lower, 99), d)},
                  {vectorType(real), matrixType(d)}};
      call.layout = static_cast<Layout>(layout);
      const auto out = outputsOf(call);
      QVERIFY(maxAbs(a * out[1] - b * out[1] * diagonalDense(out[0], n, n)) <= toleranceOf(d) * 50);
      call.op = "Eigvalsh";
      call.outputTypes = {vectorType(real)};
      QVERIFY(maxAbs(outputsOf(call)[0] - out[0]) <= toleranceOf(d) * 20);
    }
}

void TestSpectral::schurMultipliesBackInOrder() {
  QFETCH(int, dtype);
  QFETCH(int, layout);
  const auto d = static_cast<DType>(dtype);
  for (const int64_t n : kSizes)
    for (const bool complexForm : {isComplex(d), true})
      for (const char* sort : {"", "lhp", "rhp", "iuc", "ouc"}) {
        const Dense a = randomDense(n, n, d, 5);
        const DType out = complexForm ? complexOf(d) : d;
        OpCall call{"Schur",
                    {{"output", complexForm ? "complex" : "real"}, {"sort", nullptr}},
                    {toData(a, d)},
                    {matrixType(out), matrixType(out)}};
        const std::string order = sort;
        if (!order.empty()) call.params["sort"] = order;
        call.layout = static_cast<Layout>(layout);
        const auto result = outputsOf(call);
        const Dense &t = result[0], &z = result[1];
        QVERIFY(maxAbs(z * t * adjoint(z) - a) <= toleranceOf(d) * 10);
        QVERIFY(distanceToUnitary(z) <= toleranceOf(d));
        QCOMPARE(maxAbs(t - upperTriangle(t, complexForm ? 0 : -1)), 0.0);
        if (!order.empty())
          QVERIFY(chosenFirst(schurValues(t, complexForm), [&](Complex w) { return comesFirst(order, w); }));
      }
}

void TestSpectral::schurOfNotFiniteIsNotANumber() {
  for (const DType d : kLapackDTypes)
    for (const double bad : {kNaN, kInf}) {
      Dense a = randomDense(5, 5, d, 6);
      a(4, 0) = bad;
      const auto out = outputsOf({"Schur", {}, {toData(a, d)}, {matrixType(d), matrixType(d)}});
      QVERIFY(allNaN(out[0]) && allNaN(out[1]));
    }
}

void TestSpectral::qzMultipliesBackInOrder() {
  QFETCH(int, dtype);
  QFETCH(int, layout);
  const auto d = static_cast<DType>(dtype);
  for (const int64_t n : kSizes)
    for (const bool complexForm : {isComplex(d), true})
      for (const char* sort : {"", "lhp", "rhp", "iuc", "ouc"}) {
        const Dense a = randomDense(n, n, d, 7), b = dominantDense(n, d, 8);
        const DType out = complexForm ? complexOf(d) : d;
        const std::string order = sort;
        OpCall call{"QZ",
                    {{"complex_output", complexForm}, {"return_eigenvalues", true}},
                    {toData(a, d), toData(b, d)},
                    {matrixType(out), matrixType(out), vectorType(complexOf(d)), vectorType(out),
                     matrixType(out), matrixType(out)}};
        if (!order.empty()) call.params["sort"] = order;
        call.layout = static_cast<Layout>(layout);
        const auto r = outputsOf(call);
        const Dense &aa = r[0], &bb = r[1], &alpha = r[2], &beta = r[3], &q = r[4], &z = r[5];
        QVERIFY(maxAbs(q * aa * adjoint(z) - a) <= toleranceOf(d) * 10);
        QVERIFY(maxAbs(q * bb * adjoint(z) - b) <= toleranceOf(d) * 10 * (1 + maxAbs(b)));
        QVERIFY(distanceToUnitary(q) <= toleranceOf(d) && distanceToUnitary(z) <= toleranceOf(d));
        QVERIFY(maxAbs(aa - upperTriangle(aa, complexForm ? 0 : -1)) == 0 &&
                maxAbs(bb - upperTriangle(bb)) == 0);
        std::vector<Complex> values;
        for (int64_t i = 0; i < n; ++i) values.push_back(alpha(i, 0) / beta(i, 0));
        if (!order.empty()) QVERIFY(chosenFirst(values, [&](Complex w) { return comesFirst(order, w); }));
        if (complexForm) QVERIFY(maxAbs(diagonalOf(aa) - alpha) <= toleranceOf(d));

        call.params["return_eigenvalues"] = false;
        call.outputTypes = std::vector<Type>(4, matrixType(out));
        const auto without = outputsOf(call);
        QVERIFY(maxAbs(without[0] - aa) == 0 && maxAbs(without[2] - q) == 0 && maxAbs(without[3] - z) == 0);
      }
}

void TestSpectral::qzOfNotFiniteIsNotANumber() {
  const DType d = DType::Float64;
  const Data good = toData(randomDense(4, 4, d, 9), d),
             bad = toData(denseOf({{1, 2, 3, 4}, {5, 6, kNaN, 8}, {1, 1, 1, 1}, {0, 0, 0, kInf}}), d);
  for (const auto& inputs : {std::vector{good, bad}, std::vector{bad, good}})
    for (const Dense& out : outputsOf({"QZ", {}, inputs, std::vector<Type>(4, matrixType(d))}))
      QVERIFY(allNaN(out));
}

void TestSpectral::trsylSolvesSylvester() {
  QFETCH(int, dtype);
  QFETCH(int, layout);
  const auto d = static_cast<DType>(dtype);
  for (const int64_t m : kSizes)
    for (const int64_t n : {0, 1, 3, 8}) {
      Dense a = upperTriangle(dominantDense(m, d, 10)), b = upperTriangle(dominantDense(n, d, 11));
      // A block of two on the diagonal: a conjugate pair of eigenvalues.
      if (!isComplex(d) && m > 2) {
        a(2, 1) = -0.5;
        a(1, 2) = 0.75;
        a(2, 2) = a(1, 1);
      }
      const Dense c = randomDense(m, n, d, 12);
      OpCall call{"TRSYL", {}, {toData(a, d), toData(b, d), toData(c, d)}, {matrixType(d)}};
      call.layout = static_cast<Layout>(layout);
      for (int inPlace = 0; inPlace < 2; ++inPlace) {
        const Dense x = outputsOf(call)[0];
        QVERIFY(maxAbs(a * x + x * b - c) <= toleranceOf(d) * 10);
        call.destroys = {{0, 2}};
      }
    }
}

void TestSpectral::wrongCallsAreRefused_data() {
  QTest::addColumn<QString>("op");
  QTest::addColumn<QList<QList<int>>>("shapes");
  QTest::addColumn<int>("outputs");
  QTest::addColumn<double>("fill");
  QTest::addColumn<QString>("error");
  using Shapes = QList<QList<int>>;
  const QString square = ": expected a square matrix, found shape (2, 3)";
  QTest::newRow("Eig") << "Eig" << Shapes{{2, 3}} << 2 << 1.0 << "LinAlgError" + square;
  QTest::newRow("Eig not finite") << "Eig" << Shapes{{2, 2}} << 2 << kNaN
                                  << "LinAlgError: the matrix has to be finite";
  QTest::newRow("Eigh") << "Eigh" << Shapes{{2, 3}} << 2 << 1.0 << "ValueError" + square;
  QTest::newRow("Eigh not finite") << "Eigh" << Shapes{{2, 2}} << 2 << kInf
                                   << "ValueError: the matrices have to be finite";
  QTest::newRow("Eigh not positive")
      << "Eigh" << Shapes{{2, 2}, {2, 2}} << 2 << 1.0
      << "LinAlgError: B is not positive definite, or the eigenvalues did not converge";
  QTest::newRow("Eigh sizes") << "Eigh" << Shapes{{2, 2}, {3, 3}} << 2 << 1.0
                              << "ValueError: generalized eigenproblem: shapes (2, 2) and (3, 3)";
  QTest::newRow("Eigvalsh") << "Eigvalsh" << Shapes{{2, 3}} << 1 << 1.0 << "ValueError" + square;
  QTest::newRow("Schur") << "Schur" << Shapes{{2, 3}} << -2 << 1.0 << "ValueError" + square;
  QTest::newRow("QZ") << "QZ" << Shapes{{2, 2}, {3, 3}} << -4 << 1.0
                      << "ValueError: generalized eigenproblem: shapes (2, 2) and (3, 3)";
  QTest::newRow("TRSYL") << "TRSYL" << Shapes{{2, 2}, {3, 3}, {3, 2}} << -1 << 1.0
                         << "ValueError: Sylvester equation: shapes (2, 2) and (3, 2)";
}

void TestSpectral::wrongCallsAreRefused() {
  QFETCH(QString, op);
  QFETCH(QList<QList<int>>, shapes);
  QFETCH(int, outputs);
  QFETCH(double, fill);
  QFETCH(QString, error);
  const DType d = DType::Float64, c = op == "Eig" ? DType::Complex128 : d;
  OpCall call{op.toStdString(), {}, {}, {}};
  for (const QList<int>& shape : shapes)
    call.inputs.push_back(rampOf(d, std::vector<int64_t>(shape.begin(), shape.end()), fill, 0));
  // Eigenvalues come first, except where all outputs are matrices (written as a negative count).
  for (int k = 0; k < std::abs(outputs); ++k)
    call.outputTypes.push_back(outputs > 0 && k == 0 ? vectorType(c) : matrixType(c));
  QCOMPARE(QString::fromStdString(callOp(call).errorText()), error);
}

QTEST_APPLESS_MAIN(TestSpectral)
#include "tst_spectral.moc"
