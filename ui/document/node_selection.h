// The one selection that graph, tables, outline and inspector share.
#pragma once

#include "session/session.h"

#include <QObject>

namespace nodewise::ui {

class NodeSelection : public QObject {
  Q_OBJECT
public:
  using QObject::QObject;

  NodeIndex current() const { return m_current; }
  /// -1: nothing is selected.
  void select(NodeIndex node) {
    if (node == m_current) return;
    m_current = node;
    Q_EMIT changed(node);
  }

Q_SIGNALS:
  void changed(int node);

private:
  NodeIndex m_current = -1;
};

} // namespace nodewise::ui
