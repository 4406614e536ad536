// Owen's T: Boost.Math (Patefield and Tandy's selection of methods) for finite arguments.
#include "numeric/special.h"
#include "numeric/special/policy.h"

#include <boost/math/special_functions/owens_t.hpp>

#include <cmath>
#include <numbers>

namespace nodewise::special {

double owensT(double h, double a) {
  // T is even in h and odd in a; T(h, inf) is half the tail of the normal distribution beyond |h|.
  const double width = std::fabs(h);
  if (std::isinf(width)) return std::copysign(0.0, a);
  if (std::isinf(a)) return std::copysign(0.25 * std::erfc(width / std::numbers::sqrt2), a);
  return boost::math::owens_t(h, a, Quiet{});
}

} // namespace nodewise::special
