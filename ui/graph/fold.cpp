#include "ui/graph/fold.h"

#include <QRectF>

#include <algorithm>
#include <cmath>
#include <optional>

namespace nodewise::ui {
namespace {

constexpr double kLeastHeight = 2400; // lower ones are seen whole anyway
constexpr double kTooHigh = 3;        // times as high as its ordinary boxes are wide
constexpr double kOrdinary = 300;     // wider boxes are open groups
constexpr double kAspect = 1.5;       // width to height that a window has
constexpr double kLeastGain = 1.3;    // in scale, so that it is worth reading sideways
constexpr double kMostColumns = 16;
constexpr double kGap = 60, kLane = 14; // between columns; between edges in a gap
constexpr double kRow = 5;              // between edges that share the room between two rows
constexpr size_t kMaxCrossing = 8;      // edges over one cut

/// Between two rows of boxes.
struct Gap {
  double y = 0;        ///< where no box stands
  size_t crossing = 0; ///< edges
};

size_t crossing(const LayoutRequest& request, const LayoutResult& layout, double y) {
  return static_cast<size_t>(std::ranges::count_if(request.edges, [&](const LayoutEdge& edge) {
    const double from = layout.centres[static_cast<size_t>(edge.from)].y();
    const double to = layout.centres[static_cast<size_t>(edge.to)].y();
    return (from < y) != (to < y);
  }));
}

std::vector<Gap> gapsOf(const LayoutRequest& request, const LayoutResult& layout) {
  std::vector<std::pair<double, double>> spans;
  for (size_t k = 0; k < request.boxes.size(); ++k) {
    const double half = request.boxes[k].size.height() / 2;
    spans.emplace_back(layout.centres[k].y() - half, layout.centres[k].y() + half);
  }
  std::ranges::sort(spans);
  std::vector<Gap> gaps;
  double bottom = spans.front().second;
  for (const auto& [from, to] : spans) {
    if (from > bottom + 1) gaps.push_back({(from + bottom) / 2, 0});
    bottom = std::max(bottom, to);
  }
  for (Gap& gap : gaps) gap.crossing = crossing(request, layout, gap.y);
  return gaps;
}

/// Where the columns end, each about `step` high: at the gap that the fewest edges cross. A box that is
/// higher makes its column higher. None if a cut would be crossed by too many edges.
std::vector<double> cutsFor(double height, const std::vector<Gap>& gaps, double step) {
  constexpr double kEarliest = 0.65, kLatest = 1.05;
  std::vector<double> cuts;
  double top = 0;
  while (height - top > step * kLatest) {
    const Gap* best = nullptr;
    for (const Gap& gap : gaps) {
      if (gap.y < top + step * kEarliest) continue;
      if (gap.y > top + step * kLatest && best) break;
      if (!best || gap.crossing <= best->crossing) best = &gap;
    }
    if (!best) break; // what is left is one box
    if (best->crossing > kMaxCrossing) return {};
    cuts.push_back(best->y);
    top = best->y;
  }
  return cuts;
}

/// Columns side by side: what stands between two cuts, each as wide as it has to be.
struct Columns {
  std::vector<double> cuts;
  std::vector<size_t> ofBox;
  std::vector<QPointF> shift; ///< of what is in a column
  std::vector<double> left;   ///< where a column begins, after shifting
  QSizeF size;

  bool isWithin(const LayoutEdge& edge) const {
    return ofBox[static_cast<size_t>(edge.from)] == ofBox[static_cast<size_t>(edge.to)];
  }
};

Columns columnsOf(const LayoutRequest& request, const LayoutResult& layout, std::vector<double> cuts) {
  Columns columns;
  const size_t count = cuts.size() + 1;
  std::vector<QRectF> bounds(count);
  for (size_t k = 0; k < layout.centres.size(); ++k) {
    const auto column =
        static_cast<size_t>(std::ranges::lower_bound(cuts, layout.centres[k].y()) - cuts.begin());
    columns.ofBox.push_back(column);
    QRectF box({}, request.boxes[k].size);
    box.moveCenter(layout.centres[k]);
    bounds[column] |= box;
  }
  for (size_t e = 0; e < request.edges.size(); ++e)
    if (columns.isWithin(request.edges[e]))
      for (const QPointF& p : layout.splines[e])
        bounds[columns.ofBox[static_cast<size_t>(request.edges[e].from)]] |= QRectF(p, QSizeF(1, 1));
  double x = 0, tallest = 0;
  for (size_t c = 0; c < count; ++c) {
    const double top = c == 0 ? 0 : cuts[c - 1];
    columns.left.push_back(x);
    columns.shift.emplace_back(x - bounds[c].left(), kGap / 2 - top);
    x += bounds[c].width() + kGap;
    tallest = std::max(tallest, bounds[c].bottom() + columns.shift.back().y());
  }
  columns.size = {x - kGap, tallest + kGap / 2};
  columns.cuts = std::move(cuts);
  return columns;
}

/// By how much a layout of this size is scaled to be seen whole.
double scaleOf(QSizeF size) { return std::min(kAspect / size.width(), 1 / size.height()); }

/// The columns that are seen largest.
std::optional<Columns> bestColumns(const LayoutRequest& request, const LayoutResult& layout,
                                   const std::vector<Gap>& gaps) {
  constexpr double kFiner = 0.25; // so that the last column is about as high as the others
  std::optional<Columns> best;
  for (double count = 1.5; count <= kMostColumns; count += kFiner) {
    std::vector<double> cuts = cutsFor(layout.size.height(), gaps, layout.size.height() / count);
    if (cuts.empty()) continue;
    Columns columns = columnsOf(request, layout, std::move(cuts));
    if (!best || scaleOf(columns.size) > scaleOf(best->size)) best = std::move(columns);
  }
  const bool worth = best && scaleOf(best->size) >= kLeastGain * scaleOf(layout.size);
  return worth ? std::move(best) : std::nullopt;
}

/// Straight from point to point, with round corners: lines and curves in turn, as cubic curves all.
Spline rounded(const std::vector<QPointF>& points) {
  constexpr double kRadius = 10, kCircle = 0.55; // how far a quarter circle's control points are
  const auto lengthOf = [](QPointF p) { return std::hypot(p.x(), p.y()); };
  Spline spline{points.front()};
  const auto lineTo = [&](QPointF to) {
    const QPointF from = spline.back();
    spline.insert(spline.end(), {from + (to - from) / 3, to - (to - from) / 3, to});
  };
  for (size_t k = 1; k + 1 < points.size(); ++k) {
    const QPointF in = points[k] - points[k - 1], out = points[k + 1] - points[k];
    const double radius = std::min({kRadius, lengthOf(in) / 2, lengthOf(out) / 2});
    if (radius < 0.5) {
      lineTo(points[k]);
      continue;
    }
    const QPointF from = points[k] - in / lengthOf(in) * radius,
                  to = points[k] + out / lengthOf(out) * radius;
    lineTo(from);
    spline.insert(spline.end(), {from + (points[k] - from) * kCircle, to + (points[k] - to) * kCircle, to});
  }
  lineTo(points.back());
  return spline;
}

/// The way of an edge from one column to another: out between two rows, along the gaps beside the columns,
/// and in between two rows, so that it runs behind no box.
struct Route {
  const LayoutRequest& request;
  const LayoutResult& before; ///< folding
  const Columns& columns;
  const std::vector<Gap>& gaps;

  QRectF boxOf(size_t k) const {
    QRectF box({}, request.boxes[k].size);
    box.moveCenter(before.centres[k]);
    return box;
  }
  double gapBelow(double y) const {
    const auto at = std::ranges::upper_bound(gaps, y, {}, &Gap::y);
    return at == gaps.end() ? y : at->y;
  }
  double gapAbove(double y) const {
    const auto at = std::ranges::lower_bound(gaps, y, {}, &Gap::y);
    return at == gaps.begin() ? y : std::prev(at)->y;
  }
  Spline operator()(const LayoutEdge& edge, int lane) const {
    const auto from = static_cast<size_t>(edge.from), to = static_cast<size_t>(edge.to);
    const size_t first = columns.ofBox[from], last = columns.ofBox[to];
    const QPointF shiftFrom = columns.shift[first], shiftTo = columns.shift[last];
    const QRectF start = boxOf(from), end = boxOf(to);
    const QPointF begin = QPointF(start.center().x(), start.bottom()) + shiftFrom;
    const QPointF tip = QPointF(end.center().x(), end.top()) + shiftTo;
    const double outY = gapBelow(start.bottom()) + shiftFrom.y() + lane * kRow,
                 inY = gapAbove(end.top()) + shiftTo.y() + lane * kRow;
    const auto beside = [&](size_t column) { return columns.left[column] - kGap / 2 + lane * kLane; };
    std::vector<QPointF> points{begin, {begin.x(), outY}};
    if (last == first + 1) {
      points.insert(points.end(), {{beside(last), outY}, {beside(last), inY}});
    } else {
      const double below = columns.size.height() - kGap / 4 + lane * kRow;
      const double away = first + 1 < columns.left.size() ? beside(first + 1) : columns.size.width();
      points.insert(points.end(), {{away, outY}, {away, below}, {beside(last), below}, {beside(last), inY}});
    }
    points.insert(points.end(), {{tip.x(), inY}, tip});
    return rounded(points);
  }
};

bool isTooHigh(const LayoutRequest& request, const LayoutResult& layout) {
  if (request.boxes.empty() || layout.size.height() < kLeastHeight) return false;
  double left = layout.size.width(), right = 0;
  for (size_t k = 0; k < request.boxes.size(); ++k) {
    const double width = request.boxes[k].size.width();
    if (width > kOrdinary) continue;
    left = std::min(left, layout.centres[k].x() - width / 2);
    right = std::max(right, layout.centres[k].x() + width / 2);
  }
  return layout.size.height() >= kTooHigh * std::max(right - left, 0.0);
}

} // namespace

void foldIntoColumns(const LayoutRequest& request, LayoutResult& layout) {
  if (!isTooHigh(request, layout)) return;
  const std::vector<Gap> gaps = gapsOf(request, layout);
  const std::optional<Columns> columns = bestColumns(request, layout, gaps);
  if (!columns) return;
  const LayoutResult before = layout;
  for (size_t k = 0; k < layout.centres.size(); ++k) layout.centres[k] += columns->shift[columns->ofBox[k]];
  const Route route{request, before, *columns, gaps};
  std::vector<int> lanes(columns->cuts.size() + 1, 0); // edges in the gap before each column
  for (size_t e = 0; e < request.edges.size(); ++e) {
    const size_t target = columns->ofBox[static_cast<size_t>(request.edges[e].to)];
    if (columns->isWithin(request.edges[e]))
      for (QPointF& p : layout.splines[e]) p += columns->shift[target];
    else
      layout.splines[e] = route(request.edges[e], lanes[target]++ % 3 - 1);
  }
  layout.size = columns->size;
}

} // namespace nodewise::ui
