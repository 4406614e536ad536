// Control ops but Scan: OpFromGraph, Blockwise, IfElse, CheckAndRaise.
#include "ops/control.h"

#include "ops/families.h"
#include "ops/params.h"
#include "ops/view_lowering.h"

#include <fmt/format.h>

#include <array>

namespace nodewise {
namespace {

Lowered controlNode(ControlParams params) {
  Lowered lowered;
  lowered.kind = NodeKind::Prebuilt;
  lowered.control = std::make_shared<const ControlParams>(std::move(params));
  return lowered;
}

Result<void> checkInner(const NodeView& node, std::string_view key, size_t inputs, size_t outputs) {
  if (!node.node.inner) return node.paramError(key, "expected a graph");
  if (node.node.inner->inputs.size() != inputs)
    return node.paramError(
        key, fmt::format("expected a graph of {} inputs, found {}", inputs, node.node.inner->inputs.size()));
  if (node.node.inner->outputs.size() != outputs)
    return node.paramError(key, fmt::format("expected a graph of {} outputs, found {}", outputs,
                                            node.node.inner->outputs.size()));
  return {};
}

/// A number that can be asked whether it is 0.
bool isCondition(const Type& type) {
  return (type.kind == Kind::Tensor || type.kind == Kind::Scalar) && type.rank() == 0;
}

/// Kind, dtype and rank agree (static lengths may differ in what is known).
bool fits(const Type& a, const Type& b) {
  if (a.kind != b.kind) return false;
  return (a.kind != Kind::Tensor && a.kind != Kind::Scalar) || (a.dtype == b.dtype && a.rank() == b.rank());
}

Result<Lowered> lowerOpFromGraph(const NodeView& node) {
  NW_CHECK(checkInner(node, "graph", node.inputs(), node.outputs()));
  const Graph& inner = *node.node.inner;
  for (size_t k = 0; k < node.inputs(); ++k)
    if (!fits(node.in(k), inner.values[static_cast<size_t>(inner.inputs[k])].type))
      return node.paramError("graph",
                             fmt::format("input {} is {} inside and {} outside", k,
                                         shortText(inner.values[static_cast<size_t>(inner.inputs[k])].type),
                                         shortText(node.in(k))));
  for (size_t k = 0; k < node.outputs(); ++k)
    if (!fits(node.out(k), inner.values[static_cast<size_t>(inner.outputs[k])].type))
      return node.paramError("graph",
                             fmt::format("output {} is {} inside and {} outside", k,
                                         shortText(inner.values[static_cast<size_t>(inner.outputs[k])].type),
                                         shortText(node.out(k))));
  ControlParams params;
  params.kind = ControlParams::Kind::Call;
  params.inner = node.node.inner;
  return controlNode(std::move(params));
}

/// "(m,n),(n)->(m)" to lists of names.
Result<std::vector<std::vector<std::string>>> signatureSide(const NodeView& node, std::string_view text) {
  std::vector<std::vector<std::string>> lists;
  size_t at = 0;
  const Error bad =
      node.paramError("signature", fmt::format("expected \"(m,n),(n)->(m)\", found {:?}", std::string(text)));
  while (at < text.size()) {
    if (text[at] == ',' || text[at] == ' ') {
      ++at;
      continue;
    }
    const size_t close = text.find(')', at);
    if (text[at] != '(' || close == std::string_view::npos) return bad;
    std::vector<std::string> names;
    std::string name;
    for (char c : text.substr(at + 1, close - at - 1)) {
      if (c == ',') {
        names.push_back(std::exchange(name, {}));
      } else if (c != ' ') {
        name += c;
      }
    }
    if (!name.empty()) names.push_back(name);
    lists.push_back(std::move(names));
    at = close + 1;
  }
  return lists;
}

Result<Lowered> lowerBlockwise(const NodeView& node) {
  NW_CHECK(checkInner(node, "core", node.inputs(), node.outputs()));
  NW_TRY(std::string signature, textParam(node, "signature"));
  const size_t arrow = signature.find("->");
  if (arrow == std::string::npos)
    return node.paramError("signature", "expected \"->\" between inputs and outputs");
  ControlParams params;
  params.kind = ControlParams::Kind::Blockwise;
  params.inner = node.node.inner;
  NW_TRY(params.blockwise.inputs, signatureSide(node, std::string_view(signature).substr(0, arrow)));
  NW_TRY(params.blockwise.outputs, signatureSide(node, std::string_view(signature).substr(arrow + 2)));
  if (params.blockwise.inputs.size() != node.inputs() || params.blockwise.outputs.size() != node.outputs())
    return node.paramError("signature",
                           fmt::format("expected {} inputs and {} outputs", node.inputs(), node.outputs()));
  int batch = -1;
  for (size_t k = 0; k < node.inputs(); ++k) {
    NW_CHECK(checkTensor(node, k));
    const int here = node.in(k).rank() - static_cast<int>(params.blockwise.inputs[k].size());
    if (here < 0 || (batch >= 0 && here != batch))
      return node.error(fmt::format(
          "input {} of rank {} does not have the batch axes of the others before its {} core axes", k,
          node.in(k).rank(), params.blockwise.inputs[k].size()));
    batch = here;
  }
  for (size_t k = 0; k < node.outputs(); ++k)
    NW_CHECK(checkOutTensor(node, k, batch + static_cast<int>(params.blockwise.outputs[k].size())));
  return controlNode(std::move(params));
}

Result<Lowered> lowerIfElse(const NodeView& node) {
  NW_TRY(int64_t count, intParam(node, "n_outs", static_cast<int64_t>(node.outputs())));
  if (count < 1 || static_cast<size_t>(count) != node.outputs())
    return node.paramError("n_outs", fmt::format("expected the number of outputs, {}", node.outputs()));
  NW_CHECK(checkArity(node, 1 + 2 * static_cast<int>(count), 1 + 2 * static_cast<int>(count),
                      static_cast<int>(count), static_cast<int>(count)));
  if (!isCondition(node.in(0)))
    return node.error(fmt::format("expected a scalar or 0-d condition, found {}", shortText(node.in(0))));
  for (size_t k = 0; k < node.outputs(); ++k)
    for (size_t in : {1 + k, 1 + static_cast<size_t>(count) + k})
      if (!fits(node.in(in), node.out(k)))
        return node.error(fmt::format("input {} is {}, output {} is {}", in, shortText(node.in(in)), k,
                                      shortText(node.out(k))));
  ControlParams params;
  params.kind = ControlParams::Kind::IfElse;
  params.branches = static_cast<int>(count);
  return controlNode(std::move(params));
}

Result<Lowered> lowerCheckAndRaise(const NodeView& node) {
  NW_CHECK(checkArity(node, 1, -1, 1, 1));
  NW_TRY(std::string type, textParam(node, "exc_type", std::string("AssertionError")));
  NW_TRY(std::string message, textParam(node, "msg", std::string()));
  const size_t inputs = node.inputs();
  for (size_t k = 1; k < inputs; ++k)
    if (!isCondition(node.in(k)))
      return node.error(fmt::format("expected scalar conditions, input {} is {}", k, shortText(node.in(k))));
  if (!fits(node.in(0), node.out(0))) return node.error("expected an output of the type of input 0");
  uint64_t conditions = 0;
  for (size_t k = 1; k < inputs && k < 64; ++k) conditions |= uint64_t{1} << k;
  return lowerView(
      node,
      [type, message, inputs](Array* const* in, Array* const* out, Context& context) {
        for (size_t k = 1; k < inputs; ++k)
          if (in[k]->toDouble() == 0) return context.fail(type, message);
        aliasWhole(*in[0], *out[0]);
        out[0]->object = in[0]->object;
        return 0;
      },
      conditions);
}

constexpr std::array kRows{
    OpRow{"OpFromGraph", "control", lowerOpFromGraph, 1, "as the graph",
          "Runs a graph as one node; its nodes are compiled one by one."},
    OpRow{"Blockwise", "control", lowerBlockwise, 1, "tensors",
          "A node of core axes, run for every index of the batch axes, which broadcast."},
    OpRow{"IfElse", "control", lowerIfElse, 1, "condition, then-values, else-values",
          "One branch's values; what only the other branch needs is not computed."},
    OpRow{"CheckAndRaise", "control", lowerCheckAndRaise, 1, "x, conditions",
          "x, if all conditions hold; else the run fails with exc_type and msg."},
};

} // namespace

std::span<const OpRow> controlOps() { return kRows; }

} // namespace nodewise
