// What a node is called where it stands alone: in messages, titles and menus.
#pragma once

#include "cache/words.h"
#include "session/session.h"

#include <QString>

namespace nodewise::ui {

/// "Elemwise · exp, node 12": op, detail and number as command lines take it; of a node in an inner graph its
/// path.
inline QString nodeName(const NodeInfo& info) {
  const QString name = QString::fromStdString(nodeTitle(info.op, info.detail));
  return name + (info.parent < 0 ? QStringLiteral(", node %1").arg(info.indexInGraph)
                                 : QStringLiteral(", ") + QString::fromStdString(info.path));
}

} // namespace nodewise::ui
