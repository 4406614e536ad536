// Roots of equations: MINPACK's solvers for systems, Newton's and its like for one unknown.
#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <vector>

namespace nodewise::roots {

/// m equations in n unknowns. The functions return false to give up (their owner knows why).
struct System {
  int64_t unknowns = 0, equations = 0;
  double precision = std::numeric_limits<double>::epsilon(); ///< relative error of `value`, for differences
  std::function<bool(const double* x, double* f)> value;
  /// d f_i / d x_j at i * unknowns + j; none: forward differences.
  std::function<bool(const double* x, double* jacobian)> jacobian;
};

enum class Method : uint8_t {
  Hybrid,            ///< Powell's hybrid method (hybrj, hybrd); as many equations as unknowns
  LevenbergMarquardt ///< least squares (lmder, lmdif); at least as many equations as unknowns
};

/// MINPACK's parameters, with SciPy's defaults.
struct Limits {
  double xtol = 1.49012e-8, ftol = 1.49012e-8, gtol = 0, factor = 100;
  int64_t calls = 0; ///< of `value`; 0: 100 (n + 1), twice that without a Jacobian
};

struct Outcome {
  bool stopped = false;   ///< a function gave up
  bool converged = false; ///< by MINPACK's own tests
};

/// Improves x, which holds a first guess. Throws std::bad_alloc.
Outcome solveSystem(const System& system, Method method, const Limits& limits, std::vector<double>& x);

/// One equation f(x) = 0. Derivatives that are not given are not used: with one it is Newton's method, with
/// two Halley's, with none the secant method.
struct Equation {
  std::function<bool(double x, double* values)> evaluate; ///< f, f', f'' as far as `derivatives` says
  int derivatives = 0;
};

/// SciPy's names and defaults.
struct ScalarLimits {
  double xtol = 1.48e-8, rtol = 0;
  int64_t steps = 50;
  std::optional<double> second; ///< another guess, for the secant method
};

/// Improves x. Steps until one is within xtol + rtol abs(x), in SciPy's order of operations.
Outcome solveEquation(const Equation& equation, const ScalarLimits& limits, double& x);

} // namespace nodewise::roots
