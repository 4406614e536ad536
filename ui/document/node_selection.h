// The one selection that graph, tables, outline and inspector share: a node, or a group of nodes.
#pragma once

#include "session/session.h"
#include "ui/graph/grouping.h"

#include <QObject>

namespace nodewise::ui {

class NodeSelection : public QObject {
  Q_OBJECT
public:
  using QObject::QObject;

  NodeIndex current() const { return m_current; }
  GroupId currentGroup() const { return m_group; }
  /// -1: nothing is selected. A group that was is not any more.
  void select(NodeIndex node) {
    setGroup(-1);
    if (node == m_current) return;
    m_current = node;
    Q_EMIT changed(node);
  }
  /// A group, and no node; -1: nothing.
  void selectGroup(GroupId group) {
    select(-1);
    setGroup(group);
  }

Q_SIGNALS:
  void changed(int node);
  void groupChanged(int group); ///< -1: none is selected any more

private:
  void setGroup(GroupId group) {
    if (group == m_group) return;
    m_group = group;
    Q_EMIT groupChanged(group);
  }

  NodeIndex m_current = -1;
  GroupId m_group = -1;
};

} // namespace nodewise::ui
