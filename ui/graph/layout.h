// Layout: where boxes stand and how edges run, for one group at a time. Lengths are pixels at zoom 1, y down.
#pragma once

#include <QPointF>
#include <QSizeF>
#include <QString>

#include <stop_token>
#include <vector>

namespace nodewise::ui {

/// Where a box must stand.
enum class RankRole : uint8_t { Free, First, Last };

struct LayoutBox {
  QSizeF size;
  RankRole role = RankRole::Free;
};
struct LayoutEdge {
  int from = 0, to = 0; ///< indices of boxes
};
struct LayoutRequest {
  std::vector<LayoutBox> boxes;
  std::vector<LayoutEdge> edges;
};

/// Control points of cubic Bézier curves: one point, then three for each curve.
using Spline = std::vector<QPointF>;

struct LayoutResult {
  std::vector<QPointF> centres; ///< of the boxes
  std::vector<Spline> splines;  ///< of the edges
  QSizeF size;
};

/// Boxes by rank (longest path from a source), ordered by barycentres: our own, where dot cannot be used.
/// Takes some 50 ms for 5,000 boxes. Edges of a cycle run backwards. Stops early, with what it has, when
/// asked to.
LayoutResult layoutLayered(const LayoutRequest& request, const std::stop_token& stop = {});

} // namespace nodewise::ui
