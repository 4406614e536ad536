#include "session/run_diff.h"

#include <algorithm>
#include <functional>
#include <map>
#include <string>

namespace nodewise {

namespace {

constexpr NodeChangeRow kChanges[] = {
    {NodeChange::Gone, '-', "gone", "Only the earlier run has it."},
    {NodeChange::New, '+', "new", "Only the later run has it."},
    {NodeChange::Outcome, '*', "outcome", "Its lookup came out otherwise."},
    {NodeChange::Key, '~', "key", "The same outcome under another key."},
    {NodeChange::Same, '=', "same", "The same key and the same outcome."},
};

/// Pairs what is not paired yet, by one property after the other.
class Matching {
public:
  Matching(const RunRecord& before, const RunRecord& after)
      : m_before(before.nodes), m_after(after.nodes), pairOf(after.nodes.size()), by(after.nodes.size()),
        m_taken(before.nodes.size(), false) {}

  using Name = std::function<std::string(const RunNode&)>; ///< empty: the node has none

  /// Nodes of one name, the first with the first, the second with the second; `once`: only names that stand
  /// once.
  void match(MatchedBy how, const Name& name, bool once) {
    std::map<std::string, std::vector<size_t>> open;
    for (size_t b = 0; b < m_before.size(); ++b)
      if (!m_taken[b])
        if (std::string text = name(m_before[b]); !text.empty()) open[std::move(text)].push_back(b);
    std::map<std::string, std::vector<size_t>> wanted;
    for (size_t a = 0; a < m_after.size(); ++a)
      if (!pairOf[a])
        if (std::string text = name(m_after[a]); open.contains(text)) wanted[std::move(text)].push_back(a);
    for (const auto& [text, after] : wanted) {
      const std::vector<size_t>& before = open[text];
      if (once && (before.size() != 1 || after.size() != 1)) continue;
      for (size_t k = 0; k < std::min(before.size(), after.size()); ++k) {
        pairOf[after[k]] = before[k];
        by[after[k]] = how;
        m_taken[before[k]] = true;
      }
    }
  }
  bool taken(size_t before) const { return m_taken[before]; }

private:
  const std::vector<RunNode>&m_before, &m_after;

public:
  std::vector<std::optional<size_t>> pairOf; ///< by position in `after`
  std::vector<MatchedBy> by;

private:
  std::vector<bool> m_taken;
};

std::string structureText(const RunNode& node) {
  if (!node.structure) return {};
  return std::string(reinterpret_cast<const char*>(node.structure->data()), node.structure->size());
}

/// Nodes without a key are told by what can be seen of them.
std::string looksText(const RunNode& node) {
  return node.op + '\n' + node.label + '\n' + node.dtype + '\n' + node.kind;
}

NodeDiff compared(const RunRecord& before, const RunRecord& after, size_t b, size_t a, MatchedBy matched) {
  const RunNode &was = before.nodes[b], &is = after.nodes[a];
  NodeDiff diff{b, a, matched};
  diff.change = was.outcome != is.outcome ? NodeChange::Outcome
                : was.key != is.key       ? NodeChange::Key
                                          : NodeChange::Same;
  diff.compileDiff = is.phases.compile() - was.phases.compile();
  diff.totalDiff = is.phases.total() - was.phases.total();
  if (was.calls > 0 && is.calls > 0) diff.runDiff = is.runNs / is.calls - was.runNs / was.calls;
  return diff;
}

} // namespace

std::span<const NodeChangeRow> nodeChangeTable() { return kChanges; }
const NodeChangeRow& nodeChangeRow(NodeChange change) { return kChanges[static_cast<size_t>(change)]; }

std::string_view matchedByName(MatchedBy matched) {
  constexpr std::string_view names[] = {"", "name", "structure", "place"};
  return names[static_cast<size_t>(matched)];
}

RunDiff diffRuns(const RunRecord& before, const RunRecord& after) {
  Matching m(before, after);
  const auto withPlace = [](std::string text, const RunNode& node) {
    return text.empty() ? text : text + '\n' + node.path;
  };
  m.match(
      MatchedBy::Name, [](const RunNode& n) { return n.name.empty() ? "" : n.op + '\n' + n.name; }, true);
  m.match(
      MatchedBy::Structure, [&](const RunNode& n) { return withPlace(structureText(n), n); }, false);
  m.match(MatchedBy::Structure, structureText, false);
  m.match(
      MatchedBy::Place, [&](const RunNode& n) { return withPlace(looksText(n), n); }, false);
  m.match(MatchedBy::Place, looksText, false);
  m.match(
      MatchedBy::Place, [&](const RunNode& n) { return withPlace(n.op, n); }, false);
  m.match(
      MatchedBy::Place, [](const RunNode& n) { return n.op; }, false);

  RunDiff diff;
  size_t nextBefore = 0; // what is gone before it has been listed
  const auto listGone = [&](size_t until) {
    for (; nextBefore < until; ++nextBefore) {
      if (m.taken(nextBefore)) continue;
      const RunNode& was = before.nodes[nextBefore];
      diff.nodes.push_back(
          {nextBefore, {}, MatchedBy::Nothing, NodeChange::Gone, -was.phases.compile(), -was.phases.total()});
    }
  };
  for (size_t a = 0; a < after.nodes.size(); ++a) {
    if (m.pairOf[a]) {
      listGone(*m.pairOf[a]);
      diff.nodes.push_back(compared(before, after, *m.pairOf[a], a, m.by[a]));
    } else {
      const RunNode& is = after.nodes[a];
      diff.nodes.push_back(
          {{}, a, MatchedBy::Nothing, NodeChange::New, is.phases.compile(), is.phases.total()});
    }
  }
  listGone(before.nodes.size());
  for (const NodeDiff& node : diff.nodes) {
    ++diff.counts[static_cast<size_t>(node.change)];
    diff.compileDiff += node.compileDiff;
    diff.totalDiff += node.totalDiff;
  }
  diff.wallDiff = after.run.wallNs - before.run.wallNs;
  diff.savedDiff = after.run.savedNs - before.run.savedNs;
  return diff;
}

} // namespace nodewise
