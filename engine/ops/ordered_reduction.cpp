// Argmax and CumOp: reductions in which the order of elements counts.
#include "codegen/emitter.h"
#include "codegen/loop_plan.h"
#include "ops/families.h"
#include "ops/params.h"
#include "ops/reduction_axes.h"
#include "ops/scalar_op.h"

#include <fmt/format.h>

#include <array>

namespace nodewise {
namespace {

constexpr int kArgmaxVersion = 2, kCumulativeVersion = 1;

using codegen::Emitter;
using codegen::ScalarValue;
using llvm::Value;

// --- Argmax
// ------------------------------------------------------------------------------------------------------------

/// Whether x is greater than what is best so far, or either is not a number.
Value* notBelow(codegen::ScalarBuilder& s, ScalarValue x, ScalarValue best) {
  if (isIntegral(x.dtype)) return s.compare(codegen::ScalarBuilder::Compare::Gt, x, best).re;
  if (!isComplex(x.dtype)) return s.b.CreateFCmpUGT(x.re, best.re);
  return s.logicalOr(s.compare(codegen::ScalarBuilder::Compare::Gt, x, best), s.isNan(x)).re;
}

/// For each kept position: walk the reduced axes in C order with the best element so far and its position.
void emitArgmax(Emitter& e, DType dtype) {
  namespace rp = reduction_plan;
  auto& b = e.b;
  auto& s = e.scalars;
  llvm::Type* element = s.elementType(dtype);
  Value* plan = e.planPointer();
  Value* length = e.planWord(plan, rp::kLength);
  Value* stride = e.planWord(plan, rp::kInStride);
  Value* reduced = e.planWord(plan, rp::kReducedOdometer);
  Value* kept = s.entryAlloca(b.getPtrTy(), 2, "kept");
  Value* inner = s.entryAlloca(b.getPtrTy(), 1, "reduced");
  Value* bestRe = s.entryAlloca(element, 1, "best");
  Value* bestIm = isComplex(dtype) ? s.entryAlloca(element, 1, "best") : nullptr;
  Value* bestAt = s.entryAlloca(b.getInt64Ty(), 1, "position");
  Value* count = s.entryAlloca(b.getInt64Ty(), 1, "count");
  b.CreateStore(e.dataOf(e.inArray(0)), kept);
  b.CreateStore(e.dataOf(e.outArray(0)), b.CreateConstGEP1_64(b.getPtrTy(), kept, 1));
  auto best = [&] {
    return ScalarValue{dtype, b.CreateLoad(element, bestRe),
                       bestIm ? b.CreateLoad(element, bestIm) : nullptr};
  };
  auto setBest = [&](ScalarValue v) {
    b.CreateStore(v.re, bestRe);
    if (bestIm) b.CreateStore(v.im, bestIm);
  };
  // Chunks in which nothing can be the best are passed over as a whole.
  const bool vectors = e.target().vectorBytes > 0 && dtypeSize(dtype) >= 4 && !isComplex(dtype);
  const auto lanes = vectors ? static_cast<unsigned>(e.target().vectorBytes / dtypeSize(dtype) * 4) : 0U;
  Value* contiguous = b.CreateICmpNE(e.planWord(plan, rp::kVector), b.getInt64(0));
  e.walk(plan, b.getInt64(rp::kKeptOdometer), kept, 2, [&] {
    setBest(e.load(e.slot(kept, 0), dtype));
    b.CreateStore(b.getInt64(0), bestAt);
    b.CreateStore(b.getInt64(0), count);
    b.CreateStore(e.slot(kept, 0), inner);
    e.walk(plan, reduced, inner, 1, [&] {
      Value* row = e.slot(inner, 0);
      Value* first = b.CreateLoad(b.getInt64Ty(), count);
      b.CreateStore(b.CreateAdd(first, length), count);
      auto oneByOne = [&](Value* from, Value* to) {
        e.loop(from, to, 1, "elements", [&](Value* i) {
          const ScalarValue x = e.load(e.bytesAt(row, b.CreateMul(i, stride)), dtype);
          // A branch, as a new best is rare: selects would have each element wait for the one before.
          e.onlyIf(notBelow(s, x, best()), "candidate", [&] {
            Value* better = isIntegral(dtype) ? b.getTrue() : s.logicalNot(s.isNan(best())).re;
            e.onlyIf(better, "better", [&] {
              setBest(x);
              b.CreateStore(b.CreateAdd(first, i), bestAt);
            });
          });
        });
      };
      if (!lanes) {
        oneByOne(b.getInt64(0), length);
        return;
      }
      e.loop(b.getInt64(0), length, lanes, "chunks", [&](Value* i) {
        Value* left = b.CreateSub(length, i);
        Value* whole = b.CreateICmpSGE(left, b.getInt64(lanes));
        auto* look = e.block("look");
        auto* walk = e.block("walk");
        auto* next = e.block("next");
        b.CreateCondBr(b.CreateAnd(whole, contiguous), look, walk);
        b.SetInsertPoint(look);
        const ScalarValue now = best();
        s.setLanes(lanes);
        const ScalarValue x = e.load(e.bytesAt(row, b.CreateMul(i, stride)), dtype);
        Value* any = b.CreateOrReduce(notBelow(s, x, e.splat(now)));
        s.setLanes(1);
        b.CreateCondBr(any, walk, next);
        b.SetInsertPoint(walk);
        oneByOne(i, b.CreateSelect(whole, b.CreateAdd(i, b.getInt64(lanes)), length));
        b.CreateBr(next);
        b.SetInsertPoint(next);
      });
    });
    e.store(e.slot(kept, 1), {DType::Int64, b.CreateLoad(b.getInt64Ty(), bestAt), nullptr});
  });
  e.finish();
}

Result<Lowered> lowerArgmax(const NodeView& node) {
  NW_CHECK(checkArity(node, 1, 1, 1, 1));
  NW_CHECK(checkTensor(node, 0));
  NW_TRY(ReducedAxes axes, reducedAxes(node));
  NW_CHECK(checkOutTensor(node, 0, axes.keptRank()));
  if (node.out(0).dtype != DType::Int64) return node.error("expected an int64 output");
  const DType dtype = node.in(0).dtype;
  Lowered lowered;
  lowered.kind = NodeKind::Kernel;
  lowered.keyParts = opParts("Argmax", kArgmaxVersion);
  lowered.keyParts.push_back({"input 0", std::string(dtypeName(dtype))});
  lowered.shape = [axes](Array* const* in, Array* const* out, Context& context) {
    setKeptShape(axes, *in[0], *out[0]);
    if (in[0]->size() == 0 && out[0]->size() != 0)
      return context.fail("ValueError", "argmax over no elements has no value");
    return 0;
  };
  lowered.plan = [axes](Array* const* in, Array* const* out, std::vector<int64_t>& plan) {
    planOverAxes(axes, *in[0], *out[0], true, plan);
  };
  lowered.emit = [dtype](Emitter& emitter) -> Result<void> {
    emitArgmax(emitter, dtype);
    return {};
  };
  return lowered;
}

// --- CumOp
// -------------------------------------------------------------------------------------------------------------

/// The plan of planReduction with the accumulated axis as the reduced one; the output moves along it too, so
/// its stride there is put into kOutStride.
void emitCumulative(Emitter& e, const ScalarOpRow& op, DType in, DType out) {
  namespace rp = reduction_plan;
  auto& b = e.b;
  auto& s = e.scalars;
  llvm::Type* element = s.elementType(out);
  Value* plan = e.planPointer();
  Value* length = e.planWord(plan, rp::kLength);
  Value* inStride = e.planWord(plan, rp::kInStride);
  Value* outStride = e.planWord(plan, rp::kOutStride);
  Value* kept = s.entryAlloca(b.getPtrTy(), 2, "kept");
  Value* sumRe = s.entryAlloca(element, 1, "sum");
  Value* sumIm = isComplex(out) ? s.entryAlloca(element, 1, "sum") : nullptr;
  b.CreateStore(e.dataOf(e.inArray(0)), kept);
  b.CreateStore(e.dataOf(e.outArray(0)), b.CreateConstGEP1_64(b.getPtrTy(), kept, 1));
  auto set = [&](ScalarValue v) {
    b.CreateStore(v.re, sumRe);
    if (sumIm) b.CreateStore(v.im, sumIm);
  };
  e.walk(plan, b.getInt64(rp::kKeptOdometer), kept, 2, [&] {
    Value* from = e.slot(kept, 0);
    Value* to = e.slot(kept, 1);
    set(s.integer(out, op.name == "mul" ? 1 : 0));
    e.loop(b.getInt64(0), length, 1, "along", [&](Value* i) {
      const ScalarValue x = s.cast(e.load(e.bytesAt(from, b.CreateMul(i, inStride)), in), out);
      const ScalarValue sum{out, b.CreateLoad(element, sumRe),
                            sumIm ? b.CreateLoad(element, sumIm) : nullptr};
      const ScalarValue args[] = {sum, x};
      const ScalarValue next = emitScalarOp(s, op, args, out);
      set(next);
      e.store(e.bytesAt(to, b.CreateMul(i, outStride)), next);
    });
  });
  e.finish();
}

Result<Lowered> lowerCumOp(const NodeView& node) {
  NW_CHECK(checkArity(node, 1, 1, 1, 1));
  NW_CHECK(checkTensor(node, 0));
  const int rank = node.in(0).rank();
  NW_CHECK(checkOutTensor(node, 0, rank));
  NW_TRY(int64_t axis, intParam(node, "axis"));
  if (axis < 0 || axis >= rank)
    return node.paramError("axis", fmt::format("expected an axis of a tensor of rank {}", rank));
  NW_TRY(std::string mode, choiceParam(node, "mode", {"add", "mul"}));
  const ScalarOpRow* op = findScalarOp(mode);
  const DType in = node.in(0).dtype, out = node.out(0).dtype;
  Lowered lowered;
  lowered.kind = NodeKind::Kernel;
  lowered.keyParts = opParts("CumOp", kCumulativeVersion);
  lowered.keyParts.push_back({"scalar op", mode});
  lowered.keyParts.push_back({"scalar op versions", fmt::format("{} {}", mode, op->version)});
  lowered.keyParts.push_back({"input 0", std::string(dtypeName(in))});
  lowered.keyParts.push_back({"output 0", std::string(dtypeName(out))});
  lowered.shape = [](Array* const* inputs, Array* const* outputs, Context&) {
    for (int32_t k = 0; k < inputs[0]->rank; ++k) outputs[0]->shape[k] = inputs[0]->shape[k];
    return 0;
  };
  lowered.plan = [axis](Array* const* inputs, Array* const* outputs, std::vector<int64_t>& plan) {
    const Array& x = *inputs[0];
    const Array& y = *outputs[0];
    std::vector<bool> along(static_cast<size_t>(x.rank), false);
    along[static_cast<size_t>(axis)] = true;
    std::vector<int64_t> keptStrides;
    for (int32_t k = 0; k < x.rank; ++k)
      if (k != axis) keptStrides.push_back(y.strides[k]);
    planReduction({x.shape, static_cast<size_t>(x.rank)}, {x.strides, static_cast<size_t>(x.rank)}, along,
                  keptStrides, dtypeSize(x.dtype), dtypeSize(y.dtype), true, plan);
    plan[reduction_plan::kOutStride] = y.strides[axis];
  };
  lowered.emit = [op, in, out](Emitter& emitter) -> Result<void> {
    emitCumulative(emitter, *op, in, out);
    return {};
  };
  return lowered;
}

constexpr std::array kRows{
    OpRow{"Argmax", "reduction", lowerArgmax, kArgmaxVersion, "x",
          "Position of the first greatest element over axes, flattened in C order; the first not-a-number "
          "counts as greatest."},
    OpRow{"CumOp", "reduction", lowerCumOp, kCumulativeVersion, "x", "Running sum or product along an axis."},
};

} // namespace

std::span<const OpRow> orderedReductionOps() { return kRows; }

} // namespace nodewise
