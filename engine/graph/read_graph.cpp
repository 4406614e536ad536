#include "graph/json_fields.h"
#include "graph/json_text.h"
#include "graph/read_parts.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

namespace nodewise {

using nlohmann::json;

namespace {

/// Ops whose inner graph is part of what they are. Params called "graph" of other ops are one only if they
/// look so.
constexpr std::array<std::string_view, 11> kOpsWithGraph{
    "Blockwise", "CAReduce",     "Elemwise", "MinimizeOp", "MinimizeScalarOp", "OpFromGraph",
    "RootOp",    "RootScalarOp", "Scan",     "composite",  "scalar_loop"};

bool holdsGraph(const std::string& op, const json& param) {
  if (std::find(kOpsWithGraph.begin(), kOpsWithGraph.end(), op) != kOpsWithGraph.end()) return true;
  return param.is_object() && param.contains("nodes") && param.contains("values");
}

/// What a value comes from.
struct Origin {
  enum class Kind : uint8_t { Nothing, Constant, Input, Node } kind = Kind::Nothing;
  size_t index = 0; ///< in the graph's inputs or nodes
};

std::string originText(const Origin& origin) {
  switch (origin.kind) {
  case Origin::Kind::Constant:
    return "a constant";
  case Origin::Kind::Input:
    return fmt::format("inputs[{}]", origin.index);
  case Origin::Kind::Node:
    return fmt::format("an output of nodes[{}]", origin.index);
  case Origin::Kind::Nothing:
    break;
  }
  return "nothing";
}

/// Reads one graph and checks on the way that each value has exactly one origin, which comes before its uses.
class GraphReader {
public:
  GraphReader(json& object, const JsonPath& path, int depth)
      : m_object(object), m_path(path), m_depth(depth) {}

  Result<Graph> read() {
    if (m_depth >= kDeepestGraph)
      return m_path.error(fmt::format("expected graphs within graphs at most {} deep", kDeepestGraph));
    NW_CHECK(expectObject(m_object, m_path, "a graph"));
    NW_CHECK(readValues());
    NW_CHECK(readInputs());
    NW_CHECK(readNodes());
    NW_CHECK(checkOrigins());
    NW_TRY(json::array_t * outputs, requireList(m_object, m_path, "outputs"));
    NW_TRY(m_graph.outputs, readIds(*outputs, m_path / "outputs"));
    NW_CHECK(readUpdates());
    return std::move(m_graph);
  }

private:
  Result<Value> readValue(const json& object, const JsonPath& path) {
    NW_CHECK(expectObject(object, path, "a value"));
    Value value;
    NW_TRY(const json* type, requireField(object, path, "type"));
    NW_TRY(value.type, typeFromJson(*type, path / "type"));
    NW_TRY(value.name, readText(object, path, "name"));
    NW_TRY(value.shared, readFlag(object, path, "shared"));
    const json* constant = findField(object, "const");
    if (constant == nullptr) return value;
    const JsonPath constantPath = path / "const";
    NW_TRY(Data data, dataFromJson(*constant, constantPath));
    NW_CHECK(checkFits(value.type, data, constantPath));
    value.constant = std::make_shared<const Data>(std::move(data));
    return value;
  }

  Result<void> readValues() {
    NW_TRY(json::array_t * list, requireList(m_object, m_path, "values"));
    const JsonPath path = m_path / "values";
    m_graph.values.reserve(list->size());
    m_origins.resize(list->size());
    for (size_t i = 0; i < list->size(); ++i) {
      NW_TRY(Value value, readValue((*list)[i], path[i]));
      if (value.constant) m_origins[i].kind = Origin::Kind::Constant;
      m_graph.values.push_back(std::move(value));
      (*list)[i] = nullptr; // a large file need not be in memory twice
    }
    return {};
  }

  Result<std::vector<ValueId>> readIds(const json::array_t& list, const JsonPath& path) const {
    std::vector<ValueId> ids;
    ids.reserve(list.size());
    const auto last = static_cast<int64_t>(m_graph.values.size()) - 1;
    for (size_t i = 0; i < list.size(); ++i) {
      if (last < 0) return path[i].error("expected no value id, as there are no values");
      NW_TRY(const int64_t id, readInteger(list[i], path[i], 0, last, "a value id"));
      ids.push_back(static_cast<ValueId>(id));
    }
    return ids;
  }

  /// The ids come from `origin`, and from nowhere else.
  Result<void> setOrigins(const std::vector<ValueId>& ids, const JsonPath& path, Origin::Kind kind,
                          size_t node) {
    for (size_t k = 0; k < ids.size(); ++k) {
      Origin& origin = m_origins[static_cast<size_t>(ids[k])];
      if (origin.kind != Origin::Kind::Nothing)
        return path[k].error(
            fmt::format("expected a value without another origin, but value {} is {} already", ids[k],
                        originText(origin)));
      origin = {kind, kind == Origin::Kind::Input ? k : node};
    }
    return {};
  }

  Result<void> readInputs() {
    NW_TRY(json::array_t * list, requireList(m_object, m_path, "inputs"));
    const JsonPath path = m_path / "inputs";
    NW_TRY(m_graph.inputs, readIds(*list, path));
    NW_CHECK(setOrigins(m_graph.inputs, path, Origin::Kind::Input, 0));
    for (size_t i = 0; i < m_graph.values.size(); ++i)
      if (m_graph.values[i].shared && m_origins[i].kind != Origin::Kind::Input) return sharedError(i);
    return {};
  }

  Error sharedError(size_t value) const {
    const JsonPath values = m_path / "values", path = values[value];
    return (path / "shared").error("expected on inputs only, but this value is none");
  }

  Result<void> readNodes() {
    NW_TRY(json::array_t * list, requireList(m_object, m_path, "nodes"));
    const JsonPath path = m_path / "nodes";
    m_graph.nodes.resize(list->size());
    for (size_t i = 0; i < list->size(); ++i) {
      NW_CHECK(readNode((*list)[i], path[i], i));
      (*list)[i] = nullptr;
    }
    return {};
  }

  Result<void> readNode(json& object, const JsonPath& path, size_t index) {
    Node& node = m_graph.nodes[index];
    NW_CHECK(expectObject(object, path, "a node"));
    NW_TRY(node.op, requireText(object, path, "op"));
    NW_TRY(json::array_t * in, requireList(object, path, "in"));
    NW_TRY(json::array_t * out, requireList(object, path, "out"));
    const JsonPath inPath = path / "in", outPath = path / "out";
    NW_TRY(node.in, readIds(*in, inPath));
    for (size_t k = 0; k < node.in.size(); ++k)
      if (m_origins[static_cast<size_t>(node.in[k])].kind == Origin::Kind::Nothing)
        return inPath[k].error(
            fmt::format("expected an input, a constant or an output of an earlier node, but value {} "
                        "is none (nodes stand in topological order)",
                        node.in[k]));
    NW_TRY(node.out, readIds(*out, outPath));
    NW_CHECK(setOrigins(node.out, outPath, Origin::Kind::Node, index));
    NW_TRY(node.name, readText(object, path, "name"));
    NW_TRY(node.scope, readText(object, path, "scope"));
    NW_TRY(node.origin, readText(object, path, "origin"));
    constexpr PairWords kWords{"output position", "input position"};
    NW_TRY(node.destroys, readPairs(object, path, "destroys", node.out.size(), node.in.size(), kWords));
    NW_TRY(node.views, readPairs(object, path, "views", node.out.size(), node.in.size(), kWords));
    return readParams(object, path, node);
  }

  Result<void> readParams(json& object, const JsonPath& path, Node& node) const {
    json* params = findField(object, "params");
    if (params == nullptr) return {};
    const JsonPath paramsPath = path / "params";
    NW_CHECK(expectObject(*params, paramsPath, "parameters"));
    const std::string_view key = innerKey(node.op);
    if (const auto inner = params->find(key); inner != params->end() && holdsGraph(node.op, *inner)) {
      NW_TRY(Graph graph, graphFromJson(*inner, paramsPath / key, m_depth + 1));
      node.inner = std::make_shared<const Graph>(std::move(graph));
      params->erase(inner);
    }
    node.params = std::move(*params);
    return {};
  }

  Result<void> checkOrigins() const {
    const auto lost = std::find_if(m_origins.begin(), m_origins.end(),
                                   [](const Origin& origin) { return origin.kind == Origin::Kind::Nothing; });
    if (lost == m_origins.end()) return {};
    const JsonPath path = m_path / "values";
    return path[static_cast<size_t>(lost - m_origins.begin())].error(
        "expected an origin, but this value is no input, no constant and no node's output");
  }

  Result<void> readUpdates() {
    constexpr PairWords kWords{"input's value id", "output position"};
    NW_TRY(m_graph.updates,
           readPairs(m_object, m_path, "updates", m_graph.values.size(), m_graph.outputs.size(), kWords));
    const JsonPath path = m_path / "updates";
    std::vector<bool> updated(m_graph.values.size());
    for (size_t i = 0; i < m_graph.updates.size(); ++i) {
      const auto [id, output] = m_graph.updates[i];
      const auto input = static_cast<size_t>(id);
      if (m_origins[input].kind != Origin::Kind::Input)
        return path[i].error(
            fmt::format("expected the id of an input, but value {} is {}", id, originText(m_origins[input])));
      if (updated[input])
        return path[i].error(fmt::format("expected one update of an input, but value {} has two", id));
      updated[input] = true;
      NW_CHECK(checkUpdate(path[i], m_graph.values[input].type, outputType(static_cast<size_t>(output))));
    }
    return {};
  }

  const Type& outputType(size_t position) const {
    return m_graph.values[static_cast<size_t>(m_graph.outputs[position])].type;
  }

  /// A shared variable keeps its kind, dtype and rank; what is known of its lengths may differ.
  static Result<void> checkUpdate(const JsonPath& path, const Type& input, const Type& output) {
    if (input.kind == output.kind && input.dtype == output.dtype && input.rank() == output.rank()) return {};
    return path.error(fmt::format("expected an output of the input's type, {}, found {}", shortText(input),
                                  shortText(output)));
  }

  json& m_object;
  const JsonPath& m_path;
  int m_depth;
  Graph m_graph;
  std::vector<Origin> m_origins; ///< of each value
};

} // namespace

Result<Graph> graphFromJson(json& object, const JsonPath& path, int depth) {
  return GraphReader(object, path, depth).read();
}

} // namespace nodewise
