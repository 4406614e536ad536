// Parts of complex elements, and making them.
#include "codegen/abi.h"
#include "codegen/scalar_builder.h"
#include "ops/scalar_op.h"

#include <array>

namespace nodewise {
namespace {

using codegen::ScalarBuilder;
using codegen::ScalarValue;
using Args = std::span<const ScalarValue>;

ScalarValue real(ScalarBuilder&, Args in, DType) { return {realPart(in[0].dtype), in[0].re, nullptr}; }

ScalarValue imaginary(ScalarBuilder& s, Args in, DType) {
  return isComplex(in[0].dtype) ? ScalarValue{realPart(in[0].dtype), in[0].im, nullptr}
                                : s.constant(in[0].dtype, 0);
}

ScalarValue angle(ScalarBuilder& s, Args in, DType out) {
  const ScalarValue x = isComplex(in[0].dtype) ? in[0] : s.cast(in[0], out);
  const DType part = realPart(x.dtype);
  const ScalarValue args[] = {x.im ? ScalarValue{part, x.im, nullptr} : s.constant(part, 0),
                              {part, x.re, nullptr}};
  return s.libm("atan2", args);
}

ScalarValue conjugate(ScalarBuilder& s, Args in, DType) {
  return isComplex(in[0].dtype) ? ScalarValue{in[0].dtype, in[0].re, s.b.CreateFNeg(in[0].im)} : in[0];
}

ScalarValue fromParts(ScalarBuilder& s, Args in, DType out) {
  const DType part = realPart(out);
  return {out, s.cast(in[0], part).re, s.cast(in[1], part).re};
}

ScalarValue fromPolar(ScalarBuilder& s, Args in, DType out) {
  const DType part = realPart(out);
  const ScalarValue r = s.cast(in[0], part), theta = s.cast(in[1], part);
  s.failIf(s.compare(ScalarBuilder::Compare::Lt, r, s.constant(part, 0)),
           static_cast<int>(KernelError::NegativeRadius));
  return {out, s.mul(r, s.libm("cos", theta)).re, s.mul(r, s.libm("sin", theta)).re};
}

constexpr auto kNone = ScalarConversion::None;
constexpr std::array kRows{
    ScalarOpRow{"real", 1, 1, OnAll, kNone, 1, ScalarCode::Inline, real, "real part"},
    ScalarOpRow{"imag", 1, 1, OnAll, kNone, 1, ScalarCode::Inline, imaginary, "imaginary part"},
    ScalarOpRow{"angle", 1, 1, OnAll, kNone, 1, ScalarCode::Calls, angle, "angle of a complex number"},
    ScalarOpRow{"conj", 1, 1, OnAll, kNone, 1, ScalarCode::Inline, conjugate, "complex conjugate"},
    ScalarOpRow{"complex", 2, 2, OnReal, kNone, 1, ScalarCode::Inline, fromParts,
                "a complex number from its parts"},
    ScalarOpRow{"complex_from_polar", 2, 2, OnReal, kNone, 1, ScalarCode::Calls, fromPolar,
                "a complex number from radius and angle; a negative radius is a ValueError"},
};

} // namespace

std::span<const ScalarOpRow> complexScalarOps() { return kRows; }

} // namespace nodewise
