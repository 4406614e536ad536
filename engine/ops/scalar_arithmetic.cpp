// Arithmetic on elements: sums, products, quotients, powers, extremes, bits.
#include "codegen/abi.h"
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

ScalarValue add(ScalarBuilder& s, Args in, DType out) {
  ScalarValue sum = in[0];
  for (const ScalarValue& x : in.subspan(1)) sum = out == DType::Bool ? s.logicalOr(sum, x) : s.add(sum, x);
  return sum;
}

ScalarValue mul(ScalarBuilder& s, Args in, DType out) {
  ScalarValue product = in[0];
  for (const ScalarValue& x : in.subspan(1))
    product = out == DType::Bool ? s.logicalAnd(product, x) : s.mul(product, x);
  return product;
}

ScalarValue sub(ScalarBuilder& s, Args in, DType) { return s.sub(in[0], in[1]); }
ScalarValue neg(ScalarBuilder& s, Args in, DType) { return s.neg(in[0]); }
ScalarValue absolute(ScalarBuilder& s, Args in, DType) { return s.abs(in[0]); }
ScalarValue square(ScalarBuilder& s, Args in, DType out) {
  return out == DType::Bool ? in[0] : s.mul(in[0], in[0]);
}
ScalarValue divide(ScalarBuilder& s, Args in, DType) { return s.div(in[0], in[1]); }
ScalarValue reciprocal(ScalarBuilder& s, Args in, DType out) {
  return isIntegral(out) ? s.cast(s.div(s.constant(DType::Float64, 1), s.cast(in[0], DType::Float64)), out)
                         : s.div(s.constant(out, 1), in[0]);
}

/// Integer division that cannot trap: a divisor of 0 or -1 is replaced by 1 and its result chosen afterwards.
struct SafeDivision {
  ScalarValue byZero, byMinusOne, divisor;
};
SafeDivision safeDivision(ScalarBuilder& s, ScalarValue y) {
  const DType d = y.dtype;
  const ScalarValue byZero = s.compare(Compare::Eq, y, s.integer(d, 0));
  const ScalarValue byMinusOne =
      isSigned(d) ? s.compare(Compare::Eq, y, s.integer(d, -1)) : s.constant(DType::Bool, 0);
  return {byZero, byMinusOne, s.select(s.logicalOr(byZero, byMinusOne), s.integer(d, 1), y)};
}

/// Remainder with the divisor's sign, and whether the truncated quotient has to go down by one for it.
struct FloorParts {
  ScalarValue remainder, wrong;
};
FloorParts integerRemainder(ScalarBuilder& s, ScalarValue x, ScalarValue y) {
  const DType d = x.dtype;
  if (!isSigned(d)) return {{d, s.b.CreateURem(x.re, y.re), nullptr}, s.constant(DType::Bool, 0)};
  const ScalarValue r{d, s.b.CreateSRem(x.re, y.re), nullptr};
  const ScalarValue zero = s.integer(d, 0);
  const ScalarValue signsDiffer{
      DType::Bool, s.b.CreateXor(s.compare(Compare::Lt, r, zero).re, s.compare(Compare::Lt, y, zero).re),
      nullptr};
  const ScalarValue wrong = s.logicalAnd(s.compare(Compare::Ne, r, zero), signsDiffer);
  return {s.select(wrong, s.add(r, y), r), wrong};
}

FloorParts floatRemainder(ScalarBuilder& s, ScalarValue x, ScalarValue y) {
  const DType d = x.dtype;
  const ScalarValue args[] = {x, y};
  const ScalarValue r = s.libm("fmod", args);
  const ScalarValue zero = s.constant(d, 0);
  const ScalarValue signsDiffer{
      DType::Bool, s.b.CreateXor(s.compare(Compare::Lt, r, zero).re, s.compare(Compare::Lt, y, zero).re),
      nullptr};
  const ScalarValue nonZero = s.logicalNot(s.compare(Compare::Eq, r, zero));
  const ScalarValue wrong = s.logicalAnd(nonZero, signsDiffer);
  const ScalarValue copied[] = {zero, y};
  const ScalarValue signedZero = s.intrinsic(llvm::Intrinsic::copysign, copied);
  return {s.select(nonZero, s.select(wrong, s.add(r, y), r), signedZero), wrong};
}

ScalarValue modulo(ScalarBuilder& s, Args in, DType out) {
  if (out == DType::Bool) return s.constant(out, 0);
  if (!isIntegral(out)) {
    const ScalarValue r = floatRemainder(s, in[0], in[1]).remainder;
    // mod(x, inf): x, or inf where the signs differ; r + inf gives that. mod by 0 is not-a-number: fmod's.
    const ScalarValue nan = s.constant(out, std::numeric_limits<double>::quiet_NaN());
    return s.select(s.compare(Compare::Eq, in[1], s.constant(out, 0)), nan, r);
  }
  const SafeDivision safe = safeDivision(s, in[1]);
  const ScalarValue r = integerRemainder(s, in[0], safe.divisor).remainder;
  return s.select(s.logicalOr(safe.byZero, safe.byMinusOne), s.integer(out, 0), r);
}

ScalarValue floorDivide(ScalarBuilder& s, Args in, DType out) {
  const ScalarValue x = in[0], y = in[1];
  if (out == DType::Bool) return s.logicalAnd(x, y);
  if (isIntegral(out)) {
    const SafeDivision safe = safeDivision(s, y);
    const ScalarValue q{
        out, isSigned(out) ? s.b.CreateSDiv(x.re, safe.divisor.re) : s.b.CreateUDiv(x.re, safe.divisor.re),
        nullptr};
    const ScalarValue down =
        s.select(integerRemainder(s, x, safe.divisor).wrong, s.sub(q, s.integer(out, 1)), q);
    const ScalarValue byMinusOne = s.select(safe.byMinusOne, s.neg(x), down);
    return s.select(safe.byZero, s.integer(out, 0), byMinusOne);
  }
  // Python's float floor division: the quotient of what is left after taking the remainder away is all but
  // whole.
  const ScalarValue args[] = {x, y};
  const ScalarValue truncated = s.libm("fmod", args);
  const FloorParts parts = floatRemainder(s, x, y);
  const ScalarValue one = s.constant(out, 1);
  ScalarValue q = s.div(s.sub(x, truncated), y);
  q = s.select(parts.wrong, s.sub(q, one), q);
  const ScalarValue floored = s.intrinsic(llvm::Intrinsic::floor, std::span(&q, 1));
  const ScalarValue more = s.compare(Compare::Gt, s.sub(q, floored), s.constant(out, 0.5));
  ScalarValue whole = s.select(more, s.add(floored, one), floored);
  const ScalarValue exact = s.div(x, y);
  const ScalarValue signedZero[] = {s.constant(out, 0), exact};
  whole = s.select(s.compare(Compare::Eq, q, s.constant(out, 0)),
                   s.intrinsic(llvm::Intrinsic::copysign, signedZero), whole);
  return s.select(s.compare(Compare::Eq, y, s.constant(out, 0)), exact, whole);
}

ScalarValue power(ScalarBuilder& s, Args in, DType out) {
  if (isComplex(out)) return s.complexExternal("nodewise_cpow", in);
  if (!isIntegral(out)) return s.libm("pow", in);
  if (isSigned(out))
    s.failIf(s.compare(Compare::Lt, in[1], s.integer(out, 0)),
             static_cast<int>(KernelError::NegativeIntegerPower));
  // Wrap-around commutes with truncation, so 64 bits serve all widths.
  const ScalarValue wide[] = {s.cast(in[0], DType::Int64), s.cast(in[1], DType::Int64)};
  return s.cast(s.external("nodewise_ipow", DType::Int64, wide), out);
}

ScalarValue maximum(ScalarBuilder& s, Args in, DType) {
  ScalarValue most = in[0];
  for (const ScalarValue& x : in.subspan(1)) most = s.maximum(most, x, true);
  return most;
}
ScalarValue minimum(ScalarBuilder& s, Args in, DType) {
  ScalarValue least = in[0];
  for (const ScalarValue& x : in.subspan(1)) least = s.maximum(least, x, false);
  return least;
}

ScalarValue clip(ScalarBuilder& s, Args in, DType) {
  const ScalarValue above = s.select(s.compare(Compare::Gt, in[0], in[2]), in[2], in[0]);
  return s.select(s.compare(Compare::Lt, in[0], in[1]), in[1], above);
}

ScalarValue bitAnd(ScalarBuilder& s, Args in, DType out) {
  ScalarValue v = in[0];
  for (const ScalarValue& x : in.subspan(1)) v = {out, s.b.CreateAnd(v.re, x.re), nullptr};
  return v;
}
ScalarValue bitOr(ScalarBuilder& s, Args in, DType out) {
  ScalarValue v = in[0];
  for (const ScalarValue& x : in.subspan(1)) v = {out, s.b.CreateOr(v.re, x.re), nullptr};
  return v;
}
ScalarValue bitXor(ScalarBuilder& s, Args in, DType out) {
  ScalarValue v = in[0];
  for (const ScalarValue& x : in.subspan(1)) v = {out, s.b.CreateXor(v.re, x.re), nullptr};
  return v;
}
ScalarValue invert(ScalarBuilder& s, Args in, DType out) { return {out, s.b.CreateNot(in[0].re), nullptr}; }

ScalarValue mulWithoutZeros(ScalarBuilder& s, Args in, DType out) {
  const ScalarValue zero = s.constant(out, 0);
  const ScalarValue product = out == DType::Bool ? s.logicalAnd(in[0], in[1]) : s.mul(in[0], in[1]);
  const ScalarValue orX = s.select(s.compare(Compare::Eq, in[1], zero), in[0], product);
  return s.select(s.compare(Compare::Eq, in[0], zero), in[1], orX);
}

constexpr auto kTo = ScalarConversion::ToOutput;
constexpr std::array kRows{
    ScalarOpRow{"add", 1, -1, OnAll, kTo, 1, ScalarCode::Inline, add,
                "sum of all inputs; integers wrap; on bool: or"},
    ScalarOpRow{"mul", 1, -1, OnAll, kTo, 1, ScalarCode::Inline, mul,
                "product of all inputs; integers wrap; on bool: and"},
    ScalarOpRow{"sub", 2, 2, OnNumbers, kTo, 1, ScalarCode::Inline, sub, "x - y; integers wrap"},
    ScalarOpRow{"neg", 1, 1, OnNumbers, kTo, 1, ScalarCode::Inline, neg, "-x; integers wrap"},
    ScalarOpRow{"abs", 1, 1, OnAll, ScalarConversion::None, 1, ScalarCode::Inline, absolute,
                "absolute value; of a complex number: its modulus"},
    ScalarOpRow{"sqr", 1, 1, OnAll, kTo, 1, ScalarCode::Inline, square, "x * x; integers wrap"},
    ScalarOpRow{"true_div", 2, 2, OnFloat | OnComplex, kTo, 1, ScalarCode::Inline, divide,
                "x / y; by zero inf or not-a-number"},
    ScalarOpRow{"reciprocal", 1, 1, OnNumbers, kTo, 1, ScalarCode::Inline, reciprocal, "1 / x"},
    ScalarOpRow{"int_div", 2, 2, OnReal, kTo, 1, ScalarCode::Lanewise, floorDivide,
                "floor(x / y), exactly; integers by 0: 0"},
    ScalarOpRow{"mod", 2, 2, OnReal, kTo, 1, ScalarCode::Lanewise, modulo,
                "x - y floor(x / y): the divisor's sign; integers by 0: 0"},
    ScalarOpRow{"pow", 2, 2, OnNumbers, kTo, 1, ScalarCode::Calls, power,
                "x to the y; integers wrap, a negative exponent is a ValueError"},
    ScalarOpRow{"maximum", 1, -1, OnAll, kTo, 1, ScalarCode::Inline, maximum,
                "the greatest input; not-a-number if one is"},
    ScalarOpRow{"minimum", 1, -1, OnAll, kTo, 1, ScalarCode::Inline, minimum,
                "the least input; not-a-number if one is"},
    ScalarOpRow{"clip", 3, 3, OnReal, kTo, 1, ScalarCode::Inline, clip,
                "x held within lo and hi; lo wins where lo > hi"},
    ScalarOpRow{"and", 1, -1, OnBool | OnInteger, kTo, 1, ScalarCode::Inline, bitAnd,
                "bitwise and; on bool logical"},
    ScalarOpRow{"or", 1, -1, OnBool | OnInteger, kTo, 1, ScalarCode::Inline, bitOr,
                "bitwise or; on bool logical"},
    ScalarOpRow{"xor", 1, -1, OnBool | OnInteger, kTo, 1, ScalarCode::Inline, bitXor,
                "bitwise exclusive or; on bool logical"},
    ScalarOpRow{"invert", 1, 1, OnBool | OnInteger, kTo, 1, ScalarCode::Inline, invert,
                "bitwise not; on bool logical"},
    ScalarOpRow{"mul_without_zeros", 2, 2, OnAll, kTo, 1, ScalarCode::Inline, mulWithoutZeros,
                "the product, zeros left out"},
};

} // namespace

std::span<const ScalarOpRow> arithmeticScalarOps() { return kRows; }

} // namespace nodewise
