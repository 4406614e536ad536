// Roots whose values are known in closed form; what cannot be reached says so.
#include "numeric/roots.h"

#include <QtTest>

#include <cmath>
#include <numbers>

using namespace nodewise::roots;

namespace {

/// x^2 + y^2 = 2 and x = y: (1, 1).
System circleAndLine(bool jacobian) {
  System s;
  s.unknowns = s.equations = 2;
  s.value = [](const double* x, double* f) {
    f[0] = x[0] * x[0] + x[1] * x[1] - 2;
    f[1] = x[0] - x[1];
    return true;
  };
  if (jacobian)
    s.jacobian = [](const double* x, double* j) {
      j[0] = 2 * x[0], j[1] = 2 * x[1], j[2] = 1, j[3] = -1;
      return true;
    };
  return s;
}

/// cos x = x has the root 0.739085...
Equation cosine(int derivatives) {
  return {[](double x, double* v) {
            const double all[] = {std::cos(x) - x, -std::sin(x) - 1, -std::cos(x)};
            std::copy_n(all, 3, v);
            return true;
          },
          derivatives};
}
Equation cosineAlone() {
  return {[](double x, double* v) {
            v[0] = std::cos(x) - x;
            return true;
          },
          0};
}

} // namespace

class TestRoots : public QObject {
  Q_OBJECT
private Q_SLOTS:
  void systemsHaveTheirRoots_data() {
    QTest::addColumn<int>("method");
    QTest::addColumn<bool>("jacobian");
    for (const bool jacobian : {true, false}) {
      const char* suffix = jacobian ? "with Jacobian" : "by differences";
      QTest::addRow("hybrid %s", suffix) << static_cast<int>(Method::Hybrid) << jacobian;
      QTest::addRow("least squares %s", suffix) << static_cast<int>(Method::LevenbergMarquardt) << jacobian;
    }
  }
  void systemsHaveTheirRoots() {
    QFETCH(int, method);
    QFETCH(bool, jacobian);
    std::vector<double> x{3, 0.5};
    const Outcome outcome = solveSystem(circleAndLine(jacobian), static_cast<Method>(method), {}, x);
    QVERIFY(outcome.converged && !outcome.stopped);
    QVERIFY(std::fabs(x[0] - 1) < 1e-8 && std::fabs(x[1] - 1) < 1e-8);
  }
  void moreEquationsThanUnknownsAreLeastSquares() {
    System s;
    s.unknowns = 1;
    s.equations = 3;
    s.value = [](const double* x, double* f) {
      for (int i = 0; i < 3; ++i) f[i] = x[0] - i;
      return true;
    };
    std::vector<double> x{10};
    QVERIFY(solveSystem(s, Method::LevenbergMarquardt, {}, x).converged);
    QVERIFY(std::fabs(x[0] - 1) < 1e-8); // the mean
  }
  void whatHasNoRootDoesNotConverge() {
    System s;
    s.unknowns = s.equations = 1;
    s.value = [](const double* x, double* f) {
      f[0] = x[0] * x[0] + 1;
      return true;
    };
    std::vector<double> x{1};
    const Outcome outcome = solveSystem(s, Method::Hybrid, {}, x);
    QVERIFY(!outcome.converged && !outcome.stopped);
  }
  void aFunctionThatGivesUpStopsIt() {
    for (const Method method : {Method::Hybrid, Method::LevenbergMarquardt}) {
      System s = circleAndLine(true);
      int calls = 0;
      s.value = [&](const double*, double* f) {
        f[0] = f[1] = 1;
        return ++calls < 3;
      };
      std::vector<double> x{3, 0.5};
      QVERIFY(solveSystem(s, method, {}, x).stopped);
    }
  }
  void scalarEquationsHaveTheirRoots_data() {
    QTest::addColumn<int>("derivatives");
    QTest::newRow("secant") << 0;
    QTest::newRow("newton") << 1;
    QTest::newRow("halley") << 2;
  }
  void scalarEquationsHaveTheirRoots() {
    QFETCH(int, derivatives);
    double x = 1;
    QVERIFY(solveEquation(derivatives > 0 ? cosine(derivatives) : cosineAlone(), {}, x).converged);
    QVERIFY(std::fabs(x - 0.73908513321516064) < 1e-12);
  }
  void aFlatFunctionDoesNotConverge() {
    const Equation flat{[](double, double* v) {
                          v[0] = 1, v[1] = 0;
                          return true;
                        },
                        1};
    double x = 2;
    QVERIFY(!solveEquation(flat, {}, x).converged);
    QCOMPARE(x, 2.0);
  }
  void stepsAreLimited() {
    double x = 1;
    ScalarLimits one;
    one.steps = 1;
    QVERIFY(!solveEquation(cosine(1), one, x).converged);
  }
};

QTEST_APPLESS_MAIN(TestRoots)
#include "tst_roots.moc"
