// Signs and rounding of elements.
#include "codegen/scalar_builder.h"
#include "ops/scalar_op.h"

#include <llvm/IR/Intrinsics.h>

#include <array>

namespace nodewise {
namespace {

using codegen::ScalarBuilder;
using codegen::ScalarValue;
using Args = std::span<const ScalarValue>;
using Compare = ScalarBuilder::Compare;

template <unsigned id> ScalarValue rounded(ScalarBuilder& s, Args in, DType out) {
  return isIntegral(out) ? in[0] : s.intrinsic(id, in.first(1));
}

ScalarValue awayFromZero(ScalarBuilder& s, Args in, DType out) {
  if (isIntegral(out)) return in[0];
  const ScalarValue half = s.constant(out, 0.5);
  const ScalarValue up = s.add(in[0], half), down = s.sub(in[0], half);
  return s.select(s.compare(Compare::Ge, in[0], s.constant(out, 0)),
                  s.intrinsic(llvm::Intrinsic::floor, std::span(&up, 1)),
                  s.intrinsic(llvm::Intrinsic::ceil, std::span(&down, 1)));
}

ScalarValue sign(ScalarBuilder& s, Args in, DType) {
  const ScalarValue x = in[0];
  const DType d = x.dtype;
  if (!isSigned(d) && isIntegral(d)) return s.cast(s.cast(x, DType::Bool), d);
  if (isComplex(d)) {
    // NumPy 1.x: the sign of the real part, or of the imaginary part where the real one is zero.
    const DType part = realPart(d);
    const ScalarValue re{part, x.re, nullptr}, im{part, x.im, nullptr};
    const ScalarValue of[] = {s.select(s.compare(Compare::Eq, re, s.constant(part, 0)), im, re)};
    ScalarValue out = s.cast(sign(s, of, part), d);
    return s.select(s.isNan(x), s.cast(s.constant(part, std::numeric_limits<double>::quiet_NaN()), d), out);
  }
  const ScalarValue zero = s.constant(d, 0), one = s.constant(d, 1), minus = s.integer(d, -1);
  const ScalarValue positive = s.select(s.compare(Compare::Gt, x, zero), one, zero);
  const ScalarValue value = s.select(s.compare(Compare::Lt, x, zero), minus, positive);
  return isFloat(d) ? s.select(s.isNan(x), x, value) : value;
}

constexpr auto kTo = ScalarConversion::ToOutput;
constexpr std::array kRows{
    ScalarOpRow{"sign", 1, 1, OnAll, kTo, 1, ScalarCode::Inline, sign,
                "-1, 0 or 1; not-a-number for not-a-number"},
    ScalarOpRow{"ceil", 1, 1, OnReal, kTo, 1, ScalarCode::Inline, rounded<llvm::Intrinsic::ceil>,
                "the least whole number not below x"},
    ScalarOpRow{"floor", 1, 1, OnReal, kTo, 1, ScalarCode::Inline, rounded<llvm::Intrinsic::floor>,
                "the greatest whole number not above x"},
    ScalarOpRow{"trunc", 1, 1, OnReal, kTo, 1, ScalarCode::Inline, rounded<llvm::Intrinsic::trunc>,
                "x without its fraction"},
    ScalarOpRow{"round_half_to_even", 1, 1, OnReal, kTo, 1, ScalarCode::Inline,
                rounded<llvm::Intrinsic::roundeven>, "the nearest whole number, ties to even"},
    ScalarOpRow{"round_half_away_from_zero", 1, 1, OnReal, kTo, 1, ScalarCode::Inline, awayFromZero,
                "the nearest whole number, ties away from zero"},
};

} // namespace

std::span<const ScalarOpRow> roundingScalarOps() { return kRows; }

} // namespace nodewise
