#include "numeric/special/debye.h"

#include <array>
#include <cmath>
#include <numbers>

namespace nodewise::special {

namespace {

constexpr int kTerms = 14;
/// Row k: the polynomial U_k(p) / p^k in powers of p^2.
using Coefficients = std::array<std::array<double, kTerms>, kTerms>;

/// U_{k+1}(p) = p^2 (1 - p^2) U_k'(p) / 2 + 1/8 times the integral of (1 - 5 t^2) U_k(t) from 0 to p
/// (DLMF 10.41.9), term by term.
constexpr Coefficients coefficients() {
  Coefficients u{};
  u[0][0] = 1.0;
  for (int k = 0; k + 1 < kTerms; ++k) {
    for (int j = 0; j <= k; ++j) {
      const double power = k + 2 * j, c = u[k][j];
      u[k + 1][j] += c * (power / 2.0 + 1.0 / (8.0 * (power + 1.0)));
      u[k + 1][j + 1] -= c * (power / 2.0 + 5.0 / (8.0 * (power + 3.0)));
    }
  }
  return u;
}

constexpr Coefficients kU = coefficients();

/// The sum of (sign)^k U_k(p) / v^k, in the variable 1/r = p/v that stays finite for v = 0.
double debyeSum(double v, double r, double sign) {
  const double p2 = (v / r) * (v / r);
  double sum = 1.0, power = 1.0;
  for (int k = 1; k < kTerms; ++k) {
    double poly = 0.0;
    for (int j = k; j >= 0; --j) poly = poly * p2 + kU[static_cast<size_t>(k)][static_cast<size_t>(j)];
    power *= sign / r;
    const double term = poly * power;
    sum += term;
    if (std::fabs(term) < 1e-17) break;
  }
  return sum;
}

/// v eta - x with eta of DLMF 10.41.7: sqrt(v^2 + x^2) - x - v asinh(v / x), without cancellation for large
/// x.
double debyeExponent(double v, double x, double r) { return v * (v / (r + x) - std::asinh(v / x)); }

} // namespace

double debyeI(double v, double x) {
  const double r = std::hypot(v, x);
  return std::exp(debyeExponent(v, x, r)) / std::sqrt(2.0 * std::numbers::pi * r) * debyeSum(v, r, 1.0);
}

double debyeK(double v, double x) {
  const double r = std::hypot(v, x);
  // The root goes into the exponent: the exponential alone may overflow before the product does.
  return std::exp(-debyeExponent(v, x, r) - 0.5 * std::log(2.0 * r / std::numbers::pi)) *
         debyeSum(v, r, -1.0);
}

} // namespace nodewise::special
