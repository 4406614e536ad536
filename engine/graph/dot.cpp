#include "graph/dot.h"

#include <algorithm>
#include <iterator>
#include <map>

#include <fmt/format.h>

namespace nodewise {

namespace {

/// Text inside a quoted label. JSON's escapes of quotes, backslashes and line ends are Graphviz' own, and its
/// writer replaces what is not UTF-8; beyond that Graphviz reads HTML entities, and has no use for control
/// characters.
std::string escape(std::string_view text) {
  std::string plain(text);
  std::replace_if(
      plain.begin(), plain.end(), [](char c) { return c >= 0 && c < 0x20 && c != '\n'; }, ' ');
  const std::string quoted =
      nlohmann::json(std::move(plain)).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
  std::string out;
  for (const char c : std::string_view(quoted).substr(1, quoted.size() - 2)) {
    if (c == '&')
      out += "&amp;";
    else
      out += c;
  }
  return out;
}

/// The op, and for ops that stand for many (Elemwise, RandomVariable, OpFromGraph) which of them.
std::string nodeLabel(const Node& node) {
  std::string label = node.op;
  for (const char* key : {"scalar_op", "dist", "class"}) {
    const auto it = node.params.find(key);
    if (it != node.params.end() && it->is_string())
      label += fmt::format(" {}", it->get_ref<const std::string&>());
  }
  return node.name.empty() ? label : fmt::format("{}\n{}", node.name, label);
}

class DotWriter {
public:
  DotWriter(const Graph& graph, const DotOptions& options) : m_graph(graph), m_options(options) {}

  std::string write() {
    findOrigins();
    add("digraph nodewise {{\n  rankdir=TB;\n  node [shape=box, fontname=\"sans-serif\"];\n");
    addNodes();
    if (m_options.values) addSources();
    addEdges();
    if (m_options.values) addOutputs();
    add("}}\n");
    return std::move(m_text);
  }

private:
  template <class... Args> void add(fmt::format_string<Args...> format, Args&&... args) {
    fmt::format_to(std::back_inserter(m_text), format, std::forward<Args>(args)...);
  }

  const Value& value(ValueId id) const { return m_graph.values[static_cast<size_t>(id)]; }

  void findOrigins() {
    m_origin.assign(m_graph.values.size(), -1);
    for (size_t i = 0; i < m_graph.nodes.size(); ++i)
      for (const ValueId id : m_graph.nodes[i].out)
        m_origin[static_cast<size_t>(id)] = static_cast<int64_t>(i);
  }

  void addNode(size_t i) {
    add("  n{} [label=\"{}\", style=\"rounded,filled\", fillcolor=\"#FFFFFF\"", i,
        escape(nodeLabel(m_graph.nodes[i])));
    const std::string extra = m_options.nodeAttributes ? m_options.nodeAttributes(i) : std::string();
    if (!extra.empty()) add(", {}", extra);
    add("];\n");
  }

  void addNodes() {
    std::map<std::string_view, std::vector<size_t>> scopes;
    for (size_t i = 0; i < m_graph.nodes.size(); ++i) {
      const std::string& scope = m_graph.nodes[i].scope;
      if (m_options.clusters && !scope.empty())
        scopes[scope].push_back(i);
      else
        addNode(i);
    }
    size_t cluster = 0;
    for (const auto& [scope, members] : scopes) {
      add("  subgraph cluster_{} {{\n  label=\"{}\";\n", cluster++, escape(scope));
      for (const size_t i : members) addNode(i);
      add("  }}\n");
    }
  }

  /// Inputs and constants.
  void addSources() {
    for (const ValueId id : m_graph.inputs)
      addSource(id, value(id).shared ? "shape=cylinder" : "shape=ellipse");
    for (size_t v = 0; v < m_graph.values.size(); ++v)
      if (m_graph.values[v].constant) addSource(static_cast<ValueId>(v), "shape=note");
  }

  void addSource(ValueId id, std::string_view style) {
    const std::string type = shortText(value(id).type);
    const std::string& name = value(id).name;
    add("  v{} [label=\"{}\", {}];\n", id, escape(name.empty() ? type : fmt::format("{}\n{}", name, type)),
        style);
  }

  /// An edge from where a value comes from to `target`.
  void addEdge(ValueId id, std::string_view target) {
    const int64_t node = m_origin[static_cast<size_t>(id)];
    if (node < 0 && !m_options.values) return;
    add("  {}{} -> {}", node < 0 ? 'v' : 'n', node < 0 ? id : node, target);
    if (m_options.edgeLabels) add(" [label=\"{}\"]", escape(shortText(value(id).type)));
    add(";\n");
  }

  void addEdges() {
    for (size_t i = 0; i < m_graph.nodes.size(); ++i)
      for (const ValueId id : m_graph.nodes[i].in) addEdge(id, fmt::format("n{}", i));
  }

  void addOutputs() {
    for (size_t p = 0; p < m_graph.outputs.size(); ++p) {
      const ValueId id = m_graph.outputs[p];
      const std::string& name = value(id).name;
      const std::string label =
          name.empty() ? fmt::format("output {}", p) : fmt::format("output {}\n{}", p, name);
      add("  o{} [label=\"{}\", shape=ellipse, peripheries=2];\n", p, escape(label));
      addEdge(id, fmt::format("o{}", p));
    }
  }

  const Graph& m_graph;
  const DotOptions& m_options;
  std::vector<int64_t> m_origin; ///< of each value: the node that gives it, or -1
  std::string m_text;
};

} // namespace

std::string toDot(const Graph& graph, const DotOptions& options) { return DotWriter(graph, options).write(); }

} // namespace nodewise
