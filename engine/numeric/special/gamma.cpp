// The gamma function, its logarithm, and the derivatives of that.
#include "numeric/special.h"
#include "numeric/special/policy.h"

#include <boost/math/special_functions/digamma.hpp>
#include <boost/math/special_functions/trigamma.hpp>

#include <cmath>
#include <math.h>
#include <numbers>

namespace nodewise::special {

namespace {

/// A non-positive integer: a pole of the gamma function. Every double below -2^53 is one.
bool isPole(double x) { return x <= 0.0 && x == std::floor(x); }

/// x's distance from the nearest integer, exactly; in [-0.5, 0.5].
double fromNearestInteger(double x) { return x - std::nearbyint(x); }

double integerPower(double x, int n) {
  if (n > 64) return std::pow(x, n);
  double result = 1.0;
  for (; n > 0; n >>= 1, x *= x)
    if (n & 1) result *= x;
  return result;
}

/// q^s times Hurwitz' zeta(s, q), for q > 0 and integer s >= 2, by Euler and Maclaurin's formula
/// (DLMF 25.11.5): terms are summed until q + k is large enough for the correction's terms to fall below an
/// ulp.
double scaledHurwitzZeta(int s, double q) {
  // B_2j / (2j)!, j = 1 ... 10 (DLMF 24.2).
  static constexpr double kBernoulli[] = {
      8.3333333333333333e-2,  -1.3888888888888889e-3,  3.3068783068783069e-5,  -8.2671957671957672e-7,
      2.0876756987868099e-8,  -5.2841901386874932e-10, 1.3382536530684679e-11, -3.3896802963225829e-13,
      8.5860620562778446e-15, -2.1748686985580619e-16};
  const double enough = 10.0 + s;
  double sum = 0.0, a = q;
  for (; a < enough; a += 1.0) {
    const double term = integerPower(q / a, s);
    sum += term;
    if (term < 1e-18 * sum) return sum;
  }
  const double first = integerPower(q / a, s);
  sum += first * (a / (s - 1) + 0.5);
  double factor = first * s / a;
  for (int j = 0; j < 10; ++j) {
    const double term = kBernoulli[j] * factor;
    sum += term;
    if (std::fabs(term) < 1e-18 * sum) break;
    factor *= (s + 2.0 * j + 1.0) * (s + 2.0 * j + 2.0) / (a * a);
  }
  return sum;
}

/// n! / q^(n + 1), q > 0. Its factors may leave the range of double where the quotient does not.
double factorialOverPower(int n, double q) {
  if (n <= 170) {
    const double factorial = std::tgamma(n + 1.0), power = integerPower(1.0 / q, n + 1);
    if (std::isfinite(power) && power > 1e-290) return factorial * power;
  }
  if (n <= 1700) {
    const long double factorial = std::tgamma(n + 1.0L), power = std::pow(1.0L / q, n + 1);
    if (std::isfinite(power) && power > 1e-4900L) return static_cast<double>(factorial * power);
  }
  return std::exp(gammaln(n + 1.0) - (n + 1.0) * std::log(q));
}

/// n! times Hurwitz' zeta(n + 1, q), q > 0.
double factorialZeta(int n, double q) { return factorialOverPower(n, q) * scaledHurwitzZeta(n + 1, q); }

// Hurwitz' zeta of a negative x is the sum of (x + k)^-s over all integers k, which has period 1 and so needs
// |x| <= 1/2 only, without the terms on the far side of 0. Below it is times n!, s = n + 1, t = |x - nearest
// integer|.

double evenLattice(int n, double x) {
  const double t = std::fabs(fromNearestInteger(x));
  return factorialOverPower(n, t) + factorialZeta(n, 1.0 + t) + factorialZeta(n, 1.0 - t);
}

/// Odd in x, and 0 at t = 1/2, where the two greatest terms cancel: they are subtracted in closed form.
double oddLattice(int n, double x) {
  const double r = fromNearestInteger(x), t = std::fabs(r);
  const double pair =
      -factorialOverPower(n, t) * std::expm1((n + 1.0) * std::log1p((2.0 * t - 1.0) / (1.0 - t)));
  return std::copysign(pair + factorialZeta(n, 1.0 + t) - factorialZeta(n, 2.0 - t), r);
}

} // namespace

double gamma(double x) { return std::tgamma(x); }

double gammaln(double x) {
  if (std::isinf(x)) return x; // SciPy's answer at -inf, where the function has no limit
  int sign = 0;
  return ::lgamma_r(x, &sign); // not lgamma, which writes the global signgam
}

double psi(double x) {
  if (x == 0.0) return std::copysign(kInf, -x);
  if (isPole(x)) return kNaN;
  if (x >= -1.0) return std::isinf(x) ? x : boost::math::digamma(x, Quiet{});
  // Reflection (DLMF 5.5.4); the period of the tangent is taken off before any rounding.
  return boost::math::digamma(1.0 - x, Quiet{}) -
         std::numbers::pi / std::tan(std::numbers::pi * fromNearestInteger(x));
}

double triGamma(double x) {
  if (x > 0.0) return std::isinf(x) ? 0.0 : boost::math::trigamma(x, Quiet{});
  if (isPole(x)) return kInf;
  const double sine = std::sin(std::numbers::pi * fromNearestInteger(x));
  const double ratio = std::numbers::pi / sine;
  return ratio * ratio - boost::math::trigamma(1.0 - x, Quiet{});
}

double polygamma(double n, double x) {
  if (!(n >= 0.0) || n != std::floor(n) || n > 1e6) return kNaN;
  if (n == 0.0) return psi(x);
  if (n == 1.0) return triGamma(x);
  const int order = static_cast<int>(n);
  const double sign = order % 2 == 1 ? 1.0 : -1.0;
  if (isPole(x)) return sign * kInf;
  if (std::isinf(x)) return sign * 0.0;
  if (x > 0.0) return sign * factorialZeta(order, x);
  const double beyond = factorialZeta(order, 1.0 - x);
  return sign * (order % 2 == 1 ? evenLattice(order, x) - beyond : oddLattice(order, x) + beyond);
}

} // namespace nodewise::special
