#include "numeric/roots.h"

#include <cminpack.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace nodewise::roots {

namespace {

/// What MINPACK calls back. It keeps a Jacobian by columns.
struct Callback {
  const System& system;
  std::vector<double> rows;
  bool stopped = false;

  explicit Callback(const System& s)
      : system(s), rows(static_cast<size_t>(s.jacobian ? s.equations * s.unknowns : 0)) {}

  int done(bool ok) {
    stopped = stopped || !ok;
    return stopped ? -1 : 0;
  }

  int jacobian(const double* x, double* columns, int leading) {
    if (!system.jacobian(x, rows.data())) return done(false);
    for (int64_t i = 0; i < system.equations; ++i)
      for (int64_t j = 0; j < system.unknowns; ++j)
        columns[j * leading + i] = rows[static_cast<size_t>(i * system.unknowns + j)];
    return 0;
  }
};

int valueOf(void* p, int, const double* x, double* f, int) {
  auto& callback = *static_cast<Callback*>(p);
  return callback.done(callback.system.value(x, f));
}

int valuesOf(void* p, int, int, const double* x, double* f, int) { return valueOf(p, 0, x, f, 0); }

int valueOrJacobian(void* p, int, const double* x, double* f, double* jacobian, int leading, int what) {
  if (what == 2) return static_cast<Callback*>(p)->jacobian(x, jacobian, leading);
  return valueOf(p, 0, x, f, 0);
}

int valuesOrJacobian(void* p, int, int, const double* x, double* f, double* jacobian, int leading, int what) {
  return valueOrJacobian(p, 0, x, f, jacobian, leading, what);
}

constexpr int kScaleByJacobian = 1, kNoPrinting = 0;

int hybrid(Callback& callback, const Limits& limits, int calls, std::vector<double>& x) {
  const auto n = static_cast<int>(x.size()), triangle = n * (n + 1) / 2;
  std::vector<double> memory(static_cast<size_t>(n) * (7 + static_cast<size_t>(n)) +
                             static_cast<size_t>(triangle));
  double* at = memory.data();
  const auto take = [&at](int count) { return std::exchange(at, at + count); };
  double *f = take(n), *scale = take(n), *qtf = take(n), *jacobian = take(n * n), *r = take(triangle);
  double *w1 = take(n), *w2 = take(n), *w3 = take(n), *w4 = take(n);
  int values = 0, jacobians = 0;
  if (callback.system.jacobian)
    return hybrj(valueOrJacobian, &callback, n, x.data(), f, jacobian, n, limits.xtol, calls, scale,
                 kScaleByJacobian, limits.factor, kNoPrinting, &values, &jacobians, r, triangle, qtf, w1, w2,
                 w3, w4);
  return hybrd(valueOf, &callback, n, x.data(), f, limits.xtol, calls, n - 1, n - 1,
               callback.system.precision, scale, kScaleByJacobian, limits.factor, kNoPrinting, &values,
               jacobian, n, r, triangle, qtf, w1, w2, w3, w4);
}

int leastSquares(Callback& callback, const Limits& limits, int calls, std::vector<double>& x) {
  const auto n = static_cast<int>(x.size()), m = static_cast<int>(callback.system.equations);
  std::vector<double> memory(static_cast<size_t>(n) * (5 + static_cast<size_t>(m)) +
                             2 * static_cast<size_t>(m));
  std::vector<int> pivots(static_cast<size_t>(n));
  double* at = memory.data();
  const auto take = [&at](int count) { return std::exchange(at, at + count); };
  double *f = take(m), *scale = take(n), *qtf = take(n), *jacobian = take(m * n);
  double *w1 = take(n), *w2 = take(n), *w3 = take(n), *w4 = take(m);
  int values = 0, jacobians = 0;
  if (callback.system.jacobian)
    return lmder(valuesOrJacobian, &callback, m, n, x.data(), f, jacobian, m, limits.ftol, limits.xtol,
                 limits.gtol, calls, scale, kScaleByJacobian, limits.factor, kNoPrinting, &values, &jacobians,
                 pivots.data(), qtf, w1, w2, w3, w4);
  return lmdif(valuesOf, &callback, m, n, x.data(), f, limits.ftol, limits.xtol, limits.gtol, calls,
               callback.system.precision, scale, kScaleByJacobian, limits.factor, kNoPrinting, &values,
               jacobian, m, pivots.data(), qtf, w1, w2, w3, w4);
}

bool near(double a, double b, const ScalarLimits& limits) {
  return a == b || (std::isfinite(b) && std::fabs(a - b) <= limits.xtol + limits.rtol * std::fabs(b));
}

Outcome newton(const Equation& equation, const ScalarLimits& limits, double& x) {
  for (int64_t step = 0; step < limits.steps; ++step) {
    double v[3] = {0, 0, 0};
    if (!equation.evaluate(x, v)) return {true, false};
    if (v[0] == 0) return {false, true};
    if (v[1] == 0) return {false, false};
    double change = v[0] / v[1];
    if (equation.derivatives > 1) {
      // Halley's correction, while it cannot turn the step around.
      const double correction = change * v[2] / v[1] / 2;
      if (std::fabs(correction) < 1) change /= 1 - correction;
    }
    const double next = x - change;
    const bool close = near(next, x, limits);
    x = next;
    if (close) return {false, true};
  }
  return {false, false};
}

Outcome secant(const Equation& equation, const ScalarLimits& limits, double& x) {
  constexpr double kFirstStep = 1e-4;
  double p0 = x, p1 = x * (1 + kFirstStep), q0 = 0, q1 = 0;
  p1 = limits.second ? *limits.second : p1 + (p1 >= 0 ? kFirstStep : -kFirstStep);
  if (!equation.evaluate(p0, &q0) || !equation.evaluate(p1, &q1)) return {true, false};
  if (std::fabs(q1) < std::fabs(q0)) {
    std::swap(p0, p1);
    std::swap(q0, q1);
  }
  for (int64_t step = 0; step < limits.steps; ++step) {
    if (q1 == q0) {
      x = (p1 + p0) / 2;
      return {false, true};
    }
    const bool second = std::fabs(q1) > std::fabs(q0);
    x = second ? (-q0 / q1 * p1 + p0) / (1 - q0 / q1) : (-q1 / q0 * p0 + p1) / (1 - q1 / q0);
    if (near(x, p1, limits)) return {false, true};
    p0 = p1;
    q0 = q1;
    p1 = x;
    if (!equation.evaluate(p1, &q1)) return {true, false};
  }
  return {false, false};
}

} // namespace

Outcome solveSystem(const System& system, Method method, const Limits& limits, std::vector<double>& x) {
  Callback callback(system);
  const int64_t given =
      limits.calls > 0 ? limits.calls : (system.jacobian ? 100 : 200) * (system.unknowns + 1);
  const auto calls = static_cast<int>(std::min<int64_t>(given, std::numeric_limits<int>::max()));
  if (x.empty()) return {false, true};
  const bool squares = method == Method::LevenbergMarquardt;
  const int info = squares ? leastSquares(callback, limits, calls, x) : hybrid(callback, limits, calls, x);
  return {callback.stopped, info >= 1 && info <= (squares ? 4 : 1)};
}

Outcome solveEquation(const Equation& equation, const ScalarLimits& limits, double& x) {
  return equation.derivatives > 0 ? newton(equation, limits, x) : secant(equation, limits, x);
}

} // namespace nodewise::roots
