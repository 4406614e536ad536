// Nodes that were selected, in order, as a browser keeps pages.
#pragma once

#include "session/session.h"

#include <vector>

namespace nodewise::ui {

class NodeHistory {
public:
  void clear() {
    m_nodes.clear();
    m_at = -1;
  }
  /// A node was selected by other means than back and forward: what was ahead is forgotten.
  void visit(NodeIndex node) {
    if (node < 0 || node == current()) return;
    m_nodes.resize(static_cast<size_t>(m_at + 1));
    m_nodes.push_back(node);
    ++m_at;
  }
  NodeIndex current() const { return at(m_at); }
  /// The node before the current one, or -1.
  NodeIndex previous() const { return at(m_at - 1); }
  NodeIndex next() const { return at(m_at + 1); }
  /// Goes there, if there is one; the node that is current then.
  NodeIndex step(int by) {
    if (at(m_at + by) >= 0) m_at += by;
    return current();
  }

private:
  NodeIndex at(int k) const {
    return k >= 0 && static_cast<size_t>(k) < m_nodes.size() ? m_nodes[static_cast<size_t>(k)] : -1;
  }
  std::vector<NodeIndex> m_nodes;
  int m_at = -1;
};

} // namespace nodewise::ui
