// The pieces of 2F1: see hyp2f1.cpp for how they are put together.
#pragma once

namespace nodewise::special::hypergeometric {

struct Estimate {
  double value;
  double error; ///< relative, estimated from what cancelled; not-a-number or inf where the method failed
};

/// Parameters none of which makes the series end, z < 1 and finite.
Estimate inDouble(double a, double b, double c, double z);
/// The same with 100 digits: some 1,000 times slower.
Estimate inHighPrecision(double a, double b, double c, double z);

/// The sum of the first `last` + 1 terms: a or b is -last.
double polynomial(double a, double b, double c, double z, double last);

/// Gamma(c) Gamma(c - a - b) / (Gamma(c - a) Gamma(c - b)), the value at z = 1 where c > a + b.
double gaussAtOne(double a, double b, double c);

} // namespace nodewise::special::hypergeometric
