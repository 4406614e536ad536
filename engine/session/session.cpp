#include "session/session.h"

#include "cache/cache_file.h"
#include "graph/reader.h"
#include "session/compile.h"
#include "session/node_text.h"
#include "session/opaque.h"
#include "session/session_impl.h"

#include <fmt/format.h>

namespace nodewise {

namespace {

std::string dtypeText(const Graph& graph, const Node& node) {
  if (node.out.empty()) return {};
  const Type& type = outType(graph, node, 0);
  const bool numbers = type.kind == Kind::Tensor || type.kind == Kind::Scalar || type.kind == Kind::Sparse;
  return std::string(numbers ? dtypeName(type.dtype) : kindName(type.kind));
}

} // namespace

void Session::Impl::listNodes(GraphPlan& graph, NodeIndex parent, std::string_view environmentBytes) {
  const size_t first = nodes.size();
  for (size_t n = 0; n < graph.nodes.size(); ++n) {
    const Node& node = graph.graph->nodes[n];
    const PlannedNode& p = graph.nodes[n];
    NodeInfo info;
    info.index = static_cast<NodeIndex>(nodes.size());
    info.parent = parent;
    info.indexInGraph = n;
    info.graph = graph.graph;
    info.path = p.path;
    info.op = node.op;
    info.detail = nodeDetail(*graph.graph, node);
    info.name = node.name;
    info.scope = node.scope;
    info.origin = node.origin;
    info.kind = p.lowered.kind;
    info.reason = p.lowered.reason;
    info.dtype = dtypeText(*graph.graph, node);
    if (info.kind == NodeKind::Kernel) info.key = nodeKeyHash(p.lowered, environmentBytes);
    nodes.push_back(std::move(info));
    planned.push_back(&graph.nodes[n]);
  }
  for (size_t n = 0; n < graph.nodes.size(); ++n)
    if (graph.nodes[n].inner)
      listNodes(*graph.nodes[n].inner, static_cast<NodeIndex>(first + n), environmentBytes);
}

/// Names the graph by what it does: keys and ops of its nodes, and how they hang together.
void Session::Impl::hashGraph() {
  std::string bytes;
  for (const NodeInfo& info : nodes) {
    bytes += info.op;
    bytes.append(reinterpret_cast<const char*>(info.key.bytes.data()), info.key.bytes.size());
    for (const auto* list : {&info.node().in, &info.node().out})
      bytes.append(reinterpret_cast<const char*>(list->data()), list->size() * sizeof(ValueId));
  }
  graphHash = hashBytes(bytes);
}

Session::Session() : m_impl(std::make_unique<Impl>()) {}
Session::~Session() = default;

Result<std::unique_ptr<Session>> Session::open(const std::string& path, SessionSettings settings,
                                               std::shared_ptr<Engine> engine) {
  // Reading the database or its log as a file, and closing it, would end this process's locks on it.
  if (auto cache = resolveCacheSettings(settings.cache); cache.ok())
    for (const char* part : {"", "-wal", "-shm"})
      if (const auto file = fileIdentity(cache->file.value + part); file && file == fileIdentity(path))
        return Error{"is the cache, not a graph", path, "open a graph file (.nwg.json)", {}};
  NW_TRY(GraphFile file, readGraphFile(path));
  return open(std::move(file), std::move(settings), std::move(engine));
}

Result<std::unique_ptr<Session>> Session::open(GraphFile file, SessionSettings settings,
                                               std::shared_ptr<Engine> engine) {
  std::unique_ptr<Session> session(new Session());
  Impl& impl = *session->m_impl;
  impl.file = std::move(file);
  impl.settings = std::move(settings);
  impl.engine = engine ? std::move(engine) : std::make_shared<Engine>(impl.settings.threads);
  auto plan = planGraph(impl.file.graph);
  if (!plan) return impl.file.path.empty() ? plan.error() : within(impl.file.path, plan.error());
  impl.plan = std::move(*plan);
  impl.listNodes(*impl.plan, -1, canonicalBytes(environmentParts(impl.environment())));
  impl.states.resize(impl.nodes.size());
  impl.hashGraph();
  return session;
}

const GraphFile& Session::file() const { return m_impl->file; }
const std::vector<NodeInfo>& Session::nodes() const { return m_impl->nodes; }
const SessionSettings& Session::settings() const { return m_impl->settings; }

NodeState Session::state(NodeIndex node) const {
  std::lock_guard lock(m_impl->mutex);
  return m_impl->states[static_cast<size_t>(node)];
}

std::string Session::whyNotRunnable() const {
  for (const NodeInfo& info : m_impl->nodes)
    if (info.kind == NodeKind::Unsupported)
      return fmt::format("{} {} is unsupported: {}", info.path, info.op, info.reason);
  if (const auto opaque = opaqueInput(m_impl->file.graph))
    return fmt::format("{} ({})", opaque->why, opaque->type);
  return {};
}

} // namespace nodewise
