// The stack of filters that all views of a run share: each entry keeps some of its nodes; what is shown is
// what all of them keep.
#pragma once

#include <QObject>
#include <QString>

#include <algorithm>
#include <vector>

namespace nodewise::ui {

class NodeFilter : public QObject {
  Q_OBJECT
public:
  using QObject::QObject;

  struct Entry {
    QString text;            ///< "worker 1, 3.1 ms to 4.2 ms"
    std::vector<bool> nodes; ///< by position in the run's nodes
  };

  const std::vector<Entry>& entries() const { return m_entries; }
  bool empty() const { return m_entries.empty(); }
  bool keeps(size_t node) const {
    return std::ranges::all_of(m_entries,
                               [&](const Entry& e) { return node < e.nodes.size() && e.nodes[node]; });
  }
  /// Of `count` nodes those that are kept.
  std::vector<bool> kept(size_t count) const {
    std::vector<bool> nodes(count);
    for (size_t n = 0; n < count; ++n) nodes[n] = keeps(n);
    return nodes;
  }
  void push(Entry entry) {
    m_entries.push_back(std::move(entry));
    Q_EMIT changed();
  }
  void removeAt(size_t at) {
    if (at >= m_entries.size()) return;
    m_entries.erase(m_entries.begin() + static_cast<std::ptrdiff_t>(at));
    Q_EMIT changed();
  }
  void clear() {
    if (m_entries.empty()) return;
    m_entries.clear();
    Q_EMIT changed();
  }

Q_SIGNALS:
  void changed();

private:
  std::vector<Entry> m_entries;
};

} // namespace nodewise::ui
