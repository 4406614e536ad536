// Special functions of real arguments: what scalar ops mean beyond C's math.h.
//
// All follow the conventions of SciPy at their edges: not-a-number in, not-a-number out (unless another
// argument alone decides: P(not-a-number, 0) is 0); outside the domain not-a-number; at poles an infinity
// where one side or both agree on it. None throws, and none touches global state (errno apart), so compiled
// kernels and worker threads may call them freely. Relative accuracy is about 1e-13 unless a function says
// less, absolute where the function passes through zero.
#pragma once

#include <span>
#include <string_view>

namespace nodewise {

namespace special {

// Error functions (DLMF 7).
double erf(double x);
double erfc(double x);
/// exp(x^2) erfc(x): does not underflow for large x.
double erfcx(double x);
/// Inverse of erf; +-inf at +-1.
double erfinv(double y);
/// Inverse of erfc; inf at 0, -inf at 2.
double erfcinv(double y);

// The gamma function and its logarithmic derivatives (DLMF 5).
/// +-inf at +-0, not-a-number at negative integers.
double gamma(double x);
/// log |Gamma(x)|; inf at 0, -1, -2, ...
double gammaln(double x);
/// Digamma; -inf at 0, inf at -0.0, not-a-number at negative integers.
double psi(double x);
/// Trigamma, the derivative of psi; inf at 0, -1, -2, ...
double triGamma(double x);
/// The n-th derivative of psi; not-a-number unless n is an integer >= 0.
double polygamma(double n, double x);

// Incomplete gamma functions (DLMF 8.2); k >= 0, x >= 0.
/// Regularized lower function P(k, x).
double gammainc(double k, double x);
/// Regularized upper function Q(k, x).
double gammaincc(double k, double x);
/// Q(k, x) Gamma(k).
double gammau(double k, double x);
/// P(k, x) Gamma(k).
double gammal(double k, double x);
/// The x with P(k, x) = p.
double gammaincinv(double k, double p);
/// The x with Q(k, x) = q.
double gammainccinv(double k, double q);

// Incomplete beta function (DLMF 8.17); a > 0, b > 0, 0 <= x <= 1.
/// Regularized I_x(a, b).
double betainc(double a, double b, double x);
/// The x with I_x(a, b) = p.
double betaincinv(double a, double b, double p);

/// Gauss's hypergeometric function 2F1(a, b; c; z) for real z (DLMF 15). Where it does not exist as a real
/// number (z > 1, or c = 0, -1, -2, ..., and the series does not end before) it is inf.
double hyp2f1(double a, double b, double c, double z);

// Bessel functions (DLMF 10).
double j0(double x);
double j1(double x);
double i0(double x);
double i1(double x);
/// J_v(x); not-a-number for x < 0 unless v is an integer.
double jv(double v, double x);
/// I_v(x) exp(-|x|); not-a-number for x < 0 unless v is an integer.
double ive(double v, double x);
/// K_v(x) exp(x); inf at 0, not-a-number for x < 0.
double kve(double v, double x);

/// Owen's T function: 1/(2 pi) times the integral of exp(-h^2 (1 + x^2)/2)/(1 + x^2) over x from 0 to a.
double owensT(double h, double a);

} // namespace special

/// One function as compiled kernels call it. The float version computes in double and rounds once.
struct SpecialFunction {
  std::string_view name; ///< the scalar op's: "gammaln"
  int arity;
  std::string_view symbolF64, symbolF32; ///< "nodewise_gammaln_f64": arity doubles in registers, a double out
  const void* addressF64;
  const void* addressF32;
};

/// All rows, sorted by name.
std::span<const SpecialFunction> specialFunctions();
/// The row of a scalar op, or null.
const SpecialFunction* findSpecialFunction(std::string_view name);

} // namespace nodewise
