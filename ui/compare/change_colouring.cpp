#include "ui/compare/change_colouring.h"

#include <QCoreApplication>

#include <algorithm>
#include <array>
#include <cstdlib>

namespace nodewise::ui {
namespace {

struct LookRow {
  ChangeLook look;
  const char *name, *letter, *doc;
};
/// In the order of ChangeLook. No letter is that of an outcome.
constexpr std::array<LookRow, 7> kLooks{{
    {ChangeLook::Same, "same", "=", "The same key and outcome, at about the same cost; or not in the run"},
    {ChangeLook::Gone, "gone", "-", "Only in the earlier run"},
    {ChangeLook::New, "new", "+", "Only in the later run"},
    {ChangeLook::Outcome, "other outcome", "*", "Found in one run, missed in the other"},
    {ChangeLook::Key, "other key", "~", "The same node under another key"},
    {ChangeLook::Dearer, "dearer", "▲", "Compiling it took longer"},
    {ChangeLook::Cheaper, "cheaper", "▼", "Compiling it took less time"},
}};

} // namespace

ChangeLook changeLook(const NodeDiff& diff, const RunRecord& before, const RunRecord& after) {
  switch (diff.change) {
  case NodeChange::Gone:
    return ChangeLook::Gone;
  case NodeChange::New:
    return ChangeLook::New;
  case NodeChange::Outcome:
    return ChangeLook::Outcome;
  case NodeChange::Key:
    return ChangeLook::Key;
  case NodeChange::Same:
    break;
  }
  if (!diff.before || !diff.after) return ChangeLook::Same;
  constexpr int64_t kLeastNs = 100'000, kPart = 10;
  const int64_t most =
      std::max(before.nodes[*diff.before].phases.compile(), after.nodes[*diff.after].phases.compile());
  if (std::abs(diff.compileDiff) < std::max(kLeastNs, most / kPart)) return ChangeLook::Same;
  return diff.compileDiff > 0 ? ChangeLook::Dearer : ChangeLook::Cheaper;
}

std::vector<Category> changeMarks(const RunDiff& diff, const RunRecord& before, const RunRecord& after) {
  std::vector<Category> marks;
  for (const LookRow& row : kLooks)
    marks.push_back({QCoreApplication::translate("nodewise::ui::CompareGraphs", row.name),
                     QString::fromUtf8(row.letter),
                     QCoreApplication::translate("nodewise::ui::CompareGraphs", row.doc),
                     0,
                     Border::Thin,
                     false,
                     0,
                     {}});
  for (const NodeDiff& node : diff.nodes) ++marks[static_cast<size_t>(changeLook(node, before, after))].count;
  return marks;
}

Colouring changeColouring(const RunDiff& diff, const RunRecord& before, const RunRecord& after, DiffSide side,
                          std::span<const NodeInfo> nodes) {
  const RunRecord& record = side == DiffSide::Before ? before : after;
  std::vector<NodeState> states(nodes.size());
  std::vector<uint8_t> marks(nodes.size());
  for (const NodeDiff& node : diff.nodes) {
    const auto& at = side == DiffSide::Before ? node.before : node.after;
    if (!at) continue;
    const RunNode& row = record.nodes[*at];
    if (row.position < 0 || static_cast<size_t>(row.position) >= nodes.size()) continue;
    states[static_cast<size_t>(row.position)].outcome = row.outcome;
    marks[static_cast<size_t>(row.position)] = static_cast<uint8_t>(changeLook(node, before, after));
  }
  Colouring c = makeColouring(ColourBy::Outcome, nodes, states);
  c.marks = changeMarks(diff, before, after);
  for (size_t n = 0; n < nodes.size(); ++n) c.looks[n].mark = marks[n];
  return c;
}

} // namespace nodewise::ui
