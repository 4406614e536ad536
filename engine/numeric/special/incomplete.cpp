// Incomplete gamma and beta functions and their inverses: Boost.Math inside the domain, SciPy's limits on its
// border.
#include "numeric/special.h"
#include "numeric/special/policy.h"

#include <boost/math/special_functions/beta.hpp>
#include <boost/math/special_functions/gamma.hpp>

#include <cmath>
#include <limits>

namespace nodewise::special {

namespace {

/// Underflow took digits of a regularized value that multiplied by Gamma(k) may well be a normal number.
bool lostDigits(double p, double x) {
  return p < std::numeric_limits<double>::min() && x > 0.0 && std::isfinite(x);
}

bool isProbability(double p) { return p >= 0.0 && p <= 1.0; }

/// The inverses at k = 0: SciPy's start value decides, 0 where the upper tail q is small and not-a-number
/// elsewhere.
double inverseAtZero(double q) { return q <= 1e-5 ? 0.0 : kNaN; }

/// P(k, x) where k or x is 0 or infinite, whatever the other is. At k = 0 all mass is at x = 0, at k = inf
/// none is at any finite x.
double gammaincAtBorder(double k, double x) {
  if (k == 0.0) return x > 0.0 ? 1.0 : kNaN;
  if (x == 0.0) return 0.0;
  if (std::isinf(k)) return std::isinf(x) ? kNaN : 0.0;
  return 1.0;
}

bool atBorder(double k, double x) { return k == 0.0 || x == 0.0 || std::isinf(k) || std::isinf(x); }

} // namespace

double gammainc(double k, double x) {
  if (k < 0.0 || x < 0.0) return kNaN;
  if (atBorder(k, x)) return gammaincAtBorder(k, x);
  return std::isnan(k + x) ? kNaN : boost::math::gamma_p(k, x, Quiet{});
}

double gammaincc(double k, double x) {
  if (k < 0.0 || x < 0.0) return kNaN;
  if (atBorder(k, x)) return 1.0 - gammaincAtBorder(k, x);
  return std::isnan(k + x) ? kNaN : boost::math::gamma_q(k, x, Quiet{});
}

double gammau(double k, double x) {
  const double all = gamma(k), tail = gammaincc(k, x);
  return std::isfinite(all) && lostDigits(tail, x) ? boost::math::tgamma(k, x, Quiet{}) : tail * all;
}

double gammal(double k, double x) {
  const double all = gamma(k), head = gammainc(k, x);
  return std::isfinite(all) && lostDigits(head, x) ? boost::math::tgamma_lower(k, x, Quiet{}) : head * all;
}

double gammaincinv(double k, double p) {
  if (k < 0.0 || !isProbability(p)) return kNaN;
  if (p == 0.0) return 0.0;
  if (p == 1.0) return kInf;
  if (k == 0.0) return inverseAtZero(1.0 - p);
  return boost::math::gamma_p_inv(k, p, Quiet{});
}

double gammainccinv(double k, double q) {
  if (k < 0.0 || !isProbability(q)) return kNaN;
  if (q == 0.0) return kInf;
  if (q == 1.0) return 0.0;
  if (k == 0.0) return inverseAtZero(q);
  return boost::math::gamma_q_inv(k, q, Quiet{});
}

double betainc(double a, double b, double x) {
  if (a < 0.0 || b < 0.0 || !isProbability(x)) return kNaN;
  // The limits of the beta distribution: all its mass at 0, or all at 1, or on both sides in no fixed
  // proportion.
  const bool massAtZero = a == 0.0 || std::isinf(b), massAtOne = b == 0.0 || std::isinf(a);
  if (massAtZero && massAtOne) return kNaN;
  if (massAtZero) return x > 0.0 ? 1.0 : 0.0;
  if (massAtOne) return x < 1.0 ? 0.0 : 1.0;
  return boost::math::ibeta(a, b, x, Quiet{});
}

double betaincinv(double a, double b, double p) {
  if (!(a > 0.0 && b > 0.0) || !isProbability(p)) return kNaN;
  return boost::math::ibeta_inv(a, b, p, Quiet{});
}

} // namespace nodewise::special
