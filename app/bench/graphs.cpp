#include "graphs.h"

#include <cstring>

namespace nodewise::bench {

namespace {

Type float64(std::vector<int64_t> shape, Kind kind = Kind::Tensor) {
  Type type;
  type.kind = kind;
  type.shape = std::move(shape);
  return type;
}

ValueId addValue(Graph& graph, Type type) {
  graph.values.push_back({std::move(type), {}, nullptr, false});
  return static_cast<ValueId>(graph.values.size()) - 1;
}

Node node(std::string op, std::vector<ValueId> in, std::vector<ValueId> out) {
  Node n;
  n.op = std::move(op);
  n.in = std::move(in);
  n.out = std::move(out);
  return n;
}

} // namespace

GraphFile chain(int count) {
  GraphFile file;
  Graph& g = file.graph;
  ValueId last = addValue(g, float64({}));
  g.inputs = {last};
  for (int k = 0; k < count; ++k) {
    const ValueId next = addValue(g, float64({}));
    g.nodes.push_back(node("Elemwise", {last, last}, {next}));
    g.nodes.back().params["scalar_op"] = "add";
    last = next;
  }
  g.outputs = {last};
  return file;
}

GraphFile elementwise(const std::string& scalarOp, int inputs) {
  GraphFile file;
  Graph& g = file.graph;
  for (int k = 0; k < inputs; ++k) g.inputs.push_back(addValue(g, float64({kUnknownLength})));
  const ValueId out = addValue(g, float64({kUnknownLength}));
  g.nodes.push_back(node("Elemwise", g.inputs, {out}));
  g.nodes.back().params["scalar_op"] = scalarOp;
  g.outputs = {out};
  return file;
}

GraphFile sum() {
  GraphFile file;
  Graph& g = file.graph;
  g.inputs = {addValue(g, float64({kUnknownLength}))};
  const ValueId out = addValue(g, float64({}));
  g.nodes.push_back(node("Sum", g.inputs, {out}));
  g.nodes.back().params["axis"] = {0};
  g.outputs = {out};
  return file;
}

GraphFile distinctNodes(int count) {
  GraphFile file;
  Graph& g = file.graph;
  ValueId last = addValue(g, float64({kUnknownLength}));
  g.inputs = {last};
  for (int k = 0; k < count; ++k) {
    auto inner = std::make_shared<Graph>();
    const ValueId x = addValue(*inner, float64({}, Kind::Scalar)),
                  c = addValue(*inner, float64({}, Kind::Scalar));
    Tensor tensor;
    tensor.bytes.resize(sizeof(double));
    const double value = 1.0 + k;
    std::memcpy(tensor.bytes.data(), &value, sizeof value);
    inner->values[static_cast<size_t>(c)].constant = std::make_shared<const Data>(Data{tensor});
    const ValueId product = addValue(*inner, float64({}, Kind::Scalar)),
                  e = addValue(*inner, float64({}, Kind::Scalar));
    inner->inputs = {x};
    inner->nodes.push_back(node("mul", {x, c}, {product}));
    inner->nodes.push_back(node("tanh", {product}, {e}));
    inner->outputs = {e};
    const ValueId next = addValue(g, float64({kUnknownLength}));
    g.nodes.push_back(node("Elemwise", {last}, {next}));
    g.nodes.back().params["scalar_op"] = "composite";
    g.nodes.back().inner = std::move(inner);
    last = next;
  }
  g.outputs = {last};
  return file;
}

} // namespace nodewise::bench
