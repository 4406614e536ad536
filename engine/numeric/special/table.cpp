// The functions under the names that compiled kernels call them by.
#include "numeric/special.h"

#include <boost/assert.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <stdexcept>

namespace boost {
// Boost.Math asserts what it believes of its intermediate results, and is wrong for some extreme arguments.
// That must not end the process.
void assertion_failed(const char* expression, const char*, const char*, long) {
  throw std::logic_error(expression);
}
void assertion_failed_msg(const char* expression, const char*, const char*, const char*, long) {
  throw std::logic_error(expression);
}
} // namespace boost

namespace nodewise {

namespace {

/// The function has a limit where one argument is not-a-number and the other decides alone.
template <auto f> constexpr bool decidesOnNaN = false;
template <> constexpr bool decidesOnNaN<&special::gammainc> = true;
template <> constexpr bool decidesOnNaN<&special::gammaincc> = true;
template <> constexpr bool decidesOnNaN<&special::gammal> = true;
template <> constexpr bool decidesOnNaN<&special::gammau> = true;
template <> constexpr bool decidesOnNaN<&special::kve> = true;

/// Wraps one function: not-a-number passes through, and nothing that a library may throw (bad_alloc included)
/// reaches compiled code, which has no way to unwind.
template <auto f, class... Double> double guarded(Double... x) noexcept {
  if (!decidesOnNaN<f> && (std::isnan(x) || ...)) return std::numeric_limits<double>::quiet_NaN();
  try {
    return f(x...);
  } catch (...) {
    return std::numeric_limits<double>::quiet_NaN();
  }
}

template <auto f, class Signature> struct Entry;
template <auto f, class... Double> struct Entry<f, double (*)(Double...)> {
  static constexpr int arity = sizeof...(Double);
  template <class> using Float = float;
  static double f64(Double... x) noexcept { return guarded<f>(x...); }
  static float f32(Float<Double>... x) noexcept {
    return static_cast<float>(guarded<f>(static_cast<double>(x)...));
  }
};

template <auto f>
SpecialFunction row(std::string_view name, std::string_view symbolF64, std::string_view symbolF32) {
  using E = Entry<f, decltype(f)>;
  return {name,
          E::arity,
          symbolF64,
          symbolF32,
          reinterpret_cast<const void*>(&E::f64),
          reinterpret_cast<const void*>(&E::f32)};
}

// Names are literals, so that rows can be views of them.
#define NW_SPECIAL(name, function)                                                                           \
  row<&special::function>(#name, "nodewise_" #name "_f64", "nodewise_" #name "_f32")

} // namespace

std::span<const SpecialFunction> specialFunctions() {
  static const std::array rows{
      NW_SPECIAL(betainc, betainc),
      NW_SPECIAL(betaincinv, betaincinv),
      NW_SPECIAL(erf, erf),
      NW_SPECIAL(erfc, erfc),
      NW_SPECIAL(erfcinv, erfcinv),
      NW_SPECIAL(erfcx, erfcx),
      NW_SPECIAL(erfinv, erfinv),
      NW_SPECIAL(gamma, gamma),
      NW_SPECIAL(gammainc, gammainc),
      NW_SPECIAL(gammaincc, gammaincc),
      NW_SPECIAL(gammainccinv, gammainccinv),
      NW_SPECIAL(gammaincinv, gammaincinv),
      NW_SPECIAL(gammal, gammal),
      NW_SPECIAL(gammaln, gammaln),
      NW_SPECIAL(gammau, gammau),
      NW_SPECIAL(hyp2f1, hyp2f1),
      NW_SPECIAL(i0, i0),
      NW_SPECIAL(i1, i1),
      NW_SPECIAL(ive, ive),
      NW_SPECIAL(j0, j0),
      NW_SPECIAL(j1, j1),
      NW_SPECIAL(jv, jv),
      NW_SPECIAL(kve, kve),
      NW_SPECIAL(owens_t, owensT),
      NW_SPECIAL(polygamma, polygamma),
      NW_SPECIAL(psi, psi),
      NW_SPECIAL(tri_gamma, triGamma),
  };
  return rows;
}

#undef NW_SPECIAL

const SpecialFunction* findSpecialFunction(std::string_view name) {
  const auto rows = specialFunctions();
  const auto it = std::ranges::lower_bound(rows, name, {}, &SpecialFunction::name);
  return it != rows.end() && it->name == name ? &*it : nullptr;
}

} // namespace nodewise
