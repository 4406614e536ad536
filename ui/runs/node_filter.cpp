#include "ui/runs/node_filter.h"

#include <algorithm>

namespace nodewise::ui {

bool NodeFilter::keeps(size_t runNode) const {
  return std::ranges::all_of(m_entries, [&](const NodeFilterEntry& entry) {
    return entry.run.empty() || (runNode < entry.run.size() && entry.run[runNode]);
  });
}

std::vector<bool> NodeFilter::kept(size_t count) const {
  return keptNodes(m_entries, FilterSide::Run, count).value_or(std::vector<bool>(count, true));
}

void NodeFilter::push(NodeFilterEntry entry) {
  const bool there = std::ranges::any_of(m_entries, [&](const NodeFilterEntry& e) {
    return e.of == entry.of && e.text == entry.text && e.query == entry.query &&
           (e.of == NodeFilterEntry::Of::Query ||
            (e.of == NodeFilterEntry::Of::Graph ? e.graph == entry.graph : e.run == entry.run));
  });
  if (there) return;
  resolveFilter(entry, scope());
  m_entries.push_back(std::move(entry));
  Q_EMIT changed();
}

void NodeFilter::removeAt(size_t at) {
  if (at >= m_entries.size()) return;
  m_entries.erase(m_entries.begin() + static_cast<std::ptrdiff_t>(at));
  Q_EMIT changed();
}

void NodeFilter::clear() {
  if (m_entries.empty()) return;
  m_entries.clear();
  Q_EMIT changed();
}

void NodeFilter::refresh(bool newRun) {
  if (m_entries.empty()) return;
  const FilterScope now = scope();
  const size_t before = m_entries.size();
  bool differs = false;
  std::erase_if(m_entries, [&](NodeFilterEntry& entry) {
    if (newRun && entry.of == NodeFilterEntry::Of::Run) return true;
    const std::vector<bool> graph = entry.graph, run = entry.run;
    if (!resolveFilter(entry, now)) return true;
    differs = differs || graph != entry.graph || run != entry.run;
    return false;
  });
  if (differs || m_entries.size() != before) Q_EMIT changed();
}

} // namespace nodewise::ui
