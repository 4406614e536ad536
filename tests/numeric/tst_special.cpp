// Special functions, called as compiled kernels call them: by the addresses in the table.
#include "numeric/complex_error.h"
#include "numeric/special.h"
#include "special_values.h"

#include <QTest>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <random>
#include <string>
#include <vector>

using nodewise::findSpecialFunction;
using nodewise::SpecialFunction;
using nodewise::specialFunctions;

namespace {

constexpr double kInf = std::numeric_limits<double>::infinity();
const double kNaN = std::numeric_limits<double>::quiet_NaN();

using Arguments = std::array<double, 4>;

template <class T, int n> T call(const void* address, const Arguments& x) {
  const auto at = [&](int k) { return static_cast<T>(x[static_cast<size_t>(k)]); };
  if constexpr (n == 1) return reinterpret_cast<T (*)(T)>(const_cast<void*>(address))(at(0));
  if constexpr (n == 2) return reinterpret_cast<T (*)(T, T)>(const_cast<void*>(address))(at(0), at(1));
  if constexpr (n == 3)
    return reinterpret_cast<T (*)(T, T, T)>(const_cast<void*>(address))(at(0), at(1), at(2));
  if constexpr (n == 4)
    return reinterpret_cast<T (*)(T, T, T, T)>(const_cast<void*>(address))(at(0), at(1), at(2), at(3));
}

template <class T> T callAny(const SpecialFunction& f, const void* address, const Arguments& x) {
  switch (f.arity) {
  case 1:
    return call<T, 1>(address, x);
  case 2:
    return call<T, 2>(address, x);
  case 3:
    return call<T, 3>(address, x);
  default:
    return call<T, 4>(address, x);
  }
}

double evaluate(std::string_view name, const Arguments& x) {
  const SpecialFunction* f = findSpecialFunction(name);
  return f ? callAny<double>(*f, f->addressF64, x) : -12345.0;
}

double relativeError(double got, double want) {
  if (std::isnan(want)) return std::isnan(got) ? 0.0 : kInf;
  if (got == want) return 0.0;
  return std::fabs(got - want) / std::fabs(want);
}

QString describe(const char* name, const Arguments& x, double got, double want) {
  return QString("%1(%2, %3, %4, %5) is %6, not %7")
      .arg(name)
      .arg(x[0])
      .arg(x[1])
      .arg(x[2])
      .arg(x[3])
      .arg(got, 0, 'g', 17)
      .arg(want, 0, 'g', 17);
}

/// Compares to a relative tolerance; not-a-number equals not-a-number.
#define COMPARE_TO(name, x, want, tolerance)                                                                 \
  do {                                                                                                       \
    const Arguments nwX = x;                                                                                 \
    const double nwGot = evaluate(name, nwX), nwWant = want;                                                 \
    QVERIFY2(relativeError(nwGot, nwWant) <= tolerance, qPrintable(describe(name, nwX, nwGot, nwWant)));     \
  } while (false)

} // namespace

class TestSpecial : public QObject {
  Q_OBJECT

private Q_SLOTS:
  void tableIsSortedAndNamesItsSymbols();
  void valuesOfMpmath_data();
  void valuesOfMpmath();
  void float32RoundsTheDoubleResult();
  void edges_data();
  void edges();
  void notANumberPassesThroughEveryArgument();
  void anyArgumentsGiveAResult();
  void regularizedFunctionsStayInTheUnitInterval();
  void gammaFamilyObeysItsRecurrences();
  void incompleteFunctionsAddUpToOne();
  void inversesInvert();
  void besselFunctionsObeyTheirWronskian();
  void hyp2f1ObeysItsContiguousRelation();
  void hyp2f1HasItsElementaryCases();
  void owensTHasItsClosedForms();
  void complexErrorFunctions_data();
  void complexErrorFunctions();
  void complexErrorFunctionsOfRealNumbersAreTheRealOnes();
};

void TestSpecial::tableIsSortedAndNamesItsSymbols() {
  const auto rows = specialFunctions();
  QVERIFY(std::ranges::is_sorted(rows, {}, &SpecialFunction::name));
  for (const SpecialFunction& f : rows) {
    QCOMPARE(std::string(f.symbolF64), "nodewise_" + std::string(f.name) + "_f64");
    QCOMPARE(std::string(f.symbolF32), "nodewise_" + std::string(f.name) + "_f32");
    QVERIFY(f.addressF64 && f.addressF32 && f.addressF64 != f.addressF32);
    QCOMPARE(findSpecialFunction(f.name), &f);
  }
  QVERIFY(!findSpecialFunction("exp"));
  QVERIFY(!findSpecialFunction("zeta"));
}

void TestSpecial::valuesOfMpmath_data() {
  QTest::addColumn<int>("row");
  for (int k = 0; k < static_cast<int>(std::size(kSpecialValues)); ++k)
    QTest::addRow("%s %d", kSpecialValues[k].function, k) << k;
}

void TestSpecial::valuesOfMpmath() {
  QFETCH(int, row);
  const SpecialValue& v = kSpecialValues[row];
  COMPARE_TO(v.function, std::to_array(v.arguments), v.value, 1e-13);
}

void TestSpecial::float32RoundsTheDoubleResult() {
  for (const SpecialValue& v : kSpecialValues) {
    Arguments rounded = std::to_array(v.arguments);
    for (double& x : rounded) x = static_cast<float>(x);
    const SpecialFunction* f = findSpecialFunction(v.function);
    QVERIFY2(f, v.function);
    const float want = static_cast<float>(evaluate(v.function, rounded));
    const float got = callAny<float>(*f, f->addressF32, rounded);
    QVERIFY2(got == want || (std::isnan(got) && std::isnan(want)),
             qPrintable(describe(v.function, rounded, got, want)));
  }
}

void TestSpecial::edges_data() {
  QTest::addColumn<QString>("function");
  QTest::addColumn<QList<double>>("arguments");
  QTest::addColumn<double>("value");
  const auto row = [](const char* name, QList<double> x, double value) {
    QString text(name);
    for (const double a : x) text += ' ' + QString::number(a);
    QTest::newRow(qPrintable(text)) << name << x << value;
  };
  row("erfcx", {-kInf}, kInf), row("erfcx", {-27.0}, kInf), row("erfcx", {kInf}, 0.0);
  row("erfinv", {1.0}, kInf), row("erfinv", {-1.0}, -kInf), row("erfinv", {1.5}, kNaN),
      row("erfinv", {0.0}, 0.0);
  row("erfcinv", {0.0}, kInf), row("erfcinv", {2.0}, -kInf), row("erfcinv", {1.0}, 0.0),
      row("erfcinv", {-0.5}, kNaN);
  row("gamma", {0.0}, kInf), row("gamma", {-0.0}, -kInf), row("gamma", {172.0}, kInf),
      row("gamma", {kInf}, kInf);
  row("gammaln", {0.0}, kInf), row("gammaln", {-1.0}, kInf), row("gammaln", {-1e300}, kInf);
  row("gammaln", {1.0}, 0.0), row("gammaln", {2.0}, 0.0), row("gammaln", {kInf}, kInf),
      row("gammaln", {-kInf}, -kInf);
  row("psi", {0.0}, -kInf), row("psi", {-0.0}, kInf), row("psi", {-3.0}, kNaN), row("psi", {kInf}, kInf);
  row("psi", {-kInf}, kNaN);
  row("tri_gamma", {0.0}, kInf), row("tri_gamma", {-2.0}, kInf), row("tri_gamma", {kInf}, 0.0);
  row("polygamma", {0.0, 0.0}, -kInf), row("polygamma", {2.0, 0.0}, -kInf),
      row("polygamma", {3.0, -2.0}, kInf);
  row("polygamma", {2.0, kInf}, 0.0), row("polygamma", {-1.0, 2.0}, kNaN), row("polygamma", {1.5, 2.0}, kNaN);
  row("gammainc", {0.0, 0.0}, kNaN), row("gammainc", {0.0, 1.0}, 1.0), row("gammainc", {2.0, 0.0}, 0.0);
  row("gammainc", {kInf, 3.0}, 0.0), row("gammainc", {3.0, kInf}, 1.0), row("gammainc", {kInf, kInf}, kNaN);
  row("gammainc", {-1.0, 1.0}, kNaN), row("gammainc", {1.0, -1.0}, kNaN);
  row("gammaincc", {0.0, 0.0}, kNaN), row("gammaincc", {0.0, 1.0}, 0.0), row("gammaincc", {2.0, 0.0}, 1.0);
  row("gammaincc", {kInf, 3.0}, 1.0), row("gammaincc", {3.0, kInf}, 0.0),
      row("gammaincc", {kInf, kInf}, kNaN);
  row("gammainc", {kNaN, 0.0}, 0.0), row("gammaincc", {kNaN, kInf}, 0.0), row("gammaincc", {kInf, kNaN}, 1.0);
  row("kve", {kNaN, 0.0}, kInf), row("gammau", {kInf, kNaN}, kInf), row("gammainc", {kNaN, kNaN}, kNaN);
  row("gammau", {0.0, 1.0}, kNaN), row("gammau", {2.0, 0.0}, 1.0), row("gammau", {1000.0, 0.0}, kInf);
  row("gammal", {0.0, 1.0}, kInf), row("gammal", {2.0, kInf}, 1.0), row("gammal", {1000.0, 0.5}, kNaN);
  row("gammaincinv", {2.0, 0.0}, 0.0), row("gammaincinv", {2.0, 1.0}, kInf),
      row("gammaincinv", {0.0, 0.5}, kNaN);
  row("gammaincinv", {2.0, 1.5}, kNaN), row("gammaincinv", {kInf, 0.5}, kNaN);
  row("gammainccinv", {2.0, 0.0}, kInf), row("gammainccinv", {2.0, 1.0}, 0.0),
      row("gammainccinv", {0.0, 1e-12}, 0.0);
  row("betainc", {2.0, 3.0, 0.0}, 0.0), row("betainc", {2.0, 3.0, 1.0}, 1.0),
      row("betainc", {-1.0, 3.0, 0.5}, kNaN);
  row("betainc", {0.0, 3.0, 0.5}, 1.0), row("betainc", {3.0, 0.0, 0.5}, 0.0),
      row("betainc", {0.0, 0.0, 0.5}, kNaN);
  row("betainc", {2.0, 3.0, 1.5}, kNaN);
  row("betaincinv", {2.0, 3.0, 0.0}, 0.0), row("betaincinv", {2.0, 3.0, 1.0}, 1.0);
  row("betaincinv", {0.0, 3.0, 0.5}, kNaN), row("betaincinv", {2.0, 3.0, -0.1}, kNaN);
  row("hyp2f1", {1.0, 2.0, 3.0, 0.0}, 1.0), row("hyp2f1", {0.0, 2.0, 3.0, 0.7}, 1.0);
  row("hyp2f1", {1.0, 2.0, 3.0, 1.0}, kInf), row("hyp2f1", {1.0, 2.0, 3.0, 2.0}, kInf);
  row("hyp2f1", {1.0, 1.0, 0.0, 0.5}, kInf), row("hyp2f1", {1.0, 2.0, -2.0, 0.5}, kInf);
  row("hyp2f1", {-3.0, 1.0, -2.0, 0.5}, kInf), row("hyp2f1", {-2.0, 1.0, -2.0, 0.5}, 1.75);
  row("hyp2f1", {1.0, 1.0, 3.0, -kInf}, 0.0), row("hyp2f1", {kInf, 1.0, 3.0, 0.5}, kNaN);
  row("j0", {0.0}, 1.0), row("j1", {0.0}, 0.0), row("i0", {kInf}, kInf), row("i1", {-kInf}, -kInf);
  row("jv", {0.0, 0.0}, 1.0), row("jv", {2.5, 0.0}, 0.0), row("jv", {-2.0, 0.0}, 0.0),
      row("jv", {-0.5, 0.0}, kInf);
  row("jv", {0.5, -1.0}, kNaN), row("jv", {1.0, kInf}, kNaN);
  row("ive", {0.0, 0.0}, 1.0), row("ive", {2.0, 0.0}, 0.0), row("ive", {0.5, -1.0}, kNaN),
      row("ive", {1.0, kInf}, kNaN);
  row("ive", {5e-324, 5e-324}, 1.0), row("kve", {0.5, 1e-320}, 1.25332111383242e160);
  row("kve", {0.0, 1e-320}, 736.943172406632);
  row("kve", {0.5, 0.0}, kInf), row("kve", {0.5, -1.0}, kNaN), row("kve", {1000.0, 1.0}, kInf);
  row("kve", {2.0, 1e-151}, 2e302), row("kve", {2.0, 1e-153}, kInf); // beyond Amos's limit
  row("owens_t", {kInf, 2.0}, 0.0), row("owens_t", {0.0, kInf}, 0.25), row("owens_t", {0.0, -kInf}, -0.25);
  row("owens_t", {1.0, 0.0}, 0.0);
}

void TestSpecial::edges() {
  QFETCH(QString, function);
  QFETCH(QList<double>, arguments);
  QFETCH(double, value);
  Arguments x{};
  std::ranges::copy(arguments, x.begin());
  const QByteArray name = function.toLatin1();
  COMPARE_TO(name.constData(), x, value, 1e-13);
}

void TestSpecial::notANumberPassesThroughEveryArgument() {
  for (const SpecialFunction& f : specialFunctions())
    for (int k = 0; k < f.arity; ++k) {
      Arguments x{0.5, 0.5, 0.5, 0.5};
      x[static_cast<size_t>(k)] = kNaN;
      QVERIFY2(std::isnan(callAny<double>(f, f.addressF64, x)), f.name.data());
      QVERIFY2(std::isnan(callAny<float>(f, f.addressF32, x)), f.name.data());
    }
}

void TestSpecial::anyArgumentsGiveAResult() {
  // Nothing may throw into compiled code, nor loop for ever; the loop itself is what is checked here.
  const std::vector<double> hard{0.0,  -0.0,        5e-324, -5e-324, 1e-300, 1e-17,  0.5,    1.0,
                                 -1.0, 1.0 + 1e-15, -2.0,   2.5,     30.0,   171.7,  -171.5, 1e3,
                                 1e8,  -1e8,        1e17,   -1e17,   1e300,  -1e300, kInf,   -kInf};
  std::mt19937_64 random(1);
  std::uniform_int_distribution<size_t> pick(0, hard.size() - 1);
  int results = 0;
  for (const SpecialFunction& f : specialFunctions())
    for (int n = 0; n < 600; ++n) {
      const Arguments x{hard[pick(random)], hard[pick(random)], hard[pick(random)], hard[pick(random)]};
      const double y = callAny<double>(f, f.addressF64, x);
      results += std::isnan(y) || std::isinf(y) || std::isfinite(y);
    }
  QCOMPARE(results, 600 * static_cast<int>(specialFunctions().size()));
}

void TestSpecial::regularizedFunctionsStayInTheUnitInterval() {
  std::mt19937_64 random(2);
  std::uniform_real_distribution<double> exponent(-8.0, 8.0), unit(0.0, 1.0);
  for (int n = 0; n < 2000; ++n) {
    const double a = std::pow(10.0, exponent(random)), b = std::pow(10.0, exponent(random)), x = unit(random);
    for (const double p : {evaluate("gammainc", {a, b}), evaluate("gammaincc", {a, b}),
                           evaluate("betainc", {a, b, x}), evaluate("betaincinv", {a, b, x})})
      QVERIFY2(p >= 0.0 && p <= 1.0, qPrintable(QString("%1 %2 %3: %4").arg(a).arg(b).arg(x).arg(p)));
  }
}

void TestSpecial::gammaFamilyObeysItsRecurrences() {
  for (double x = -20.37; x < 60.0; x += 0.713) {
    COMPARE_TO("gamma", Arguments{x + 1.0}, x * evaluate("gamma", {x}), 2e-13);
    QVERIFY(std::fabs(evaluate("psi", {x + 1.0}) - evaluate("psi", {x}) - 1.0 / x) < 1e-12);
    const double next = evaluate("tri_gamma", {x}) - 1.0 / (x * x);
    QVERIFY(std::fabs(evaluate("tri_gamma", {x + 1.0}) - next) < 1e-12 * (1.0 + 1.0 / (x * x)));
    // psi_n(x + 1) = psi_n(x) + (-1)^n n! / x^(n + 1) (DLMF 5.15.5), n = 4
    const double step = 24.0 / std::pow(x, 5), before = evaluate("polygamma", {4.0, x});
    QVERIFY(std::fabs(evaluate("polygamma", {4.0, x + 1.0}) - before - step) <
            1e-12 * (std::fabs(step) + std::fabs(before)));
  }
}

void TestSpecial::incompleteFunctionsAddUpToOne() {
  for (const double k : {0.01, 0.5, 1.0, 3.25, 40.0, 1000.0})
    for (const double ratio : {0.01, 0.5, 0.99, 1.0, 1.5, 4.0}) {
      const double x = k * ratio;
      QVERIFY(std::fabs(evaluate("gammainc", {k, x}) + evaluate("gammaincc", {k, x}) - 1.0) < 1e-14);
      const double p = ratio / 4.0;
      QVERIFY(std::fabs(evaluate("betainc", {k, 2.5, p}) + evaluate("betainc", {2.5, k, 1.0 - p}) - 1.0) <
              1e-13);
    }
}

void TestSpecial::inversesInvert() {
  for (const double p : {1e-10, 0.01, 0.3, 0.5, 0.77, 0.99}) {
    COMPARE_TO("erf", Arguments{evaluate("erfinv", {p})}, p, 1e-14);
    COMPARE_TO("erfc", Arguments{evaluate("erfcinv", {p})}, p, 1e-13);
    for (const double k : {0.2, 1.0, 7.5, 300.0}) {
      COMPARE_TO("gammainc", (Arguments{k, evaluate("gammaincinv", {k, p})}), p, 1e-12);
      COMPARE_TO("gammaincc", (Arguments{k, evaluate("gammainccinv", {k, p})}), p, 1e-12);
      COMPARE_TO("betainc", (Arguments{k, 2.0, evaluate("betaincinv", {k, 2.0, p})}), p, 1e-12);
    }
  }
}

void TestSpecial::besselFunctionsObeyTheirWronskian() {
  // I_v K_{v+1} + I_{v+1} K_v = 1/x (DLMF 10.28.2); the scales cancel. Orders and arguments on both sides of
  // the change of method.
  for (const double v : {0.0, 0.5, 3.0, 20.25, 59.0, 60.5, 300.0})
    for (const double x : {0.01, 1.0, 30.0, 59.9, 60.1, 500.0, 1e5}) {
      const double i = evaluate("ive", {v, x}), next = evaluate("ive", {v + 1.0, x});
      const double k = evaluate("kve", {v, x}), nextK = evaluate("kve", {v + 1.0, x});
      if (i == 0.0 || std::isinf(nextK)) continue; // out of range, as they should be for large v and small x
      QVERIFY2(relativeError(i * nextK + next * k, 1.0 / x) < 2e-13,
               qPrintable(QString("v %1, x %2").arg(v).arg(x)));
    }
  // J_{v-1} + J_{v+1} = 2 v J_v / x (DLMF 10.6.1)
  for (const double v : {1.0, 2.5, 7.0, 40.0})
    for (const double x : {0.5, 3.0, 41.0, 900.0}) {
      const double sum = evaluate("jv", {v - 1.0, x}) + evaluate("jv", {v + 1.0, x});
      const double scale = std::fabs(evaluate("jv", {v - 1.0, x})) + std::fabs(evaluate("jv", {v + 1.0, x}));
      QVERIFY(std::fabs(sum - 2.0 * v / x * evaluate("jv", {v, x})) < 1e-12 * scale);
    }
  COMPARE_TO("jv", (Arguments{0.0, 7.0}), evaluate("j0", {7.0}), 1e-13);
  COMPARE_TO("jv", (Arguments{1.0, 7.0}), evaluate("j1", {7.0}), 1e-13);
}

void TestSpecial::hyp2f1ObeysItsContiguousRelation() {
  // (c - a) F(a-1) + (2a - c + (b - a) z) F + a (z - 1) F(a+1) = 0 (DLMF 15.5.11)
  std::mt19937_64 random(3);
  std::uniform_real_distribution<double> parameter(-6.0, 6.0), argument(0.0, 1.0);
  for (int n = 0; n < 400; ++n) {
    const double a = parameter(random), b = parameter(random), c = parameter(random);
    const double u = argument(random), z = n % 2 ? u : -1.0 / u;
    const double terms[] = {(c - a) * evaluate("hyp2f1", {a - 1.0, b, c, z}),
                            (2.0 * a - c + (b - a) * z) * evaluate("hyp2f1", {a, b, c, z}),
                            a * (z - 1.0) * evaluate("hyp2f1", {a + 1.0, b, c, z})};
    const double scale = std::fabs(terms[0]) + std::fabs(terms[1]) + std::fabs(terms[2]);
    QVERIFY2(std::fabs(terms[0] + terms[1] + terms[2]) < 1e-11 * scale,
             qPrintable(QString("a %1, b %2, c %3, z %4").arg(a).arg(b).arg(c).arg(z)));
  }
}

void TestSpecial::hyp2f1HasItsElementaryCases() {
  for (const double z : {-1e5, -37.0, -1.0, -0.5, -1e-9, 0.25, 0.5, 0.9, 0.9999, 0.9999999999}) {
    COMPARE_TO("hyp2f1", (Arguments{1.0, 1.0, 2.0, z}), -std::log1p(-z) / z, 1e-13);       // DLMF 15.4.1
    COMPARE_TO("hyp2f1", (Arguments{2.25, 3.5, 3.5, z}), std::pow(1.0 - z, -2.25), 1e-13); // DLMF 15.4.6
    if (z > 0.0) {
      const double root = std::sqrt(z);
      COMPARE_TO("hyp2f1", (Arguments{0.5, 0.5, 1.5, z}), std::atan2(root, std::sqrt(1.0 - z)) / root,
                 1e-13); // DLMF 15.4.4
      COMPARE_TO("hyp2f1", (Arguments{0.5, 1.0, 1.5, z}), (std::log1p(root) - 0.5 * std::log(1.0 - z)) / root,
                 1e-13); // DLMF 15.4.2
    } else {
      const double root = std::sqrt(-z);
      COMPARE_TO("hyp2f1", (Arguments{0.5, 1.0, 1.5, z}), std::atan(root) / root, 1e-13); // DLMF 15.4.3
    }
  }
}

void TestSpecial::owensTHasItsClosedForms() {
  for (const double h : {0.0, 0.3, 1.0, 2.5, 6.0}) {
    const double below = 0.5 * std::erfc(-h / std::sqrt(2.0)), above = 0.5 * std::erfc(h / std::sqrt(2.0));
    COMPARE_TO("owens_t", (Arguments{h, 1.0}), 0.5 * below * above, 1e-14);
    COMPARE_TO("owens_t", (Arguments{-h, -1.0}), -0.5 * below * above, 1e-14);
  }
  for (const double a : {0.1, 0.9, 3.0, 50.0})
    COMPARE_TO("owens_t", (Arguments{0.0, a}), std::atan(a) / (2.0 * M_PI), 1e-14);
}

void TestSpecial::complexErrorFunctions_data() {
  QTest::addColumn<double>("re");
  QTest::addColumn<double>("im");
  QTest::addColumn<double>("erfRe");
  QTest::addColumn<double>("erfIm");
  // erf(i y) = i erfi(y).
  QTest::newRow("0") << 0.0 << 0.0 << 0.0 << 0.0;
  QTest::newRow("i") << 0.0 << 1.0 << 0.0 << 1.6504257587975429;
  QTest::newRow("1 + i") << 1.0 << 1.0 << 1.3161512816979476 << 0.19045346923783469;
  QTest::newRow("-1 - i") << -1.0 << -1.0 << -1.3161512816979476 << -0.19045346923783469;
  QTest::newRow("far") << 30.0 << 0.5 << 1.0 << 0.0;
}

void TestSpecial::complexErrorFunctions() {
  using nodewise::special::complexErf, nodewise::special::complexErfc, nodewise::special::complexErfcx;
  QFETCH(double, re);
  QFETCH(double, im);
  QFETCH(double, erfRe);
  QFETCH(double, erfIm);
  const std::complex<double> z(re, im), expected(erfRe, erfIm);
  QVERIFY(std::abs(complexErf(z) - expected) <= 1e-13);
  QVERIFY(std::abs(complexErfc(z) - (1.0 - expected)) <= 1e-12);
  if (std::abs(z) < 5)
    QVERIFY(std::abs(complexErfcx(z) - std::exp(z * z) * (1.0 - expected)) <=
            1e-12 * std::abs(std::exp(z * z)));
}

void TestSpecial::complexErrorFunctionsOfRealNumbersAreTheRealOnes() {
  for (const double x : {-3.0, -0.5, 1e-10, 0.25, 1.0, 2.5}) {
    QVERIFY(std::abs(nodewise::special::complexErf(x) - std::erf(x)) <= 1e-14);
    const double scaled = nodewise::special::erfcx(x);
    QVERIFY(std::abs(nodewise::special::complexErfcx(x) - scaled) <= 1e-13 * scaled);
  }
}

QTEST_APPLESS_MAIN(TestSpecial)
#include "tst_special.moc"
