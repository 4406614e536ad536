// Modified Bessel functions of large argument or order.
#pragma once

namespace nodewise::special {

/// I_v(x) exp(-x) for v >= 0, x > 0, hypot(v, x) > 50, by the expansion that is uniform in x/v
/// (DLMF 10.41.3).
double debyeI(double v, double x);
/// K_v(x) exp(x) likewise (DLMF 10.41.4); inf where it is greater than the greatest double.
double debyeK(double v, double x);

} // namespace nodewise::special
