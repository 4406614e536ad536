// Elementary functions of elements: libm's (libmvec's in vector loops), complex ones as C's.
#include "codegen/scalar_builder.h"
#include "ops/scalar_op.h"

#include <llvm/IR/Intrinsics.h>

#include <array>
#include <numbers>

namespace nodewise {
namespace {

using codegen::ScalarBuilder;
using codegen::ScalarValue;
using Args = std::span<const ScalarValue>;
using Compare = ScalarBuilder::Compare;

/// A name as a template argument.
template <size_t n> struct Name {
  char text[n];
  constexpr Name(const char (&s)[n]) { std::copy_n(s, n, text); }
};

/// libm's function of a real number, and the routine nodewise_c<name> of a complex one.
template <Name name> ScalarValue libm(ScalarBuilder& s, Args in, DType out) {
  if (isComplex(out)) return s.complexExternal("nodewise_c" + std::string(name.text), in);
  return s.libm(name.text, in);
}

ScalarValue squareRoot(ScalarBuilder& s, Args in, DType out) {
  if (isComplex(out)) return s.complexExternal("nodewise_csqrt", in);
  return s.intrinsic(llvm::Intrinsic::sqrt, in);
}

ScalarValue toRadians(ScalarBuilder& s, Args in, DType out) {
  return s.mul(in[0], s.constant(out, std::numbers::pi / 180));
}
ScalarValue toDegrees(ScalarBuilder& s, Args in, DType out) {
  return s.mul(in[0], s.constant(out, 180 / std::numbers::pi));
}

ScalarValue sigmoid(ScalarBuilder& s, Args in, DType out) {
  // exp of a number that is never positive cannot overflow.
  const ScalarValue e = s.libm("exp", s.neg(s.abs(in[0])));
  const ScalarValue one = s.constant(out, 1);
  const ScalarValue numerator = s.select(s.compare(Compare::Ge, in[0], s.constant(out, 0)), one, e);
  return s.div(numerator, s.add(one, e));
}

ScalarValue softplus(ScalarBuilder& s, Args in, DType out) {
  // Machler (2012), "Accurately computing log(1 - exp(-|a|))", and the thresholds of the format document.
  const ScalarValue x = in[0];
  const ScalarValue exp = s.libm("exp", x);
  const ScalarValue middle = s.libm("log1p", exp);
  const ScalarValue large = s.add(x, s.libm("exp", s.neg(x)));
  auto below = [&](double limit) { return s.compare(Compare::Lt, x, s.constant(out, limit)); };
  const ScalarValue upper = s.select(below(33.3), large, x);
  const ScalarValue rest = s.select(below(18.0), middle, upper);
  return s.select(below(-37.0), exp, rest);
}

ScalarValue log1mexp(ScalarBuilder& s, Args in, DType out) {
  const ScalarValue x = in[0];
  const ScalarValue far = s.libm("log1p", s.neg(s.libm("exp", x)));
  const ScalarValue near = s.libm("log", s.neg(s.libm("expm1", x)));
  return s.select(s.compare(Compare::Lt, x, s.constant(out, -std::numbers::ln2)), far, near);
}

constexpr auto kTo = ScalarConversion::ToOutput;
constexpr uint8_t kFloats = OnFloat | OnComplex;
constexpr std::array kRows{
    ScalarOpRow{"sqrt", 1, 1, kFloats, kTo, 1, ScalarCode::Inline, squareRoot, "square root"},
    ScalarOpRow{"exp", 1, 1, kFloats, kTo, 1, ScalarCode::Calls, libm<"exp">, "e to the x"},
    ScalarOpRow{"exp2", 1, 1, kFloats, kTo, 1, ScalarCode::Calls, libm<"exp2">, "2 to the x"},
    ScalarOpRow{"expm1", 1, 1, kFloats, kTo, 1, ScalarCode::Calls, libm<"expm1">, "exp(x) - 1, exact near 0"},
    ScalarOpRow{"log", 1, 1, kFloats, kTo, 1, ScalarCode::Calls, libm<"log">, "natural logarithm"},
    ScalarOpRow{"log2", 1, 1, kFloats, kTo, 1, ScalarCode::Calls, libm<"log2">, "logarithm to base 2"},
    ScalarOpRow{"log10", 1, 1, kFloats, kTo, 1, ScalarCode::Calls, libm<"log10">, "logarithm to base 10"},
    ScalarOpRow{"log1p", 1, 1, kFloats, kTo, 1, ScalarCode::Calls, libm<"log1p">, "log(1 + x), exact near 0"},
    ScalarOpRow{"sin", 1, 1, kFloats, kTo, 1, ScalarCode::Calls, libm<"sin">, "sine"},
    ScalarOpRow{"cos", 1, 1, kFloats, kTo, 1, ScalarCode::Calls, libm<"cos">, "cosine"},
    ScalarOpRow{"tan", 1, 1, kFloats, kTo, 1, ScalarCode::Calls, libm<"tan">, "tangent"},
    ScalarOpRow{"arcsin", 1, 1, kFloats, kTo, 1, ScalarCode::Calls, libm<"asin">, "inverse sine"},
    ScalarOpRow{"arccos", 1, 1, kFloats, kTo, 1, ScalarCode::Calls, libm<"acos">, "inverse cosine"},
    ScalarOpRow{"arctan", 1, 1, kFloats, kTo, 1, ScalarCode::Calls, libm<"atan">, "inverse tangent"},
    ScalarOpRow{"arctan2", 2, 2, OnFloat, kTo, 1, ScalarCode::Calls, libm<"atan2">,
                "angle of the point (x, y), inputs y and x"},
    ScalarOpRow{"sinh", 1, 1, kFloats, kTo, 1, ScalarCode::Calls, libm<"sinh">, "hyperbolic sine"},
    ScalarOpRow{"cosh", 1, 1, kFloats, kTo, 1, ScalarCode::Calls, libm<"cosh">, "hyperbolic cosine"},
    ScalarOpRow{"tanh", 1, 1, kFloats, kTo, 1, ScalarCode::Calls, libm<"tanh">, "hyperbolic tangent"},
    ScalarOpRow{"arcsinh", 1, 1, kFloats, kTo, 1, ScalarCode::Calls, libm<"asinh">,
                "inverse hyperbolic sine"},
    ScalarOpRow{"arccosh", 1, 1, kFloats, kTo, 1, ScalarCode::Calls, libm<"acosh">,
                "inverse hyperbolic cosine"},
    ScalarOpRow{"arctanh", 1, 1, kFloats, kTo, 1, ScalarCode::Calls, libm<"atanh">,
                "inverse hyperbolic tangent"},
    ScalarOpRow{"deg2rad", 1, 1, OnFloat, kTo, 1, ScalarCode::Inline, toRadians, "degrees to radians"},
    ScalarOpRow{"rad2deg", 1, 1, OnFloat, kTo, 1, ScalarCode::Inline, toDegrees, "radians to degrees"},
    ScalarOpRow{"sigmoid", 1, 1, OnFloat, kTo, 1, ScalarCode::Calls, sigmoid,
                "1 / (1 + exp(-x)), without overflow"},
    ScalarOpRow{"softplus", 1, 1, OnFloat, kTo, 1, ScalarCode::Calls, softplus,
                "log(1 + exp(x)), without overflow"},
    ScalarOpRow{"log1mexp", 1, 1, OnFloat, kTo, 1, ScalarCode::Calls, log1mexp, "log(1 - exp(x)) for x <= 0"},
};

} // namespace

std::span<const ScalarOpRow> mathScalarOps() { return kRows; }

} // namespace nodewise
