#include "session/cascade.h"

#include "cache/inner_words.h"
#include "cache/run_history.h"
#include "cache/show.h"
#include "cache/words.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <map>
#include <set>

namespace nodewise {

namespace {

bool misses(const ExplainedNode& node) { return node.outcome != Outcome::Hit; }

std::string differenceText(const PartDiff& diff) {
  return fmt::format("{}: {}", diff.name, changeWords(diff));
}

/// "input 3" gives 3.
std::optional<size_t> inputOf(std::string_view part) {
  constexpr std::string_view prefix = "input ";
  if (!part.starts_with(prefix)) return {};
  part.remove_prefix(prefix.size());
  size_t k = 0;
  const auto [end, error] = std::from_chars(part.data(), part.data() + part.size(), k);
  if (error != std::errc() || end != part.data() + part.size()) return {};
  return k;
}

/// Whether an input's value is another one: of another type, or broadcast otherwise. Absent on one side
/// (another number of inputs), or written in place or not, says nothing about what makes the input.
bool isOtherValue(const PartDiff& diff) {
  constexpr std::string_view inPlace = " in place";
  const auto type = [&](const std::string& part) { return part.substr(0, part.find(inPlace)); };
  return !diff.oldValue.empty() && !diff.newValue.empty() && type(diff.oldValue) != type(diff.newValue);
}

/// Whether a node computes something else than the nearest entry, whatever is computed before it.
bool computesOther(std::span<const PartDiff> differences) {
  return std::ranges::any_of(differences, [](const PartDiff& diff) {
    if (diff.name == "inner graph") return !sameOps(diff.oldValue, diff.newValue);
    return diff.name == "op" || diff.name == "scalar op";
  });
}

/// The difference that says most: what is computed, before the versions of how.
const PartDiff& tellingDifference(const std::vector<PartDiff>& differences) {
  const auto found =
      std::ranges::find_if(differences, [](const PartDiff& d) { return !isStalePart(d.name); });
  return found == differences.end() ? differences.front() : *found;
}

/// Where a value comes from: kernel nodes, or an input of the graph.
struct Origin {
  std::vector<NodeIndex> kernels;
  std::vector<std::string> inputs; ///< their names
};

class Origins {
public:
  explicit Origins(std::span<const NodeInfo> nodes) : m_nodes(nodes) {
    for (const NodeInfo& info : nodes)
      for (const ValueId v : info.node().out) m_maker[{info.graph, v}] = info.index;
  }

  Origin of(const Graph& graph, ValueId value) const {
    Origin origin;
    std::set<ValueId> seen;
    walk(graph, value, origin, seen);
    return origin;
  }

private:
  void walk(const Graph& graph, ValueId value, Origin& origin, std::set<ValueId>& seen) const {
    // By hand, since chains of views can be long.
    std::vector<ValueId> todo{value};
    while (!todo.empty()) {
      const ValueId v = todo.back();
      todo.pop_back();
      if (!seen.insert(v).second) continue;
      const auto maker = m_maker.find({&graph, v});
      if (maker == m_maker.end()) {
        const Value& input = graph.values[static_cast<size_t>(v)];
        if (!input.constant)
          origin.inputs.push_back(input.name.empty() ? fmt::format("value {}", v) : input.name);
        continue;
      }
      const NodeInfo& info = m_nodes[static_cast<size_t>(maker->second)];
      if (info.kind == NodeKind::Kernel)
        origin.kernels.push_back(info.index);
      else
        for (const ValueId in : info.node().in) todo.push_back(in);
    }
  }

  std::span<const NodeInfo> m_nodes;
  std::map<std::pair<const Graph*, ValueId>, NodeIndex> m_maker;
};

struct Cause {
  std::optional<NodeIndex> node; ///< the miss that this one follows
  std::string shared;            ///< or what it has in common with others
};                               ///< neither: a root of its own

class Causes {
public:
  Causes(std::span<const NodeInfo> nodes, std::span<const ExplainedNode> explained)
      : m_nodes(nodes), m_origins(nodes) {
    for (const ExplainedNode& node : explained)
      if (misses(node)) m_explained[node.node] = &node;
  }

  Cause of(const ExplainedNode& node) const {
    if (node.differences.empty())
      return {{}, node.reason.empty() ? "nothing comparable in the cache" : node.reason};
    const bool follows = !computesOther(node.differences);
    for (const PartDiff& diff : node.differences)
      if (const auto k = inputOf(diff.name); follows && k && isOtherValue(diff))
        if (const Cause cause = ofInput(node, *k, diff); cause.node || !cause.shared.empty()) return cause;
    const bool environment =
        std::ranges::all_of(node.differences, [](const PartDiff& d) { return isStalePart(d.name); });
    if (!environment) return {node.sameAs, {}};
    std::string text;
    for (const PartDiff& diff : node.differences) text += (text.empty() ? "" : "; ") + differenceText(diff);
    return {{}, text};
  }

private:
  Cause ofInput(const ExplainedNode& node, size_t k, const PartDiff& diff) const {
    const NodeInfo& info = m_nodes[static_cast<size_t>(node.node)];
    if (k >= info.node().in.size()) return {};
    const Origin origin = m_origins.of(*info.graph, info.node().in[k]);
    for (const NodeIndex maker : origin.kernels) {
      const auto found = m_explained.find(maker);
      if (found == m_explained.end() || maker == node.node) continue;
      const bool other = std::ranges::any_of(found->second->differences,
                                             [](const PartDiff& d) { return d.name.starts_with("output "); });
      if (other) return {maker, {}};
    }
    if (origin.inputs.empty()) return {};
    return {{},
            fmt::format("input {} of {}: was {}, now {}", fmt::join(origin.inputs, ", "),
                        info.parent < 0 ? "the graph" : "the inner graph", diff.oldValue, diff.newValue)};
  }

  std::span<const NodeInfo> m_nodes;
  Origins m_origins;
  std::map<NodeIndex, const ExplainedNode*> m_explained;
};

/// Items in the order of the tree, dearest first.
class Ordered {
public:
  explicit Ordered(std::vector<CascadeItem> items) : m_items(std::move(items)) {}

  std::vector<CascadeItem> take() {
    std::vector<int32_t> roots;
    for (size_t i = 0; i < m_items.size(); ++i)
      if (m_items[i].parent < 0) roots.push_back(static_cast<int32_t>(i));
    sort(roots);
    std::vector<std::pair<int32_t, int32_t>> todo; // item, its parent's new place
    for (auto root = roots.rbegin(); root != roots.rend(); ++root) todo.emplace_back(*root, -1);
    std::vector<CascadeItem> out;
    while (!todo.empty()) {
      const auto [at, parent] = todo.back();
      todo.pop_back();
      CascadeItem& item = m_items[static_cast<size_t>(at)];
      sort(item.children);
      const auto place = static_cast<int32_t>(out.size());
      for (auto child = item.children.rbegin(); child != item.children.rend(); ++child)
        todo.emplace_back(*child, place);
      if (parent >= 0) out[static_cast<size_t>(parent)].children.push_back(place);
      item.parent = parent;
      item.children.clear();
      out.push_back(std::move(item));
    }
    return out;
  }

private:
  void sort(std::vector<int32_t>& items) const {
    std::ranges::stable_sort(items, [&](int32_t a, int32_t b) {
      const CascadeItem &x = m_items[static_cast<size_t>(a)], &y = m_items[static_cast<size_t>(b)];
      return std::pair(x.costNs, x.nodes) > std::pair(y.costNs, y.nodes);
    });
  }
  std::vector<CascadeItem> m_items;
};

} // namespace

std::vector<CascadeItem> cascade(std::span<const NodeInfo> nodes, std::span<const ExplainedNode> explained) {
  const Causes causes(nodes, explained);
  std::vector<CascadeItem> items;
  std::map<std::string, int32_t> shared;
  std::map<NodeIndex, int32_t> itemOf;
  std::vector<Cause> causeOf;
  for (const ExplainedNode& node : explained) {
    if (!misses(node)) continue;
    itemOf[node.node] = static_cast<int32_t>(items.size());
    const NodeInfo& info = nodes[static_cast<size_t>(node.node)];
    items.push_back({nodeTitle(info.op, info.detail), node.node, -1, {}, 1, node.costNs, info.path});
    causeOf.push_back(causes.of(node));
    // A root says why it is one.
    const Cause& cause = causeOf.back();
    if (!cause.shared.empty() && node.sameAs)
      if (const auto same = itemOf.find(*node.sameAs);
          same != itemOf.end() && causeOf[static_cast<size_t>(same->second)].shared == cause.shared)
        causeOf.back() = {node.sameAs, {}};
    if (cause.node && cause.node == node.sameAs) {
      items.back().text += " - of the same key";
      items.back().ofKey = true;
    }
    if (!cause.node && cause.shared.empty() && !node.differences.empty())
      items.back().text += " - " + differenceText(tellingDifference(node.differences));
  }
  for (size_t i = 0; i < causeOf.size(); ++i) {
    const Cause& cause = causeOf[i];
    if (const auto above = cause.node ? itemOf.find(*cause.node) : itemOf.end(); above != itemOf.end()) {
      items[i].parent = above->second;
    } else if (!cause.shared.empty()) {
      const auto [at, isNew] = shared.try_emplace(cause.shared, static_cast<int32_t>(items.size()));
      if (isNew) items.push_back({cause.shared, {}, -1, {}, 0, 0});
      items[i].parent = at->second;
    }
  }
  for (size_t i = 0; i < items.size(); ++i)
    if (items[i].parent >= 0)
      items[static_cast<size_t>(items[i].parent)].children.push_back(static_cast<int32_t>(i));
  // Sums: each node counts in all that stand above it. Graphs have no cycles, so neither has the tree.
  std::vector<int64_t> own;
  for (const CascadeItem& item : items) own.push_back(item.costNs);
  for (size_t i = 0; i < causeOf.size(); ++i)
    for (int32_t at = items[i].parent; at >= 0; at = items[static_cast<size_t>(at)].parent) {
      ++items[static_cast<size_t>(at)].nodes;
      items[static_cast<size_t>(at)].costNs += own[i];
    }
  return Ordered(std::move(items)).take();
}

std::optional<NodeIndex> FirstOfKey::of(const Hash& key, NodeIndex node) {
  const auto [at, isNew] = m_first.try_emplace(key, node);
  return isNew ? std::nullopt : std::optional(at->second);
}

Result<std::vector<ExplainedNode>> explainNodes(Session& session, const Pretend& pretend,
                                                std::stop_token stop) {
  std::vector<ExplainedNode> all;
  FirstOfKey first;
  for (const NodeInfo& info : session.nodes()) {
    if (info.kind != NodeKind::Kernel) continue;
    if (stop.stop_requested()) return Error{"cancelled", {}, {}, "Cancelled"};
    NW_TRY(Explanation e, session.explain(info.index, pretend));
    const std::optional<NodeIndex> sameAs = first.of(e.key.hash, info.index);
    all.push_back({info.index, e.answer.outcome, std::move(e.answer.reason), std::move(e.differences),
                   sameAs ? 0 : e.nearestCompileNs, sameAs});
  }
  return all;
}

Result<std::vector<ExplainedNode>> explainRun(Store& store, const RunRecord& record) {
  std::vector<ExplainedNode> all;
  std::map<Hash, std::optional<EntryDetail>> entries; // equal nodes share keys
  const auto entry = [&](const Hash& key) -> const std::optional<EntryDetail>& {
    const auto [at, isNew] = entries.try_emplace(key);
    if (isNew)
      if (Result<EntryDetail> detail = showEntry(store, key)) at->second = std::move(*detail);
    return at->second;
  };
  FirstOfKey first;
  for (const RunNode& node : record.nodes) {
    if (!node.outcome || !node.key) continue;
    const auto index = static_cast<NodeIndex>(node.position);
    const std::optional<NodeIndex> sameAs = first.of(*node.key, index);
    ExplainedNode explained{index, *node.outcome, node.reason, {}, sameAs ? 0 : node.recordedNs, sameAs};
    if (misses(explained) && node.nearest) {
      const auto& own = entry(*node.key);
      const auto& near = entry(*node.nearest);
      if (own && near)
        explained.differences = diffParts(near->parts, own->parts);
      else if (!node.changedPart.empty())
        explained.differences = {{node.changedPart, node.oldValue, node.newValue}};
    }
    all.push_back(std::move(explained));
  }
  return all;
}

} // namespace nodewise
