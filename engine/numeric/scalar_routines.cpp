#include "numeric/scalar_routines.h"

#include "numeric/complex_error.h"

#include <array>
#include <cmath>
#include <complex>
#include <cstdint>

namespace nodewise {
namespace {

using Complex = std::complex<double>;

int64_t integerPower(int64_t base, int64_t exponent) {
  if (exponent < 0) return 0;
  uint64_t result = 1, factor = static_cast<uint64_t>(base);
  for (auto left = static_cast<uint64_t>(exponent); left; left >>= 1) {
    if (left & 1) result *= factor;
    factor *= factor;
  }
  return static_cast<int64_t>(result);
}

template <Complex (*f)(const Complex&)> void unary(const double* args, double* result) {
  const Complex r = f({args[0], args[1]});
  result[0] = r.real();
  result[1] = r.imag();
}

Complex csqrt(const Complex& x) { return std::sqrt(x); }
Complex cexp(const Complex& x) { return std::exp(x); }
Complex cexp2(const Complex& x) { return std::exp(x * std::log(2.0)); }
Complex clog(const Complex& x) { return std::log(x); }
Complex clog2(const Complex& x) { return std::log(x) / std::log(2.0); }
Complex clog10(const Complex& x) { return std::log10(x); }
Complex csin(const Complex& x) { return std::sin(x); }
Complex ccos(const Complex& x) { return std::cos(x); }
Complex ctan(const Complex& x) { return std::tan(x); }
Complex casin(const Complex& x) { return std::asin(x); }
Complex cacos(const Complex& x) { return std::acos(x); }
Complex catan(const Complex& x) { return std::atan(x); }
Complex csinh(const Complex& x) { return std::sinh(x); }
Complex ccosh(const Complex& x) { return std::cosh(x); }
Complex ctanh(const Complex& x) { return std::tanh(x); }
Complex casinh(const Complex& x) { return std::asinh(x); }
Complex cacosh(const Complex& x) { return std::acosh(x); }
Complex catanh(const Complex& x) { return std::atanh(x); }

Complex cexpm1(const Complex& x) {
  // expm1(a) cos b - 2 sin(b/2)^2 keeps what exp(x) - 1 would cancel.
  const double s = std::sin(x.imag() / 2);
  return {std::expm1(x.real()) * std::cos(x.imag()) - 2 * s * s, std::exp(x.real()) * std::sin(x.imag())};
}

Complex clog1p(const Complex& x) {
  // log|1 + x| = log1p(2 a + a^2 + b^2) / 2 keeps what 1 + x would round away.
  const double a = x.real(), b = x.imag();
  if (std::hypot(a, b) > 0.5) return std::log(1.0 + x);
  return {0.5 * std::log1p(2 * a + a * a + b * b), std::atan2(b, 1 + a)};
}

void power(const double* args, double* result) {
  const Complex x(args[0], args[1]), y(args[2], args[3]);
  Complex r;
  const double n = y.real();
  if (y == Complex(0, 0)) {
    r = 1;
  } else if (x == Complex(0, 0)) {
    // NumPy: 0 to a positive real power is 0, anything else is not-a-number.
    const double nan = std::nan("");
    r = n > 0 && y.imag() == 0 ? Complex(0, 0) : Complex(nan, nan);
  } else if (y.imag() == 0 && n == std::trunc(n) && std::abs(n) < 100) {
    // Small whole powers by multiplication, which is more exact.
    Complex base = x;
    r = 1;
    for (auto left = static_cast<int>(std::abs(n)); left; left >>= 1) {
      if (left & 1) r *= base;
      base *= base;
    }
    if (n < 0) r = 1.0 / r;
  } else {
    r = std::pow(x, y);
  }
  result[0] = r.real();
  result[1] = r.imag();
}

template <class F> void* address(F* f) { return reinterpret_cast<void*>(f); }

} // namespace

std::span<const NamedRoutine> scalarRoutines() {
  static const std::array routines{
      NamedRoutine{"nodewise_ipow", address(integerPower)},
      NamedRoutine{"nodewise_cpow", address(power)},
      NamedRoutine{"nodewise_csqrt", address(unary<csqrt>)},
      NamedRoutine{"nodewise_cexp", address(unary<cexp>)},
      NamedRoutine{"nodewise_cexp2", address(unary<cexp2>)},
      NamedRoutine{"nodewise_cexpm1", address(unary<cexpm1>)},
      NamedRoutine{"nodewise_clog", address(unary<clog>)},
      NamedRoutine{"nodewise_clog2", address(unary<clog2>)},
      NamedRoutine{"nodewise_clog10", address(unary<clog10>)},
      NamedRoutine{"nodewise_clog1p", address(unary<clog1p>)},
      NamedRoutine{"nodewise_csin", address(unary<csin>)},
      NamedRoutine{"nodewise_ccos", address(unary<ccos>)},
      NamedRoutine{"nodewise_ctan", address(unary<ctan>)},
      NamedRoutine{"nodewise_casin", address(unary<casin>)},
      NamedRoutine{"nodewise_cacos", address(unary<cacos>)},
      NamedRoutine{"nodewise_catan", address(unary<catan>)},
      NamedRoutine{"nodewise_csinh", address(unary<csinh>)},
      NamedRoutine{"nodewise_ccosh", address(unary<ccosh>)},
      NamedRoutine{"nodewise_ctanh", address(unary<ctanh>)},
      NamedRoutine{"nodewise_casinh", address(unary<casinh>)},
      NamedRoutine{"nodewise_cacosh", address(unary<cacosh>)},
      NamedRoutine{"nodewise_catanh", address(unary<catanh>)},
      NamedRoutine{"nodewise_cerf", address(unary<special::complexErf>)},
      NamedRoutine{"nodewise_cerfc", address(unary<special::complexErfc>)},
      NamedRoutine{"nodewise_cerfcx", address(unary<special::complexErfcx>)},
  };
  return routines;
}

} // namespace nodewise
