// Building graphs in memory, value by value and node by node.
#pragma once

#include "graph/graph.h"

#include <initializer_list>
#include <string>
#include <utility>
#include <vector>

namespace nodewise {

/// `shape`: lengths, kUnknownLength where they are not known.
Type tensorType(DType dtype, std::vector<int64_t> shape);
/// A machine scalar, which has no axes; not a 0-d tensor.
Type scalarType(DType dtype);

/// A graph under construction; `graph` is complete after every call.
struct GraphBuilder {
  Graph graph;

  ValueId input(Type type, std::string name = {});
  ValueId constant(Type type, Data data, std::string name = {});
  /// A 0-d int64 tensor, or with `scalar` a machine scalar.
  ValueId integer(int64_t value, bool scalar = false);
  /// A new value of that type, given by a new node.
  ValueId apply(std::string op, std::vector<ValueId> in, Type out,
                nlohmann::json params = nlohmann::json::object(), std::shared_ptr<const Graph> inner = {});
  const Type& typeOf(ValueId id) const { return graph.values[static_cast<size_t>(id)].type; }
  Node& lastNode() { return graph.nodes.back(); }

private:
  ValueId add(Value value);
};

} // namespace nodewise
