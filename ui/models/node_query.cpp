#include "ui/models/node_query.h"

#include <algorithm>

namespace nodewise::ui {
namespace {

int64_t rankOf(const NodeInfo& info) {
  const Node& node = info.node();
  if (node.out.empty()) return -1;
  const Type& type = info.graph->values[static_cast<size_t>(node.out.front())].type;
  switch (type.kind) {
  case Kind::Tensor:
  case Kind::Sparse:
    return type.rank();
  case Kind::Scalar:
    return 0;
  default:
    return -1;
  }
}

int64_t ageOf(int64_t createdUnix, int64_t nowUnix) {
  return createdUnix > 0 && nowUnix > 0 ? std::max<int64_t>(nowUnix - createdUnix, 0) : -1;
}

bool asksFor(const Filter& filter, FilterField field) {
  return std::ranges::any_of(filter.terms, [=](const FilterTerm& t) { return t.field == field; });
}

/// A node has more words than an entry: its own name, its scope and where it was made.
void joinWords(std::string& label, std::initializer_list<const std::string*> words) {
  label.clear();
  for (const std::string* word : words) {
    if (word->empty()) continue;
    if (!label.empty()) label += ' ';
    label += *word;
  }
}

} // namespace

std::vector<NodeIndex> findNodes(const Filter& filter, std::span<const NodeInfo> nodes,
                                 std::span<const NodeState> states, int64_t nowUnix) {
  std::vector<NodeIndex> found;
  const bool byKey = asksFor(filter, FilterField::Key);
  std::string label, key;
  for (size_t n = 0; n < nodes.size() && n < states.size(); ++n) {
    const NodeInfo& info = nodes[n];
    const NodeState& state = states[n];
    joinWords(label, {&info.detail, &info.name, &info.scope, &info.origin});
    FilterSubject subject;
    if (byKey && info.kind == NodeKind::Kernel) {
      key = info.key.hex();
      subject.keyHex = key;
    }
    subject.op = info.op;
    subject.label = label;
    subject.dtype = info.dtype;
    subject.state = statusRow(statusOf(info, state)).name;
    subject.reason = state.reason;
    subject.name = info.name;
    subject.scope = info.scope;
    subject.rank = rankOf(info);
    subject.costNs = state.recordedCompileNs;
    subject.sizeBytes = state.objectBytes;
    subject.hits = state.hits;
    subject.ageSeconds = state.outcome == Outcome::Hit ? ageOf(state.nearestCreatedUnix, nowUnix) : -1;
    if (matches(filter, subject)) found.push_back(info.index);
  }
  return found;
}

std::vector<bool> findRunNodes(const Filter& filter, const RunRecord& run, int64_t nowUnix) {
  std::vector<bool> found(run.nodes.size());
  const bool byKey = asksFor(filter, FilterField::Key);
  std::string label, key;
  for (size_t n = 0; n < run.nodes.size(); ++n) {
    const RunNode& node = run.nodes[n];
    joinWords(label, {&node.label, &node.name, &node.scope});
    FilterSubject subject;
    if (byKey && node.key) {
      key = node.key->hex();
      subject.keyHex = key;
    }
    subject.op = node.op;
    subject.label = label;
    subject.dtype = node.dtype;
    subject.state = node.outcome ? outcomeRow(*node.outcome).name : std::string_view(node.kind);
    subject.reason = node.reason;
    subject.name = node.name;
    subject.scope = node.scope;
    subject.costNs = std::max(node.recordedNs, node.phases.compile());
    subject.sizeBytes = node.objectBytes;
    subject.ageSeconds = node.outcome == Outcome::Hit ? ageOf(node.nearestCreatedUnix, nowUnix) : -1;
    found[n] = matches(filter, subject);
  }
  return found;
}

std::vector<bool> findRuns(const Filter& filter, std::span<const RunRow> runs, int64_t nowUnix) {
  std::vector<bool> found(runs.size());
  for (size_t r = 0; r < runs.size(); ++r) {
    const RunRow& run = runs[r];
    FilterSubject subject;
    subject.op = run.command;
    subject.label = run.file;
    subject.name = run.file;
    subject.keyHex = run.graphHash;
    subject.costNs = run.compileNs;
    subject.hits = run.hits;
    subject.ageSeconds = ageOf(run.startedUnix, nowUnix);
    found[r] = matches(filter, subject);
  }
  return found;
}

} // namespace nodewise::ui
