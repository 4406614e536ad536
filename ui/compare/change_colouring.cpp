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
  QRgb colour;
};
/// In the order of ChangeLook. Okabe and Ito's palette.
constexpr std::array<LookRow, 7> kLooks{{
    {ChangeLook::Same, "same", "=", "The same key and outcome, at about the same cost; or not in the run", 0},
    {ChangeLook::Gone, "gone", "-", "Only in the earlier run", 0xffcc79a7},
    {ChangeLook::New, "new", "+", "Only in the later run", 0xff0072b2},
    {ChangeLook::Outcome, "other outcome", "!", "Found in one run, missed in the other", 0xffd55e00},
    {ChangeLook::Key, "other key", "~", "The same node under another key", 0xffe69f00},
    {ChangeLook::Dearer, "dearer", "▲", "Compiling it took longer", 0xffb2182b},
    {ChangeLook::Cheaper, "cheaper", "▼", "Compiling it took less time", 0xff009e73},
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

Colouring changeColouring(const RunDiff& diff, const RunRecord& before, const RunRecord& after, DiffSide side,
                          size_t count) {
  Colouring c;
  for (const LookRow& row : kLooks)
    c.categories.push_back({QCoreApplication::translate("nodewise::ui::CompareGraphs", row.name),
                            QString::fromUtf8(row.letter),
                            QCoreApplication::translate("nodewise::ui::CompareGraphs", row.doc),
                            row.colour,
                            row.look == ChangeLook::Outcome ? Border::Thick : Border::Thin,
                            false,
                            0,
                            {}});
  c.looks.assign(count, NodeLook{});
  const RunRecord& record = side == DiffSide::Before ? before : after;
  for (const NodeDiff& node : diff.nodes) {
    const auto& at = side == DiffSide::Before ? node.before : node.after;
    if (!at) continue;
    const int64_t position = record.nodes[*at].position;
    if (position < 0 || static_cast<size_t>(position) >= count) continue;
    const auto look = static_cast<size_t>(changeLook(node, before, after));
    c.looks[static_cast<size_t>(position)] = {static_cast<uint8_t>(look), kLooks[look].colour};
  }
  for (const NodeLook& look : c.looks) ++c.categories[look.category].count;
  return c;
}

} // namespace nodewise::ui
