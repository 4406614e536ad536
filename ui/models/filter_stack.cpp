#include "ui/models/filter_stack.h"

#include <algorithm>

namespace nodewise::ui {
namespace {

bool sharesNodes(const FilterScope& scope) {
  return std::ranges::any_of(scope.nodeOfRun, [](NodeIndex n) { return n >= 0; });
}

std::vector<bool> onRun(const std::vector<bool>& graph, const FilterScope& scope) {
  if (!sharesNodes(scope)) return {};
  std::vector<bool> run(scope.nodeOfRun.size());
  for (size_t r = 0; r < run.size(); ++r) {
    const NodeIndex n = scope.nodeOfRun[r];
    run[r] = n >= 0 && static_cast<size_t>(n) < graph.size() && graph[static_cast<size_t>(n)];
  }
  return run;
}

std::vector<bool> onGraph(const std::vector<bool>& run, const FilterScope& scope) {
  if (!sharesNodes(scope)) return {};
  std::vector<bool> graph(scope.nodes.size());
  for (size_t r = 0; r < run.size() && r < scope.nodeOfRun.size(); ++r)
    if (const NodeIndex n = scope.nodeOfRun[r]; run[r] && n >= 0 && static_cast<size_t>(n) < graph.size())
      graph[static_cast<size_t>(n)] = true;
  return graph;
}

void resolveQuery(NodeFilterEntry& entry, const FilterScope& scope) {
  entry.graph.clear();
  entry.run.clear();
  const auto filter = parseFilter(entry.query.toStdString());
  if (!filter.ok()) return;
  if (!scope.nodes.empty()) {
    entry.graph.assign(scope.nodes.size(), false);
    for (const NodeIndex n : findNodes(*filter, scope.nodes, scope.states, scope.nowUnix))
      entry.graph[static_cast<size_t>(n)] = true;
    entry.run = onRun(entry.graph, scope);
  }
  if (entry.run.empty() && scope.run) entry.run = findRunNodes(*filter, *scope.run, scope.nowUnix);
}

} // namespace

NodeFilterEntry queryFilter(const QString& query) {
  return {NodeFilterEntry::Of::Query, query.simplified(), query, {}, {}};
}
NodeFilterEntry fieldFilter(const QString& field, const QString& value) {
  QString quoted = value;
  quoted.replace(u'\\', QStringLiteral("\\\\")).replace(u'"', QStringLiteral("\\\""));
  NodeFilterEntry entry = queryFilter(field + QStringLiteral("=\"") + quoted + u'"');
  entry.text = field + u' ' + value;
  return entry;
}
NodeFilterEntry graphFilter(const QString& text, std::vector<bool> nodes) {
  return {NodeFilterEntry::Of::Graph, text, {}, std::move(nodes), {}};
}
NodeFilterEntry runFilter(const QString& text, std::vector<bool> nodes) {
  return {NodeFilterEntry::Of::Run, text, {}, {}, std::move(nodes)};
}

bool resolveFilter(NodeFilterEntry& entry, const FilterScope& scope) {
  switch (entry.of) {
  case NodeFilterEntry::Of::Query:
    resolveQuery(entry, scope);
    return true;
  case NodeFilterEntry::Of::Graph:
    if (entry.graph.size() != scope.nodes.size()) return false;
    entry.run = onRun(entry.graph, scope);
    return true;
  case NodeFilterEntry::Of::Run:
    if (entry.run.size() != scope.nodeOfRun.size()) return false;
    entry.graph = onGraph(entry.run, scope);
    return true;
  }
  return false;
}

std::optional<std::vector<bool>> keptNodes(std::span<const NodeFilterEntry> entries, FilterSide side,
                                           size_t count) {
  std::optional<std::vector<bool>> kept;
  for (const NodeFilterEntry& entry : entries) {
    const std::vector<bool>& nodes = entry.on(side);
    if (nodes.empty()) continue;
    if (!kept) kept.emplace(count, true);
    for (size_t n = 0; n < count; ++n) (*kept)[n] = (*kept)[n] && n < nodes.size() && nodes[n];
  }
  return kept;
}

} // namespace nodewise::ui
