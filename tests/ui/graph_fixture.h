// Graphs for tests of views and models: nodes as a session gives them, without a session.
#pragma once

#include "graph/graph_builder.h"
#include "ui/graph/scene.h"

#include <QGuiApplication>

namespace nodewise::ui::test {

inline std::vector<NodeState> hits(size_t count) {
  NodeState state;
  state.outcome = Outcome::Hit;
  return std::vector<NodeState>(count, state);
}

/// All nodes of a graph and of its inner graphs, outer first.
inline void addNodes(std::vector<NodeInfo>& nodes, const Graph& graph, NodeIndex parent,
                     const std::string& path) {
  const size_t first = nodes.size();
  for (size_t k = 0; k < graph.nodes.size(); ++k) {
    NodeInfo info;
    info.index = static_cast<NodeIndex>(nodes.size());
    info.parent = parent;
    info.indexInGraph = k;
    info.graph = &graph;
    info.path = nodePath(path, k);
    info.op = graph.nodes[k].op;
    info.scope = graph.nodes[k].scope;
    info.name = graph.nodes[k].name;
    info.kind = NodeKind::Kernel;
    info.dtype = "float64";
    nodes.push_back(info);
  }
  for (size_t k = 0; k < graph.nodes.size(); ++k)
    if (graph.nodes[k].inner)
      addNodes(nodes, *graph.nodes[k].inner, static_cast<NodeIndex>(first + k),
               innerPath(path, k, graph.nodes[k]));
}
inline std::vector<NodeInfo> nodesOf(const Graph& graph) {
  std::vector<NodeInfo> nodes;
  addNodes(nodes, graph, -1, "$.graph");
  return nodes;
}

/// x -> exp -> add(exp, y) -> sum, with the exp also read by the output.
inline Graph smallGraph() {
  GraphBuilder b;
  const Type vector = tensorType(DType::Float64, {919}), number = tensorType(DType::Float64, {});
  const ValueId x = b.input(vector, "x"), y = b.input(vector, "y");
  const ValueId e = b.apply("Exp", {x}, vector);
  const ValueId a = b.apply("Add", {e, y}, vector);
  const ValueId s = b.apply("Sum", {a}, number);
  b.graph.outputs = {s, e};
  return b.graph;
}

/// A chain of `length` nodes "Step"; node k stands in scope `scopeOf(k)`.
template <class ScopeOf> Graph chain(int length, ScopeOf scopeOf) {
  GraphBuilder b;
  const Type vector = tensorType(DType::Float64, {4});
  ValueId v = b.input(vector, "x");
  for (int k = 0; k < length; ++k) {
    v = b.apply("Step", {v}, vector);
    b.lastNode().scope = scopeOf(k);
  }
  b.graph.outputs = {v};
  return b.graph;
}

/// before -> Scan(inner: two nodes) -> after
inline Graph graphWithInner() {
  GraphBuilder b;
  const Type vector = tensorType(DType::Float64, {4});
  const auto inner = std::make_shared<const Graph>(chain(2, [](int) { return ""; }));
  const ValueId x = b.input(vector, "x");
  const ValueId before = b.apply("Before", {x}, vector);
  const ValueId scan = b.apply("Scan", {before}, vector, nlohmann::json::object(), inner);
  b.graph.outputs = {b.apply("After", {scan}, vector)};
  return b.graph;
}

inline std::shared_ptr<const SceneSource> sourceOf(std::shared_ptr<const Graph> graph,
                                                   size_t groupAbove = kGroupAbove) {
  std::vector<NodeInfo> nodes = nodesOf(*graph);
  Structure structure = makeStructure(nodes);
  Grouping grouping = makeGrouping(structure, groupAbove);
  return std::make_shared<const SceneSource>(
      SceneSource{std::move(nodes), std::move(structure), std::move(grouping),
                  TextMeasure(QGuiApplication::font()), std::move(graph)});
}
inline std::shared_ptr<const SceneSource> sourceOf(Graph graph, size_t groupAbove = kGroupAbove) {
  return sourceOf(std::make_shared<const Graph>(std::move(graph)), groupAbove);
}

/// dot settings whose program does not exist: the built-in layout, at once.
inline DotSettings noDot() {
  DotSettings settings;
  settings.program = QStringLiteral("no-such-program");
  return settings;
}

} // namespace nodewise::ui::test
