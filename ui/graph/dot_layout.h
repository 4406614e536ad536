// Layout by Graphviz' dot, in a process of its own: it can be cancelled, it has a deadline, and whatever
// becomes of it, the window lives.
#pragma once

#include "base/result.h"
#include "ui/graph/layout.h"

#include <chrono>

namespace nodewise::ui {

struct DotSettings {
  QString program = QStringLiteral("dot");
  std::chrono::milliseconds deadline{6000};
  /// dot takes a second for a thousand boxes and half a minute for three thousand; it is not asked for more.
  size_t maxBoxes = 1000;
  /// Edges cost as much as boxes.
  size_t maxEdges = 3000;
};

/// Graphviz text of a request, with fixed sizes and no labels.
QByteArray dotText(const LayoutRequest& request);
/// What `dot -Tplain` printed.
Result<LayoutResult> parsePlain(const QByteArray& text, const LayoutRequest& request);

/// Runs dot; blocks, at most until the deadline. An error says why there is no layout.
Result<LayoutResult> layoutWithDot(const LayoutRequest& request, const DotSettings& settings,
                                   const std::stop_token& stop);

/// A layout in any case: dot's, or the layered one together with the reason why it is not dot's (empty: it
/// is).
struct AnyLayout {
  LayoutResult layout;
  QString notice;
};
AnyLayout layoutAny(const LayoutRequest& request, const DotSettings& settings, const std::stop_token& stop);

} // namespace nodewise::ui
