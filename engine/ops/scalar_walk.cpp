#include "ops/scalar_walk.h"

namespace nodewise {

std::vector<DType> dtypesOf(const Graph& graph, const std::vector<ValueId>& ids) {
  std::vector<DType> out;
  for (ValueId id : ids) out.push_back(graph.values[static_cast<size_t>(id)].type.dtype);
  return out;
}

Result<bool> asWhileOf(const Node& node, const std::string& path) {
  const auto found = node.params.find("as_while");
  if (found == node.params.end()) return false;
  if (!found->is_boolean())
    return Error{"expected true or false, found " + found->dump(), path + ".params.as_while", {}, {}};
  return found->get<bool>();
}

bool stopsWhenDone(const Node& node) {
  if (node.op != "scalar_loop") return false;
  const Result<bool> asWhile = asWhileOf(node, {});
  return asWhile && *asWhile;
}

const Tensor* constantOf(const Value& value) { return value.constant ? value.constant->tensor() : nullptr; }

void visitOps(const Graph& graph, const std::function<void(const Node&)>& visit) {
  for (const Node& node : graph.nodes) {
    visit(node);
    if (node.inner) visitOps(*node.inner, visit);
  }
}

} // namespace nodewise
