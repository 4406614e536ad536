#include "graph/graph_builder.h"

#include <cstring>

namespace nodewise {

Type tensorType(DType dtype, std::vector<int64_t> shape) {
  Type type;
  type.kind = Kind::Tensor;
  type.dtype = dtype;
  type.shape = std::move(shape);
  return type;
}

Type scalarType(DType dtype) {
  Type type;
  type.kind = Kind::Scalar;
  type.dtype = dtype;
  return type;
}

ValueId GraphBuilder::add(Value value) {
  graph.values.push_back(std::move(value));
  return static_cast<ValueId>(graph.values.size() - 1);
}

ValueId GraphBuilder::input(Type type, std::string name) {
  const ValueId id = add({std::move(type), std::move(name), {}, false});
  graph.inputs.push_back(id);
  return id;
}

ValueId GraphBuilder::constant(Type type, Data data, std::string name) {
  return add({std::move(type), std::move(name), std::make_shared<const Data>(std::move(data)), false});
}

ValueId GraphBuilder::integer(int64_t value, bool scalar) {
  Tensor tensor{DType::Int64, {}, std::vector<std::byte>(sizeof value)};
  std::memcpy(tensor.bytes.data(), &value, sizeof value);
  return constant(scalar ? scalarType(DType::Int64) : tensorType(DType::Int64, {}), Data{std::move(tensor)});
}

ValueId GraphBuilder::apply(std::string op, std::vector<ValueId> in, Type out, nlohmann::json params,
                            std::shared_ptr<const Graph> inner) {
  const ValueId id = add({std::move(out), {}, {}, false});
  Node node;
  node.op = std::move(op);
  node.params = std::move(params);
  node.inner = std::move(inner);
  node.in = std::move(in);
  node.out = {id};
  graph.nodes.push_back(std::move(node));
  return id;
}

} // namespace nodewise
