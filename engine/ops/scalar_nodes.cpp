// Scalar ops as nodes of their own, on `scalar` values (and tensors of rank 0): kernels of one element.
#include "codegen/elementwise_loop.h"
#include "ops/families.h"
#include "ops/params.h"
#include "ops/scalar_graph.h"

#include <fmt/format.h>

namespace nodewise {
namespace {

bool isNumber(const Type& type) {
  return (type.kind == Kind::Scalar || type.kind == Kind::Tensor) && type.rank() == 0;
}

Result<Lowered> lowerScalarNode(const NodeView& node) {
  auto shared = std::make_shared<ScalarProgram>();
  for (size_t k = 0; k < node.inputs(); ++k)
    if (!isNumber(node.in(k)))
      return node.error(fmt::format("expected scalars, input {} is {}", k, shortText(node.in(k))));
  for (size_t k = 0; k < node.outputs(); ++k)
    if (!isNumber(node.out(k)))
      return node.error(fmt::format("expected scalars, output {} is {}", k, shortText(node.out(k))));
  NW_TRY(*shared, parseScalarProgram(node, node.node.op));
  if (!shared->unsupported.empty()) return Lowered::unsupported(shared->unsupported);

  Lowered lowered;
  lowered.kind = NodeKind::Kernel;
  // The same code as that of an Elemwise of one element, and so the same key.
  lowered.keyParts = opParts("Elemwise", kElementwiseVersion);
  for (KeyPart& part : scalarKeyParts(*shared)) lowered.keyParts.push_back(std::move(part));
  codegen::ElementwiseShape loop;
  loop.single = true;
  loop.outputs = shared->outputs;
  for (size_t k = 0; k < node.inputs(); ++k) {
    loop.inputs.push_back({shared->inputs[k], false, -1});
    lowered.keyParts.push_back({fmt::format("input {}", k), std::string(dtypeName(shared->inputs[k]))});
  }
  for (size_t k = 0; k < node.outputs(); ++k)
    lowered.keyParts.push_back({fmt::format("output {}", k), std::string(dtypeName(shared->outputs[k]))});
  lowered.keyParts.push_back({"loop", "single element"});
  lowered.shape = [](Array* const*, Array* const*, Context&) { return 0; };
  lowered.emit = [shared, loop](codegen::Emitter& emitter) -> Result<void> {
    codegen::emitElementwise(emitter, loop,
                             [&](codegen::ScalarBuilder& s, std::span<const codegen::ScalarValue> in) {
                               return emitScalarProgram(s, *shared, in);
                             });
    return {};
  };
  return lowered;
}

} // namespace

std::span<const OpRow> scalarNodeOps() {
  static const std::vector<OpRow> rows = [] {
    std::vector<OpRow> out;
    for (const ScalarOpRow& row : scalarOpTable())
      out.push_back({row.name, "scalar", lowerScalarNode, row.version, "scalars", row.doc});
    out.push_back({"composite", "scalar", lowerScalarNode, 1, "scalars", "A graph of scalar ops as one."});
    out.push_back({"scalar_loop", "scalar", lowerScalarNode, 1, "steps, states, constants",
                   "A scalar graph run n times, each result becoming the next states."});
    return out;
  }();
  return rows;
}

} // namespace nodewise
