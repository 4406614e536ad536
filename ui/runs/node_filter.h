// The stack of filters (models/filter_stack.h) as the views share it: told of each change, and kept in step
// with the open graph and the shown run.
#pragma once

#include "ui/models/filter_stack.h"

#include <QObject>

#include <functional>
#include <vector>

namespace nodewise::ui {

class NodeFilter : public QObject {
  Q_OBJECT
public:
  using QObject::QObject;

  /// Asked for whenever filters are carried over from graph to run or back.
  void setScope(std::function<FilterScope()> scope) { m_scope = std::move(scope); }

  const std::vector<NodeFilterEntry>& entries() const { return m_entries; }
  bool empty() const { return m_entries.empty(); }
  /// Whether a node of the shown run is kept.
  bool keeps(size_t runNode) const;
  /// Of `count` nodes of the shown run those that are kept.
  std::vector<bool> kept(size_t count) const;
  /// Of the open graph's nodes those that are kept; none: all.
  std::optional<std::vector<bool>> keptInGraph(size_t count) const {
    return keptNodes(m_entries, FilterSide::Graph, count);
  }

  /// A filter that is there already is not put on twice.
  void push(NodeFilterEntry entry);
  void removeAt(size_t at);
  void removeLast() {
    if (!m_entries.empty()) removeAt(m_entries.size() - 1);
  }
  void clear();
  /// Graph, run or states have changed. Filters that have lost their meaning are taken off: with another
  /// graph those on its nodes, with `newRun` those on the nodes of the run that was shown.
  void refresh(bool newRun = false);

Q_SIGNALS:
  void changed();

private:
  FilterScope scope() const { return m_scope ? m_scope() : FilterScope(); }

  std::function<FilterScope()> m_scope;
  std::vector<NodeFilterEntry> m_entries;
};

} // namespace nodewise::ui
