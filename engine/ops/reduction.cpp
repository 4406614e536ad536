// Sum, Prod, Max, Min, All, Any, ProdWithoutZeros, CAReduce: a scalar op that combines the elements along
// axes.
#include "codegen/loop_plan.h"
#include "codegen/reduction_loop.h"
#include "ops/families.h"
#include "ops/params.h"
#include "ops/reduction_axes.h"
#include "ops/scalar_op.h"

#include <fmt/format.h>

#include <array>
#include <limits>

namespace nodewise {
namespace {

constexpr int kVersion = 3;

using codegen::ScalarBuilder;
using codegen::ScalarValue;

/// What a scalar op needs to be a reduction.
struct ReduceRow {
  std::string_view scalarOp;
  bool identity; ///< has a value over nothing; without one that is a ValueError
  ScalarValue (*start)(ScalarBuilder& s, DType d);
  ScalarValue (*overNothing)(ScalarBuilder& s, DType d); ///< where it is not `start`; may be null
};

ScalarValue zero(ScalarBuilder& s, DType d) { return s.integer(d, 0); }
ScalarValue one(ScalarBuilder& s, DType d) { return s.integer(d, 1); }
ScalarValue allBits(ScalarBuilder& s, DType d) { return s.integer(d, -1); }

/// The least (greatest) value of a dtype, which any element replaces.
ScalarValue extreme(ScalarBuilder& s, DType d, bool least) {
  if (d == DType::Bool) return s.integer(d, least ? 0 : 1);
  if (!isIntegral(d)) {
    ScalarValue v = s.constant(d, least ? -std::numeric_limits<double>::infinity()
                                        : std::numeric_limits<double>::infinity());
    if (v.im) v.im = v.re;
    return v;
  }
  const auto bits = static_cast<unsigned>(dtypeSize(d) * 8);
  if (!isSigned(d)) return s.integer(d, least ? 0 : -1);
  const auto top = static_cast<uint64_t>(1) << (bits - 1);
  return s.integer(d, static_cast<int64_t>(least ? uint64_t{0} - top : top - 1));
}
ScalarValue least(ScalarBuilder& s, DType d) { return extreme(s, d, true); }
ScalarValue greatest(ScalarBuilder& s, DType d) { return extreme(s, d, false); }

constexpr std::array kReduceRows{
    ReduceRow{"add", true, zero, nullptr},
    ReduceRow{"mul", true, one, nullptr},
    ReduceRow{"maximum", false, least, nullptr},
    ReduceRow{"minimum", false, greatest, nullptr},
    ReduceRow{"and", true, allBits, nullptr},
    ReduceRow{"or", true, zero, nullptr},
    ReduceRow{"xor", true, zero, nullptr},
    // Zero stands for "no element but zeros yet".
    ReduceRow{"mul_without_zeros", true, zero, one},
};

/// Scalar op of each named reduction, for nodes that leave it out.
struct Default {
  std::string_view op, scalarOp;
};
constexpr std::array kDefaults{Default{"Sum", "add"},
                               Default{"Prod", "mul"},
                               Default{"Max", "maximum"},
                               Default{"Min", "minimum"},
                               Default{"All", "and"},
                               Default{"Any", "or"},
                               Default{"ProdWithoutZeros", "mul_without_zeros"}};

/// Sums of short floats run in double: more exact than any order of short ones, and memory is what limits
/// them.
DType accumulatorOf(DType d) {
  if (d == DType::Float16 || d == DType::Float32) return DType::Float64;
  if (d == DType::Complex64) return DType::Complex128;
  return d;
}

Result<Lowered> lowerReduction(const NodeView& node) {
  NW_CHECK(checkArity(node, 1, 1, 1, 1));
  NW_CHECK(checkTensor(node, 0));
  std::optional<std::string> fallback;
  for (const Default& d : kDefaults)
    if (d.op == node.node.op) fallback = std::string(d.scalarOp);
  NW_TRY(std::string name, textParam(node, "scalar_op", fallback));
  NW_TRY(ReducedAxes axes, reducedAxes(node));
  NW_CHECK(checkOutTensor(node, 0, axes.keptRank()));

  const auto row = std::ranges::find(kReduceRows, name, &ReduceRow::scalarOp);
  const ScalarOpRow* scalar = findScalarOp(name);
  if (row == kReduceRows.end() || !scalar)
    return Lowered::unsupported(fmt::format("reduction by scalar op {} is not supported", name));
  const DType out = node.out(0).dtype;
  NW_TRY(DType stated, dtypeParam(node, "acc_dtype", out));
  const bool sums = name == "add" || name == "mul" || name == "mul_without_zeros";
  const DType acc = sums ? accumulatorOf(stated) : stated;
  const std::array both{acc, acc};
  if (Result<void> domain = checkScalarDomain(*scalar, both, acc); !domain)
    return Lowered::unsupported(domain.error().what);

  const DType in = node.in(0).dtype;
  const bool whole = axes.keptRank() == 0;
  Lowered lowered;
  lowered.kind = NodeKind::Kernel;
  lowered.keyParts = opParts("CAReduce", kVersion);
  lowered.keyParts.push_back({"scalar op", name});
  lowered.keyParts.push_back({"scalar op versions", fmt::format("{} {}", name, scalar->version)});
  lowered.keyParts.push_back({"accumulator", std::string(dtypeName(acc))});
  lowered.keyParts.push_back({"axes", whole ? "all" : "some"});
  lowered.keyParts.push_back({"input 0", std::string(dtypeName(in))});
  lowered.keyParts.push_back({"output 0", std::string(dtypeName(out))});

  const bool identity = row->identity;
  lowered.shape = [axes, identity, name](Array* const* inputs, Array* const* outputs, Context& context) {
    setKeptShape(axes, *inputs[0], *outputs[0]);
    if (!identity && inputs[0]->size() == 0 && outputs[0]->size() != 0)
      return context.fail("ValueError", fmt::format("{} over no elements has no value", name));
    return 0;
  };
  lowered.plan = [axes](Array* const* inputs, Array* const* outputs, std::vector<int64_t>& plan) {
    planOverAxes(axes, *inputs[0], *outputs[0], false, plan);
  };
  lowered.emit = [row = &*row, scalar, in, acc, out, whole](codegen::Emitter& emitter) -> Result<void> {
    codegen::Reducer reducer;
    reducer.start = [=](ScalarBuilder& s) { return row->start(s, acc); };
    if (row->overNothing) reducer.overNothing = [=](ScalarBuilder& s) { return row->overNothing(s, acc); };
    reducer.combine = [=](ScalarBuilder& s, ScalarValue a, ScalarValue x) {
      const ScalarValue args[] = {a, x};
      return emitScalarOp(s, *scalar, args, acc);
    };
    codegen::emitReduction(emitter, {in, acc, out, whole, false}, reducer);
    return {};
  };
  return lowered;
}

constexpr std::string_view kInputs = "x";
constexpr std::array kRows{
    OpRow{"Sum", "reduction", lowerReduction, kVersion, kInputs, "Sum over axes, in acc_dtype."},
    OpRow{"Prod", "reduction", lowerReduction, kVersion, kInputs, "Product over axes, in acc_dtype."},
    OpRow{"Max", "reduction", lowerReduction, kVersion, kInputs,
          "Greatest element over axes; not-a-number wins. Over nothing: ValueError."},
    OpRow{"Min", "reduction", lowerReduction, kVersion, kInputs,
          "Least element over axes; not-a-number wins. Over nothing: ValueError."},
    OpRow{"All", "reduction", lowerReduction, kVersion, kInputs, "Whether all elements over axes are true."},
    OpRow{"Any", "reduction", lowerReduction, kVersion, kInputs, "Whether any element over axes is true."},
    OpRow{"ProdWithoutZeros", "reduction", lowerReduction, kVersion, kInputs,
          "Product over axes of the elements that are not 0; 0 over zeros only."},
    OpRow{"CAReduce", "reduction", lowerReduction, kVersion, kInputs,
          "A commutative, associative scalar op over axes."},
};

} // namespace

std::span<const OpRow> reductionOps() { return kRows; }

} // namespace nodewise
