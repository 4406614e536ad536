// Special functions of elements: routines of numeric/special, called by symbol for one element at a time.
#include "codegen/scalar_builder.h"
#include "ops/scalar_op.h"

#include <algorithm>
#include <array>
#include <string>

namespace nodewise {
namespace {

using codegen::ScalarBuilder;
using codegen::ScalarValue;
using Args = std::span<const ScalarValue>;

/// A name as a template argument.
template <size_t n> struct Name {
  char text[n];
  constexpr Name(const char (&s)[n]) { std::copy_n(s, n, text); }
};

template <Name name> ScalarValue routine(ScalarBuilder& s, Args in, DType out) {
  if (isComplex(out)) return s.complexExternal("nodewise_c" + std::string(name.text), in);
  const std::string suffix = out == DType::Float64 ? "_f64" : "_f32";
  return s.external("nodewise_" + std::string(name.text) + suffix, out, in);
}

/// libmvec has these as vectors.
template <Name name> ScalarValue vectorised(ScalarBuilder& s, Args in, DType out) {
  if (isComplex(out)) return routine<name>(s, in, out);
  return s.libm(name.text, in);
}

template <Name name>
constexpr ScalarOpRow special(int inputs, std::string_view doc, uint8_t domain = OnFloat) {
  return {name.text,     inputs, inputs, domain, ScalarConversion::ToOutput, 1, ScalarCode::Lanewise,
          routine<name>, doc};
}

constexpr std::array kRows{
    ScalarOpRow{"erf", 1, 1, OnFloat | OnComplex, ScalarConversion::ToOutput, 1, ScalarCode::Calls,
                vectorised<"erf">, "error function"},
    ScalarOpRow{"erfc", 1, 1, OnFloat | OnComplex, ScalarConversion::ToOutput, 1, ScalarCode::Calls,
                vectorised<"erfc">, "1 - erf(x)"},
    special<"erfcx">(1, "exp(x squared) erfc(x)", OnFloat | OnComplex),
    special<"erfinv">(1, "inverse of erf"),
    special<"erfcinv">(1, "inverse of erfc"),
    special<"gamma">(1, "gamma function"),
    special<"gammaln">(1, "log of the absolute value of gamma(x); +inf at poles"),
    special<"psi">(1, "derivative of gammaln"),
    special<"tri_gamma">(1, "second derivative of gammaln"),
    special<"polygamma">(2, "n-th derivative of psi, inputs n and x"),
    special<"gammainc">(2, "regularized lower incomplete gamma P(k, x)"),
    special<"gammaincc">(2, "regularized upper incomplete gamma Q(k, x)"),
    special<"gammau">(2, "upper incomplete gamma, not regularized"),
    special<"gammal">(2, "lower incomplete gamma, not regularized"),
    special<"gammaincinv">(2, "x with P(k, x) = p"),
    special<"gammainccinv">(2, "x with Q(k, x) = p"),
    special<"betainc">(3, "regularized incomplete beta of a, b, x"),
    special<"betaincinv">(3, "x with betainc(a, b, x) = p"),
    special<"hyp2f1">(4, "Gauss's hypergeometric function of a, b, c, z"),
    special<"j0">(1, "Bessel function of the first kind, order 0"),
    special<"j1">(1, "Bessel function of the first kind, order 1"),
    special<"i0">(1, "modified Bessel function, order 0"),
    special<"i1">(1, "modified Bessel function, order 1"),
    special<"jv">(2, "Bessel function of the first kind, inputs order and x"),
    special<"ive">(2, "modified Bessel function times exp(-abs(x))"),
    special<"kve">(2, "modified Bessel function of the second kind times exp(x)"),
    special<"owens_t">(2, "Owen's T function of h and a"),
};

} // namespace

std::span<const ScalarOpRow> specialScalarOps() { return kRows; }

} // namespace nodewise
