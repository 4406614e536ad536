// Elemwise: a scalar op on every element of tensors, broadcast where a length is statically 1.
#include "codegen/elementwise_loop.h"
#include "codegen/loop_plan.h"
#include "ops/families.h"
#include "ops/params.h"
#include "ops/scalar_graph.h"

#include <fmt/format.h>

#include <array>

namespace nodewise {
namespace {

/// Outputs of this size and more are written past the cache (see ElementwiseShape::streamable): they would
/// only push out what the next node needs.
constexpr int64_t kStreamBytes = int64_t{8} << 20;

/// What the lowered node's functions share.
struct Elementwise {
  ScalarProgram program;
  codegen::ElementwiseShape loop;
  int rank = 0;
  std::vector<uint64_t> broadcast; ///< of each input: bit a: axis a has static length 1
};

int32_t shapeError(const Elementwise& node, Array* const* in, Context& context, int axis) {
  std::vector<std::string> shapes;
  for (size_t k = 0; k < node.broadcast.size(); ++k)
    shapes.push_back(
        fmt::format("({})", fmt::join(std::span(in[k]->shape, static_cast<size_t>(in[k]->rank)), ", ")));
  return context.fail(
      "ValueError",
      fmt::format(
          "inputs of shapes {} do not match along axis {}; only lengths that are 1 by their type broadcast",
          fmt::join(shapes, ", "), axis));
}

int32_t inferShape(const Elementwise& node, Array* const* in, Array* const* out, Context& context) {
  const size_t inputs = node.broadcast.size();
  for (int axis = 0; axis < node.rank; ++axis) {
    int64_t length = -1;
    for (size_t k = 0; k < inputs; ++k) {
      const int64_t here = in[k]->shape[axis];
      if (node.broadcast[k] >> axis & 1) {
        if (here != 1) return shapeError(node, in, context, axis);
      } else if (length < 0) {
        length = here;
      } else if (length != here) {
        return shapeError(node, in, context, axis);
      }
    }
    for (size_t k = 0; k < node.program.outputs.size(); ++k) out[k]->shape[axis] = length < 0 ? 1 : length;
  }
  return 0;
}

void makePlan(const Elementwise& node, Array* const* in, Array* const* out, std::vector<int64_t>& plan) {
  std::vector<LoopOperand> operands;
  const auto rank = static_cast<size_t>(node.rank);
  for (size_t k = 0; k < node.broadcast.size(); ++k) {
    LoopOperand operand{std::vector<int64_t>(rank),
                        node.loop.inputs[k].broadcast ? 0 : dtypeSize(in[k]->dtype)};
    for (size_t axis = 0; axis < rank; ++axis)
      operand.strides[axis] = node.broadcast[k] >> axis & 1 ? 0 : in[k]->strides[axis];
    operands.push_back(std::move(operand));
  }
  int64_t bytes = 0;
  for (size_t k = 0; k < node.program.outputs.size(); ++k) {
    operands.push_back(
        {std::vector<int64_t>(out[k]->strides, out[k]->strides + rank), dtypeSize(out[k]->dtype)});
    bytes += out[k]->size() * dtypeSize(out[k]->dtype);
  }
  std::vector<int64_t> expected;
  for (const LoopOperand& operand : operands) expected.push_back(operand.innerStride);
  planElementwise({out[0]->shape, rank}, std::move(operands), plan);
  namespace ep = elementwise_plan;
  if (node.loop.streamable && bytes >= kStreamBytes && plan[ep::kVector] == ep::kContiguous)
    plan[ep::kVector] = ep::kStreaming;
  // Copying pays where vector functions take the place of scalar ones, and where memory is read across.
  constexpr int64_t kLarge = int64_t{1} << 19;
  if (node.loop.lanewise || !(node.loop.calls || out[0]->size() >= kLarge)) return;
  if (const uint64_t packed = inputsToPack(plan, expected, node.broadcast.size()))
    plan[ep::kVector] = ep::kPack | static_cast<int64_t>(packed << ep::kPackShift);
}

/// The innermost axis that is not of static length 1 everywhere; -1 if there is none.
int innerAxis(const NodeView& node, int rank) {
  for (int axis = rank - 1; axis >= 0; --axis)
    for (size_t k = 0; k < node.inputs(); ++k)
      if (!node.in(k).broadcasts(axis)) return axis;
  return -1;
}

Result<Lowered> lowerElemwise(const NodeView& node) {
  NW_TRY(std::string name, textParam(node, "scalar_op"));
  auto shared = std::make_shared<Elementwise>();
  Elementwise& e = *shared;
  if (node.inputs() == 0) return node.error("expected at least one input");
  for (size_t k = 0; k < node.inputs(); ++k) NW_CHECK(checkTensor(node, k));
  e.rank = node.in(0).rank();
  if (e.rank > 64) return Lowered::unsupported(fmt::format("rank {} (at most 64)", e.rank));
  for (size_t k = 0; k < node.inputs(); ++k) NW_CHECK(checkTensor(node, k, e.rank));
  for (size_t k = 0; k < node.outputs(); ++k) NW_CHECK(checkOutTensor(node, k, e.rank));
  NW_TRY(e.program, parseScalarProgram(node, name));
  if (!e.program.unsupported.empty()) return Lowered::unsupported(e.program.unsupported);

  const ScalarFacts facts = scalarFacts(e.program);
  const int inner = innerAxis(node, e.rank);
  e.loop.single = inner < 0;
  e.loop.lanewise = facts.lanewise;
  e.loop.operations = facts.operations;
  e.loop.calls = facts.calls;
  e.loop.widest = facts.widest;
  e.loop.outputs = e.program.outputs;
  for (size_t k = 0; k < node.inputs(); ++k) {
    uint64_t bits = 0;
    for (int axis = 0; axis < e.rank; ++axis)
      bits |= static_cast<uint64_t>(node.in(k).broadcasts(axis)) << axis;
    e.broadcast.push_back(bits);
    e.loop.inputs.push_back({e.program.inputs[k], inner >= 0 && (bits >> inner & 1), -1});
  }

  Lowered lowered;
  lowered.kind = NodeKind::Kernel;
  for (auto [out, in] : node.destroys()) {
    // In place: same dtype, and the input has every element that the output has.
    const bool whole = e.broadcast[static_cast<size_t>(in)] == e.broadcast[0] || e.loop.single;
    bool covers = true;
    for (uint64_t bits : e.broadcast) covers = covers && (e.broadcast[static_cast<size_t>(in)] & ~bits) == 0;
    if (e.program.inputs[static_cast<size_t>(in)] != e.program.outputs[static_cast<size_t>(out)] ||
        !(whole || covers) || !covers)
      continue;
    e.loop.inputs[static_cast<size_t>(in)].inPlaceOf = out;
    lowered.inPlace.emplace_back(out, in);
  }
  // One input's worth of memory traffic and little arithmetic: large outputs gain from streaming stores.
  e.loop.streamable =
      !e.loop.single && !facts.lanewise && !facts.calls && facts.operations <= 4 && lowered.inPlace.empty();

  lowered.keyParts = opParts("Elemwise", kElementwiseVersion);
  for (KeyPart& part : scalarKeyParts(e.program)) lowered.keyParts.push_back(std::move(part));
  for (size_t k = 0; k < node.inputs(); ++k)
    lowered.keyParts.push_back(
        {fmt::format("input {}", k),
         fmt::format("{}{}{}", dtypeName(e.program.inputs[k]), e.loop.inputs[k].broadcast ? " broadcast" : "",
                     e.loop.inputs[k].inPlaceOf >= 0
                         ? fmt::format(" in place of output {}", e.loop.inputs[k].inPlaceOf)
                         : "")});
  for (size_t k = 0; k < node.outputs(); ++k)
    lowered.keyParts.push_back({fmt::format("output {}", k), std::string(dtypeName(e.program.outputs[k]))});
  lowered.keyParts.push_back({"loop", e.loop.single ? "single element" : "elements"});

  lowered.shape = [shared](Array* const* in, Array* const* out, Context& context) {
    return inferShape(*shared, in, out, context);
  };
  if (!e.loop.single)
    lowered.plan = [shared](Array* const* in, Array* const* out, std::vector<int64_t>& plan) {
      makePlan(*shared, in, out, plan);
    };
  lowered.emit = [shared](codegen::Emitter& emitter) -> Result<void> {
    codegen::emitElementwise(emitter, shared->loop,
                             [&](codegen::ScalarBuilder& s, std::span<const codegen::ScalarValue> in) {
                               return emitScalarProgram(s, shared->program, in);
                             });
    return {};
  };
  return lowered;
}

constexpr std::array kRows{
    OpRow{"Elemwise", "elementwise", lowerElemwise, kElementwiseVersion, "tensors of one rank",
          "A scalar op, a fused graph of scalar ops (composite) or a scalar loop on every element, with "
          "broadcasting of axes "
          "whose length is 1 by their type."},
};

} // namespace

std::span<const OpRow> elementwiseOps() { return kRows; }

} // namespace nodewise
