#include "ui/graph/fold.h"

#include <algorithm>
#include <cmath>

namespace nodewise::ui {
namespace {

constexpr double kLeastHeight = 2400;   // lower ones are seen whole anyway
constexpr double kTooHigh = 3;          // times as high as wide
constexpr double kAspect = 1.5;         // width to height that a window has
constexpr double kGap = 60, kLane = 14; // between columns; between edges in a gap
constexpr size_t kMaxCrossing = 8;      // edges over one cut

struct Cut {
  double y = 0;
  std::vector<size_t> crossing; ///< edges
};

/// Gaps between rows of boxes: heights at which no box stands.
std::vector<double> gapsOf(const LayoutRequest& request, const LayoutResult& layout) {
  std::vector<std::pair<double, double>> spans;
  for (size_t k = 0; k < request.boxes.size(); ++k) {
    const double half = request.boxes[k].size.height() / 2;
    spans.emplace_back(layout.centres[k].y() - half, layout.centres[k].y() + half);
  }
  std::ranges::sort(spans);
  std::vector<double> gaps;
  double bottom = spans.front().second;
  for (const auto& [from, to] : spans) {
    if (from > bottom + 1) gaps.push_back((from + bottom) / 2);
    bottom = std::max(bottom, to);
  }
  return gaps;
}

std::vector<size_t> crossing(const LayoutRequest& request, const LayoutResult& layout, double y) {
  std::vector<size_t> edges;
  for (size_t e = 0; e < request.edges.size(); ++e) {
    const double from = layout.centres[static_cast<size_t>(request.edges[e].from)].y();
    const double to = layout.centres[static_cast<size_t>(request.edges[e].to)].y();
    if ((from < y) != (to < y)) edges.push_back(e);
  }
  return edges;
}

/// About evenly spaced cuts, each the best gap near its place; none if a cut would be crossed by too many
/// edges.
std::vector<Cut> cutsFor(const LayoutRequest& request, const LayoutResult& layout, int columns) {
  const std::vector<double> gaps = gapsOf(request, layout);
  const double step = layout.size.height() / columns;
  std::vector<Cut> cuts;
  for (int k = 1; k < columns; ++k) {
    Cut best;
    bool found = false;
    for (const double y : gaps) {
      if (std::abs(y - k * step) > step * 0.3) continue;
      Cut cut{y, crossing(request, layout, y)};
      const bool better = !found || cut.crossing.size() < best.crossing.size() ||
                          (cut.crossing.size() == best.crossing.size() &&
                           std::abs(y - k * step) < std::abs(best.y - k * step));
      if (better) best = std::move(cut);
      found = true;
    }
    if (!found || best.crossing.size() > kMaxCrossing) return {};
    cuts.push_back(std::move(best));
  }
  return cuts;
}

/// From the bottom of one box down, through the gaps beside the columns, to the top of another.
Spline throughGap(QPointF from, QPointF to, double gapX, double bottom, double top) {
  const auto corner = [](Spline& spline, QPointF a, QPointF b) {
    const QPointF last = spline.back();
    spline.insert(spline.end(), {last + (a - last) * 0.9, a + (b - a) * 0.1, a + (b - a) * 0.5});
  };
  Spline spline{from};
  corner(spline, QPointF(from.x(), bottom), QPointF(gapX, bottom));
  corner(spline, QPointF(gapX, bottom), QPointF(gapX, top));
  corner(spline, QPointF(gapX, top), QPointF(to.x(), top));
  spline.insert(spline.end(), {QPointF(to.x(), top), QPointF(to.x(), top), to});
  return spline;
}

} // namespace

void foldIntoColumns(const LayoutRequest& request, LayoutResult& layout) {
  const double width = layout.size.width(), height = layout.size.height();
  if (request.boxes.empty() || height < kLeastHeight || height < kTooHigh * width) return;
  const int columns = static_cast<int>(std::lround(std::sqrt(kAspect * height / (width + kGap))));
  const std::vector<Cut> cuts = columns > 1 ? cutsFor(request, layout, columns) : std::vector<Cut>();
  if (cuts.empty()) return;

  const auto columnOf = [&](double y) {
    return std::ranges::count_if(cuts, [&](const Cut& cut) { return cut.y < y; });
  };
  const auto startOf = [&](std::ptrdiff_t column) {
    return column == 0 ? 0.0 : cuts[static_cast<size_t>(column - 1)].y;
  };
  std::vector<std::ptrdiff_t> columnOfBox;
  double tallest = 0;
  for (size_t k = 0; k < layout.centres.size(); ++k) {
    const std::ptrdiff_t column = columnOf(layout.centres[k].y());
    columnOfBox.push_back(column);
    layout.centres[k] += QPointF(static_cast<double>(column) * (width + kGap), kGap / 2 - startOf(column));
    tallest = std::max(tallest, layout.centres[k].y() + request.boxes[k].size.height() / 2);
  }
  tallest += kGap / 2;
  std::vector<int> lanes(cuts.size() + 1, 0); ///< edges in the gap before each column
  for (size_t e = 0; e < request.edges.size(); ++e) {
    const auto from = static_cast<size_t>(request.edges[e].from),
               to = static_cast<size_t>(request.edges[e].to);
    const std::ptrdiff_t column = columnOfBox[from];
    if (column == columnOfBox[to]) {
      for (QPointF& p : layout.splines[e])
        p += QPointF(static_cast<double>(column) * (width + kGap), kGap / 2 - startOf(column));
      continue;
    }
    const std::ptrdiff_t target = columnOfBox[to];
    const double lane = (lanes[static_cast<size_t>(target)]++ % 3 - 1) * kLane;
    const double gapX = static_cast<double>(target) * (width + kGap) - kGap / 2 + lane;
    const QPointF start = layout.centres[from] + QPointF(0, request.boxes[from].size.height() / 2);
    const QPointF end = layout.centres[to] - QPointF(0, request.boxes[to].size.height() / 2);
    layout.splines[e] = throughGap(start, end, gapX, tallest - kGap / 4 + lane / 2, kGap / 4 + lane / 2);
  }
  layout.size = {columns * (width + kGap) - kGap, tallest};
}

} // namespace nodewise::ui
