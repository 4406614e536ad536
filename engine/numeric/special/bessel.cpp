// Bessel functions: Boost.Math, and for the scaled ones of large argument or order Debye's uniform
// expansions.
#include "numeric/special.h"
#include "numeric/special/debye.h"
#include "numeric/special/policy.h"

#include <boost/math/special_functions/bessel.hpp>

#include <cmath>
#include <limits>
#include <numbers>

namespace nodewise::special {

namespace {

bool isInteger(double v) { return v == std::floor(v); }
bool isOdd(double v) { return std::fmod(v, 2.0) != 0.0; }

/// sin(pi v) without the rounding of pi v.
double sinPi(double v) {
  const double r = std::fmod(v, 2.0);
  return isInteger(r) ? 0.0 : std::sin(std::numbers::pi * r);
}

/// Above this hypot(v, x) Debye's expansions give full precision, below it nothing over- or underflows in
/// exp(x).
constexpr double kDebyeRadius = 60.0;

/// Amos's routines, which SciPy has kve from, give inf beyond exp(2.303 (1021 log10(2) - 3)).
constexpr double kAmosLimit = 2.5496e304;

/// Below the normal doubles the first terms of the series (DLMF 10.25.2, 10.27.4) are exact, and Boost is
/// lost.
bool isTiny(double x) { return x < std::numeric_limits<double>::min(); }

double tinyK(double v, double x) {
  const double power = std::numbers::ln2 - std::log(x);
  // Gamma(v) is 1/v - Euler's constant to the accuracy needed here.
  if (v < 1e-5)
    return v < 1e-100 ? power - std::numbers::egamma : std::sinh(v * (power - std::numbers::egamma)) / v;
  const double first = std::tgamma(v) * std::exp(v * power);
  return 0.5 * (v < 1.0 ? first + std::tgamma(-v) * std::exp(-v * power) : first);
}

/// For v >= 0, x > 0.
double scaledI(double v, double x) {
  if (isTiny(x)) return std::exp(v * (std::log(x) - std::numbers::ln2)) / std::tgamma(v + 1.0);
  if (std::hypot(v, x) > kDebyeRadius) return debyeI(v, x);
  return boost::math::cyl_bessel_i(v, x, Quiet{}) * std::exp(-x);
}

double scaledK(double v, double x) {
  if (isTiny(x)) return tinyK(v, x);
  if (std::hypot(v, x) > kDebyeRadius) return debyeK(v, x);
  return boost::math::cyl_bessel_k(v, x, Quiet{}) * std::exp(x);
}

} // namespace

double j0(double x) { return std::isinf(x) ? kNaN : boost::math::cyl_bessel_j(0, x, Quiet{}); }

double j1(double x) { return std::isinf(x) ? kNaN : boost::math::cyl_bessel_j(1, x, Quiet{}); }

double i0(double x) { return std::isinf(x) ? kInf : boost::math::cyl_bessel_i(0, x, Quiet{}); }

double i1(double x) { return std::isinf(x) ? x : boost::math::cyl_bessel_i(1, x, Quiet{}); }

double jv(double v, double x) {
  if (std::isinf(x)) return kNaN;
  if (std::isinf(v))
    return v > 0.0 && std::fabs(x) <= 2.0 ? 0.0 : kNaN; // as far as SciPy's power series is used
  if (x < 0.0 && !isInteger(v)) return kNaN;
  if (x < 0.0) return isOdd(v) ? -jv(v, -x) : jv(v, -x);
  if (x == 0.0 && v < 0.0) return isInteger(v) ? 0.0 : kInf;
  return boost::math::cyl_bessel_j(v, x, Quiet{});
}

double ive(double v, double x) {
  if (std::isinf(v) || std::isinf(x)) return kNaN;
  if (x < 0.0 && !isInteger(v)) return kNaN;
  if (x < 0.0) return isOdd(v) ? -ive(v, -x) : ive(v, -x);
  const double order = isTiny(std::fabs(v)) ? 0.0 : std::fabs(v);
  const bool reflected = v < 0.0 && !isInteger(v);
  if (x == 0.0) return reflected ? kNaN : order == 0.0 ? 1.0 : 0.0;
  if (!reflected) return scaledI(order, x);
  // I of order -v is I of order v plus 2/pi sin(pi v) K (DLMF 10.27.2), here all scaled by exp(-x).
  return scaledI(order, x) +
         2.0 * std::numbers::inv_pi * sinPi(order) * scaledK(order, x) * std::exp(-2.0 * x);
}

double kve(double v, double x) {
  if (x < 0.0) return kNaN;
  if (x == 0.0) return kInf;
  if (!std::isfinite(v) || !std::isfinite(x)) return kNaN;
  const double k = scaledK(isTiny(std::fabs(v)) ? 0.0 : std::fabs(v), x);
  return k > kAmosLimit ? kInf : k;
}

} // namespace nodewise::special
