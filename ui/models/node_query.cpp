#include "ui/models/node_query.h"

#include <algorithm>

namespace nodewise::ui {

std::vector<NodeIndex> findNodes(const Filter& filter, std::span<const NodeInfo> nodes,
                                 std::span<const NodeState> states) {
  std::vector<NodeIndex> found;
  const bool byKey =
      std::ranges::any_of(filter.terms, [](const FilterTerm& t) { return t.field == FilterField::Key; });
  std::string label, key;
  for (size_t n = 0; n < nodes.size(); ++n) {
    const NodeInfo& info = nodes[n];
    const NodeState& state = states[n];
    // A node has more words than an entry: its own name, its scope and where it was made.
    label = info.detail;
    for (const std::string* more : {&info.name, &info.scope, &info.origin})
      if (!more->empty()) label += ' ' + *more;
    if (byKey && info.kind == NodeKind::Kernel) key = info.key.hex();
    FilterSubject subject;
    subject.op = info.op;
    subject.label = label;
    subject.dtype = info.dtype;
    subject.state = statusRow(statusOf(info, state)).name;
    subject.reason = state.reason;
    subject.keyHex = info.kind == NodeKind::Kernel ? std::string_view(key) : std::string_view();
    subject.costNs = state.recordedCompileNs;
    subject.sizeBytes = state.objectBytes;
    subject.hits = state.hits;
    if (matches(filter, subject)) found.push_back(info.index);
  }
  return found;
}

} // namespace nodewise::ui
