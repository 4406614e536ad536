#include "session/cost_tree.h"

#include "cache/words.h"
#include "session/phase_table.h"

#include <algorithm>
#include <map>

namespace nodewise {

namespace {

constexpr CostKindRow kKinds[] = {
    {CostKind::Compile, "compile", "time of all phases in this run"},
    {CostKind::Run, "run", "time of the profiled calls"},
    {CostKind::Saved, "saved", "recorded compile time of the hits"},
};

class Builder {
public:
  explicit Builder(std::string root) { m_tree.push_back({std::move(root), -1, {}, 0, {}}); }

  int32_t child(int32_t parent, const std::string& name, std::optional<size_t> node = {}) {
    return child(parent, name, name, node);
  }
  /// A node of a record: others may have its title, none has its path.
  int32_t nodeChild(int32_t parent, const RunNode& node, size_t at) {
    const int32_t made = child(parent, node.path, nodeTitle(node.op, node.label), at);
    m_tree[static_cast<size_t>(made)].path = node.path;
    return made;
  }
  void add(int32_t at, int64_t cost) {
    for (; at >= 0; at = m_tree[static_cast<size_t>(at)].parent) m_tree[static_cast<size_t>(at)].cost += cost;
  }
  std::vector<CostTreeNode> take() {
    for (CostTreeNode& node : m_tree)
      std::ranges::stable_sort(node.children, std::greater{},
                               [&](int32_t c) { return m_tree[static_cast<size_t>(c)].cost; });
    return std::move(m_tree);
  }

private:
  int32_t child(int32_t parent, const std::string& key, const std::string& name, std::optional<size_t> node) {
    const auto [at, isNew] = m_children.try_emplace({parent, key}, static_cast<int32_t>(m_tree.size()));
    if (isNew) {
      m_tree[static_cast<size_t>(parent)].children.push_back(at->second);
      m_tree.push_back({name, parent, {}, 0, node});
    }
    return at->second;
  }

  std::vector<CostTreeNode> m_tree;
  std::map<std::pair<int32_t, std::string>, int32_t> m_children;
};

int32_t scopeOf(Builder& builder, int32_t at, const std::string& scope) {
  for (size_t from = 0; from < scope.size();) {
    const size_t slash = std::min(scope.find('/', from), scope.size());
    if (slash > from) at = builder.child(at, scope.substr(from, slash - from));
    from = slash + 1;
  }
  return at;
}

/// The path of the control node whose inner graph a node stands in: "$.graph.nodes[3]" of
/// "$.graph.nodes[3].inner.nodes[0]"; empty for nodes of the outer graph.
std::string outerPath(const std::string& path) {
  const size_t last = path.rfind(".nodes[");
  const size_t before = last == std::string::npos ? last : path.rfind(']', last);
  return before == std::string::npos ? std::string() : path.substr(0, before + 1);
}

/// Run times without those of the nodes within: a control node's time has them in it.
std::vector<int64_t> ownRunTimes(const RunRecord& record) {
  std::map<std::string_view, size_t> at;
  std::vector<int64_t> own;
  for (size_t n = 0; n < record.nodes.size(); ++n) {
    at.emplace(record.nodes[n].path, n);
    own.push_back(record.nodes[n].runNs);
  }
  for (const RunNode& node : record.nodes)
    if (const auto outer = at.find(outerPath(node.path)); outer != at.end())
      own[outer->second] = std::max<int64_t>(0, own[outer->second] - node.runNs);
  return own;
}

std::string rootName(const RunRecord& record) {
  const std::string& file = record.run.file;
  const std::string name = file.substr(file.find_last_of('/') + 1);
  return name.empty() ? "graph" : name;
}

} // namespace

std::span<const CostKindRow> costKindTable() { return kKinds; }

std::vector<CostTreeNode> costTree(const RunRecord& record, CostKind kind, const std::vector<bool>* only) {
  Builder builder(rootName(record));
  const std::vector<int64_t> own = kind == CostKind::Run ? ownRunTimes(record) : std::vector<int64_t>();
  const std::vector<int64_t> saved = savedTimes(record);
  for (size_t n = 0; n < record.nodes.size(); ++n) {
    if (only && (n >= only->size() || !(*only)[n])) continue;
    const RunNode& node = record.nodes[n];
    const int64_t cost = kind == CostKind::Compile ? node.phases.total()
                         : kind == CostKind::Run   ? own[n]
                                                   : saved[n];
    if (cost <= 0) continue;
    const int32_t op = builder.child(scopeOf(builder, 0, node.scope), node.op);
    const int32_t at = builder.nodeChild(op, node, n);
    if (kind != CostKind::Compile) {
      builder.add(at, cost);
      continue;
    }
    for (const PhaseRow& phase : kPhaseTable)
      if (const int64_t ns = node.phases.*phase.time; ns > 0)
        builder.add(builder.child(at, std::string(phase.name), n), ns);
  }
  return builder.take();
}

std::string foldedStacks(const std::vector<CostTreeNode>& tree) {
  std::string out;
  for (size_t t = 0; t < tree.size(); ++t) {
    if (!tree[t].children.empty() || tree[t].cost <= 0) continue;
    std::string stack;
    for (auto at = static_cast<int32_t>(t); at >= 0; at = tree[static_cast<size_t>(at)].parent) {
      const CostTreeNode& frame = tree[static_cast<size_t>(at)];
      // Frames of one name are one frame to other programs.
      std::string name = frame.path.empty() ? frame.name : frame.name + " (" + frame.path + ")";
      std::ranges::replace(name, ';', ','); // what separates frames
      std::ranges::replace(name, '\n', ' ');
      stack = stack.empty() ? name : name + ';' + stack;
    }
    out += stack + ' ' + std::to_string(tree[t].cost) + '\n';
  }
  return out;
}

} // namespace nodewise
