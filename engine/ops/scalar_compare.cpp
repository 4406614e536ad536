// Comparisons, tests and choices on elements.
#include "codegen/scalar_builder.h"
#include "ops/scalar_op.h"

#include <array>

namespace nodewise {
namespace {

using codegen::ScalarBuilder;
using codegen::ScalarValue;
using Args = std::span<const ScalarValue>;
using Compare = ScalarBuilder::Compare;

template <Compare op> ScalarValue compare(ScalarBuilder& s, Args in, DType) {
  return s.compare(op, in[0], in[1]);
}

ScalarValue isNan(ScalarBuilder& s, Args in, DType) { return s.isNan(in[0]); }
ScalarValue isInf(ScalarBuilder& s, Args in, DType) { return s.isInf(in[0]); }

ScalarValue choose(ScalarBuilder& s, Args in, DType out) {
  return s.select(s.cast(in[0], DType::Bool), s.cast(in[1], out), s.cast(in[2], out));
}
ScalarValue second(ScalarBuilder& s, Args in, DType out) { return s.cast(in[1], out); }
ScalarValue identity(ScalarBuilder&, Args in, DType) { return in[0]; }

constexpr auto kCommon = ScalarConversion::ToCommon;
constexpr auto kNone = ScalarConversion::None;
constexpr std::array kRows{
    ScalarOpRow{"lt", 2, 2, OnAll, kCommon, 1, ScalarCode::Inline, compare<Compare::Lt>,
                "x < y; complex: lexicographic"},
    ScalarOpRow{"le", 2, 2, OnAll, kCommon, 1, ScalarCode::Inline, compare<Compare::Le>,
                "x <= y; complex: lexicographic"},
    ScalarOpRow{"gt", 2, 2, OnAll, kCommon, 1, ScalarCode::Inline, compare<Compare::Gt>,
                "x > y; complex: lexicographic"},
    ScalarOpRow{"ge", 2, 2, OnAll, kCommon, 1, ScalarCode::Inline, compare<Compare::Ge>,
                "x >= y; complex: lexicographic"},
    ScalarOpRow{"eq", 2, 2, OnAll, kCommon, 1, ScalarCode::Inline, compare<Compare::Eq>, "x = y"},
    ScalarOpRow{"neq", 2, 2, OnAll, kCommon, 1, ScalarCode::Inline, compare<Compare::Ne>, "x differs from y"},
    ScalarOpRow{"isnan", 1, 1, OnAll, kNone, 1, ScalarCode::Inline, isNan,
                "x is not a number; false on integers"},
    ScalarOpRow{"isinf", 1, 1, OnAll, kNone, 1, ScalarCode::Inline, isInf,
                "x is infinite; false on integers"},
    ScalarOpRow{"switch", 3, 3, OnAll, kNone, 1, ScalarCode::Inline, choose, "a where c is not 0, else b"},
    ScalarOpRow{"second", 2, 2, OnAll, kNone, 1, ScalarCode::Inline, second, "y"},
    ScalarOpRow{"identity", 1, 1, OnAll, kNone, 1, ScalarCode::Inline, identity, "x"},
    ScalarOpRow{"cast", 1, 1, OnAll, kNone, 1, ScalarCode::Inline, identity,
                "x converted to the output's dtype"},
};

} // namespace

std::span<const ScalarOpRow> compareScalarOps() { return kRows; }

} // namespace nodewise
