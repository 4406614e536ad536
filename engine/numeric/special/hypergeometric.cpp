#include "numeric/special/hypergeometric.h"
#include "numeric/special/policy.h"

#include <boost/math/special_functions/digamma.hpp>
#include <boost/math/special_functions/gamma.hpp>
#include <boost/multiprecision/cpp_bin_float.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

namespace nodewise::special::hypergeometric {

namespace {

using Wide =
    boost::multiprecision::number<boost::multiprecision::cpp_bin_float<100>, boost::multiprecision::et_off>;

/// Longer series are not worth their time (20 ns a term in double, 2 us with 100 digits): the result is
/// not-a-number.
template <class T> constexpr int kTerms = 4000;
template <> constexpr int kTerms<double> = 20000;

/// A value with the size of what was added up to it: their quotient is the condition of the sum.
template <class T> struct Sum {
  T value, magnitude;

  Estimate estimate() const {
    const T epsilon = std::numeric_limits<T>::epsilon();
    return {static_cast<double>(value), static_cast<double>(T(4) * epsilon * magnitude / abs(value))};
  }
  Sum operator*(const T& factor) const { return {value * factor, magnitude * abs(factor)}; }
  Sum operator+(const Sum& other) const { return {value + other.value, magnitude + other.magnitude}; }

private:
  static T abs(const T& x) { return x < 0 ? -x : x; }
};

/// The power series (DLMF 15.2.1), at most `terms` + 1 terms of it.
template <class T>
Sum<T> series(const T& a, const T& b, const T& c, const T& z, int terms = kTerms<T>, bool finite = false) {
  using std::abs;
  const T epsilon = std::numeric_limits<T>::epsilon();
  // Before all three parameters have become positive, terms may shrink and grow again.
  const T settled = -std::min(std::min(a, b), c);
  T term = 1, sum = 1, magnitude = 1;
  for (int k = 0; k < terms; ++k) {
    const T ratio = (a + k) * (b + k) / ((c + k) * (k + 1)) * z;
    term *= ratio;
    sum += term;
    if (term == 0) return {sum, magnitude};
    const T size = abs(term);
    magnitude += size;
    if (!(size <= std::numeric_limits<T>::max())) break;
    // The ratio tends to z, so that a geometric series bounds what is left once it has come below 1.
    const T bound = std::max<T>(abs(ratio), abs(z));
    if (!finite && settled < k && bound < 1 && size < epsilon * abs(sum) * (1 - bound))
      return {sum, magnitude};
  }
  return finite ? Sum<T>{sum, magnitude} : Sum<T>{T(kNaN), T(kNaN)};
}

template <class T> bool isPole(const T& x) {
  using std::floor;
  return x <= 0 && x == floor(x);
}

/// Gamma(p) Gamma(q) / (Gamma(r) Gamma(s)); 0 at a pole of the denominator.
double gammaQuotient(double p, double q, double r, double s) {
  if (isPole(r) || isPole(s)) return 0.0;
  // Beyond that size their product may overflow, and logarithms would lose digits.
  if (std::max({std::fabs(p), std::fabs(q), std::fabs(r), std::fabs(s)}) > 80.0) return kNaN;
  return std::tgamma(p) / std::tgamma(r) * (std::tgamma(q) / std::tgamma(s));
}

Wide gammaQuotient(const Wide& p, const Wide& q, const Wide& r, const Wide& s) {
  if (isPole(r) || isPole(s)) return 0;
  int signs[4];
  const Quiet quiet;
  const Wide log = boost::math::lgamma(p, &signs[0], quiet) + boost::math::lgamma(q, &signs[1], quiet) -
                   boost::math::lgamma(r, &signs[2], quiet) - boost::math::lgamma(s, &signs[3], quiet);
  return exp(log) * (signs[0] * signs[1] * signs[2] * signs[3]);
}

/// In powers of 1 - z (DLMF 15.8.4); `d` = c - a - b is no integer.
template <class T> Sum<T> aroundOne(const T& a, const T& b, const T& c, const T& d, const T& rest) {
  using std::pow;
  const T left = gammaQuotient(c, d, T(c - a), T(c - b));
  const T right = gammaQuotient(c, T(-d), a, b) * pow(rest, d);
  return series<T>(a, b, 1 - d, rest) * left + series<T>(c - a, c - b, 1 + d, rest) * right;
}

/// The same for an integer m = c - a - b >= 0 (DLMF 15.8.10): a polynomial of degree m - 1, and a series with
/// a logarithm.
Sum<double> aroundOneWithLogarithm(double a, double b, double c, int m, double rest) {
  const Quiet quiet;
  Sum<double> result{0.0, 0.0};
  if (m > 0) {
    double term = gammaQuotient(c, m, a + m, b + m);
    for (int k = 0; k < m; ++k) {
      result = result + Sum<double>{term, std::fabs(term)};
      if (k + 1 < m) term *= -rest * (a + k) * (b + k) / ((k + 1.0) * (m - 1.0 - k));
    }
  }
  double factor = -std::pow(-rest, m) * gammaQuotient(c, 1.0, a, b) / std::tgamma(m + 1.0);
  double digammas = boost::math::digamma(a + m, quiet) + boost::math::digamma(b + m, quiet) -
                    boost::math::digamma(1.0, quiet) - boost::math::digamma(m + 1.0, quiet);
  for (int k = 0; k < kTerms<double>; ++k) {
    const double term = factor * (std::log(rest) + digammas);
    result = result + Sum<double>{term, std::fabs(term)};
    const double ratio = (a + m + k) * (b + m + k) / ((k + 1.0) * (k + 1.0 + m)) * rest;
    if (std::fabs(factor) < 1e-18 * std::fabs(result.value) && std::fabs(ratio) < 0.5) return result;
    digammas += 1.0 / (a + m + k) + 1.0 / (b + m + k) - 1.0 / (k + 1.0) - 1.0 / (k + 1.0 + m);
    factor *= ratio;
  }
  return {kNaN, kNaN};
}

/// How far d is from an integer.
template <class T> T distanceFromInteger(const T& d) {
  using std::abs;
  using std::floor;
  return abs(T(d - floor(d + T(0.5))));
}

Estimate better(Estimate a, Estimate b) { return b.error < a.error || std::isnan(a.error) ? b : a; }

/// For 0 <= z < 1, `rest` = 1 - z: by the transformation near 1 where it is regular, else by the series.
Estimate positive(double a, double b, double c, double z, double rest) {
  Estimate best{kNaN, kNaN};
  const double d = c - a - b;
  const double distance = distanceFromInteger(d);
  if (z > 0.9 && distance > 0.05) best = aroundOne(a, b, c, d, rest).estimate();
  // A d that is an integer but for rounding changes the result by no more than rounding does.
  const double rounding =
      4.0 * std::numeric_limits<double>::epsilon() * std::max({std::fabs(a), std::fabs(b), 1.0});
  if (z > 0.9 && distance <= rounding && d > -0.5 && d < 60.0)
    best = aroundOneWithLogarithm(a, b, c, static_cast<int>(std::lround(d)), rest).estimate();
  if (!(best.error < 1e-14) && z < 0.995) best = better(best, series(a, b, c, z).estimate());
  return best;
}

Estimate positive(const Wide& a, const Wide& b, const Wide& c, const Wide& z, const Wide& rest) {
  if (z <= 0.5) return series(a, b, c, z).estimate();
  // Both parts of the sum have a pole at integer d. A step of 1e-25 beside it their infinite terms cancel 25
  // digits of the 100, and the difference is right to the step's size.
  const Wide step("1e-25");
  const bool singular = distanceFromInteger(Wide(c - a - b)) < step;
  const Wide moved = singular ? Wide(c + 2 * step) : c;
  return aroundOne(a, b, moved, Wide(moved - a - b), rest).estimate();
}

Estimate scaled(Estimate e, double factor) { return {e.value * factor, e.error}; }
Estimate scaled(Estimate e, const Wide& factor) { return {static_cast<double>(e.value * factor), e.error}; }

/// The best of the representations of F(z) in one variable (DLMF 15.8.1), tried until one is good.
template <class T> Estimate bestOf(const T& a, const T& b, const T& c, const T& z) {
  using std::pow;
  constexpr double good = 1e-14;
  const T rest = 1 - z;
  Estimate best{kNaN, kNaN};
  if (z >= 0) {
    best = positive(a, b, c, z, rest);
    if (best.error < good) return best;
    return better(best, scaled(positive(T(c - a), T(c - b), c, z, rest), T(pow(rest, T(c - a - b)))));
  }
  if (z > -0.5) best = series(a, b, c, z).estimate();
  if (best.error < good) return best;
  const T w = z / (z - 1), restOfW = 1 / rest;
  best = better(best, scaled(positive(a, T(c - b), c, w, restOfW), T(pow(restOfW, a))));
  if (best.error < good) return best;
  return better(best, scaled(positive(b, T(c - a), c, w, restOfW), T(pow(restOfW, b))));
}

} // namespace

Estimate inDouble(double a, double b, double c, double z) { return bestOf<double>(a, b, c, z); }

Estimate inHighPrecision(double a, double b, double c, double z) { return bestOf<Wide>(a, b, c, z); }

double polynomial(double a, double b, double c, double z, double last) {
  const int terms = static_cast<int>(std::min(last, 1e7));
  const Estimate quick = series(a, b, c, z, terms, true).estimate();
  if (quick.error < 1e-13 || terms > kTerms<Wide>) return quick.value;
  return series<Wide>(a, b, c, z, terms, true).estimate().value;
}

double gaussAtOne(double a, double b, double c) {
  const double d = c - a - b;
  const double quick = gammaQuotient(c, d, c - a, c - b);
  if (std::isfinite(quick)) return quick;
  const Wide wa = a, wb = b, wc = c;
  return static_cast<double>(gammaQuotient(wc, Wide(wc - wa - wb), Wide(wc - wa), Wide(wc - wb)));
}

} // namespace nodewise::special::hypergeometric
