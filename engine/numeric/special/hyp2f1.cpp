// Gauss's hypergeometric function of a real argument.
//
// One power series for z in (-1/2, 1), transformations to 1 - z near 1 (with a logarithm where c - a - b is
// an integer), and Pfaff's and Euler's transformations. Each result comes with an estimate of what
// cancellation cost it. Where double lost too much, as it does where c - a - b is close to an integer, the
// same formulas are evaluated with 100 digits.
#include "numeric/special.h"
#include "numeric/special/hypergeometric.h"
#include "numeric/special/policy.h"

#include <algorithm>
#include <cmath>

namespace nodewise::special {

namespace {

bool isNonPositiveInteger(double x) { return x <= 0.0 && x == std::floor(x); }

constexpr double kAccurate = 1e-13;

/// Number of terms after the first when the series ends by itself; -1 when it does not.
double lastTerm(double a, double b) {
  const double byA = isNonPositiveInteger(a) ? -a : kInf, byB = isNonPositiveInteger(b) ? -b : kInf;
  const double n = std::min(byA, byB);
  return std::isinf(n) ? -1.0 : n;
}

/// At z = 1 (DLMF 15.4.20).
double atOne(double a, double b, double c) {
  if (c - a - b <= 0.0) return kInf;
  return hypergeometric::gaussAtOne(a, b, c);
}

} // namespace

double hyp2f1(double a, double b, double c, double z) {
  if (z == 0.0 || ((a == 0.0 || b == 0.0) && c != 0.0)) return 1.0;
  if (std::isinf(a) || std::isinf(b) || std::isinf(c)) return kNaN;
  const double last = lastTerm(a, b);
  if (isNonPositiveInteger(c) && (last < 0.0 || -c < last)) return kInf;
  if (last >= 0.0) return hypergeometric::polynomial(a, b, c, z, last);
  if (z > 1.0) return kInf;
  if (z == 1.0) return atOne(a, b, c);
  if (std::isinf(z)) return a > 0.0 && b > 0.0 ? 0.0 : kNaN;
  // Euler's transformation (DLMF 15.8.1) gives a polynomial.
  if (const double lastOfEuler = lastTerm(c - a, c - b); lastOfEuler >= 0.0)
    return std::pow(1.0 - z, c - a - b) * hypergeometric::polynomial(c - a, c - b, c, z, lastOfEuler);
  const hypergeometric::Estimate quick = hypergeometric::inDouble(a, b, c, z);
  if (quick.error < kAccurate) return quick.value;
  const hypergeometric::Estimate precise = hypergeometric::inHighPrecision(a, b, c, z);
  return precise.error <= quick.error || std::isnan(quick.error) ? precise.value : quick.value;
}

} // namespace nodewise::special
