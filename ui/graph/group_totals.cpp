#include "ui/graph/group_totals.h"

#include <algorithm>
#include <utility>

namespace nodewise::ui {
namespace {

/// Nodes count for all groups around them, those of inner graphs too.
void addUpwards(const Grouping& grouping, GroupId id, const NodeLook& look, int64_t amount,
                std::vector<GroupTotals>& totals) {
  for (; id >= 0; id = grouping.groups[static_cast<size_t>(id)].parent) {
    GroupTotals& total = totals[static_cast<size_t>(id)];
    ++total.counts[look.category];
    total.marked += look.mark > 0;
    total.greatest = std::max(total.greatest, amount);
  }
}

/// Sums of groups, each key once in a group.
class Sums {
public:
  Sums(const Grouping& grouping, const Colouring& colouring)
      : m_grouping(grouping), m_colouring(colouring), m_seenIn(colouring.keys.size(), -1) {}

  int64_t of(GroupId id) {
    m_sum = 0;
    add(id, id);
    return m_sum;
  }

private:
  void add(GroupId id, GroupId within) {
    const Group& group = m_grouping.groups[static_cast<size_t>(id)];
    for (const NodeIndex n : group.nodes) {
      const auto at = static_cast<size_t>(n);
      if (counts(at, within)) m_sum += m_colouring.shares[at];
      if (const GroupId inner = m_grouping.levelGroupInNode[at]; inner >= 0) add(inner, within);
    }
    for (const GroupId child : group.groups)
      if (m_grouping.groups[static_cast<size_t>(child)].kind != GroupKind::Level) add(child, within);
  }
  bool counts(size_t node, GroupId within) {
    if (node >= m_colouring.shares.size()) return false;
    if (m_colouring.keys.empty() || m_colouring.keys[node] < 0) return true;
    return std::exchange(m_seenIn[static_cast<size_t>(m_colouring.keys[node])], within) != within;
  }

  const Grouping& m_grouping;
  const Colouring& m_colouring;
  std::vector<GroupId> m_seenIn; ///< by number of a key: the group that it was last counted in
  int64_t m_sum = 0;
};

} // namespace

std::vector<GroupTotals> totalsOfGroups(const Grouping& grouping, const Colouring& colouring) {
  std::vector<GroupTotals> totals(grouping.groups.size());
  for (GroupTotals& total : totals) total.counts.assign(colouring.categories.size(), 0);
  for (size_t n = 0; n < colouring.looks.size() && n < grouping.groupOfNode.size(); ++n)
    addUpwards(grouping, grouping.groupOfNode[n], colouring.looks[n],
               colouring.isRamp() ? colouring.amounts[n] : 0, totals);
  if (!colouring.isRamp() || !colouring.adds) return totals;
  Sums sums(grouping, colouring);
  for (size_t id = 0; id < totals.size(); ++id) totals[id].sum = sums.of(static_cast<GroupId>(id));
  return totals;
}

} // namespace nodewise::ui
