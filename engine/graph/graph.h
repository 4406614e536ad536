// What a function graph is. Plain data; see reader.h for the file and FORMAT for its meaning.
#pragma once

#include "graph/data.h"
#include "graph/type.h"

#include <nlohmann/json.hpp>

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace nodewise {

/// Index of a value in its graph's `values`.
using ValueId = int32_t;

struct Value {
  Type type;
  std::string name;
  std::shared_ptr<const Data> constant; ///< set on constants only
  bool shared = false;                  ///< an input that is a shared variable
};

struct Graph;

/// One application of an op.
struct Node {
  std::string op;
  nlohmann::json params =
      nlohmann::json::object();       ///< all of the file's params but the inner graph; keys sorted
  std::shared_ptr<const Graph> inner; ///< params "graph" (or Blockwise's "core")
  std::vector<ValueId> in, out;
  std::string name, scope, origin;
  std::vector<std::pair<int, int>> destroys, views; ///< (output position, input position)
};

struct Graph {
  std::vector<Value> values;
  std::vector<ValueId> inputs, outputs;
  std::vector<Node> nodes;                  ///< in a topological order
  std::vector<std::pair<int, int>> updates; ///< (input *value id*, output position)
};

/// Inputs of a call with what the graph's producer computed for them.
struct Case {
  std::vector<Data> inputs, outputs;
  std::string raisesType, raisesMessage; ///< set instead of outputs where the producer raised
  std::optional<double> rtol, atol;
  bool random = false;
};

struct GraphFile {
  std::string path; ///< where it was read from; empty for graphs made in memory
  std::string name, source;
  std::string producerName, producerVersion;
  Graph graph;
  std::vector<Case> cases;
};

/// The type of a node's k-th input or output.
inline const Type& inType(const Graph& g, const Node& n, size_t k) {
  return g.values[static_cast<size_t>(n.in[k])].type;
}
inline const Type& outType(const Graph& g, const Node& n, size_t k) {
  return g.values[static_cast<size_t>(n.out[k])].type;
}
/// The key of params under which an op of this name has its inner graph: "graph", but Blockwise's is "core".
inline std::string_view innerKey(std::string_view op) { return op == "Blockwise" ? "core" : "graph"; }
/// JSON path of a node: "$.graph.nodes[3]"; `graphPath` is that of the graph it stands in.
std::string nodePath(const std::string& graphPath, size_t nodeIndex);
/// JSON path of the inner graph of a node: "$.graph.nodes[3].params.graph" (Blockwise: ".core").
std::string innerPath(const std::string& graphPath, size_t nodeIndex, const Node& node);

} // namespace nodewise
