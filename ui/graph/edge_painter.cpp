#include "ui/graph/edge_painter.h"

#include <QPainterPath>

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <map>

namespace nodewise::ui {
namespace {

constexpr double kCurvesFrom = 0.25, kArrowsFrom = 0.35, kLabelsFrom = 0.62; // scales
constexpr size_t kMaxCurves = 1500;
constexpr double kArrow = 7, kLabelPixels = 10;
constexpr float kDimmedEdge = 0.2F; // opacity

QPainterPath pathOf(const Spline& spline) {
  QPainterPath path(spline.front());
  for (size_t k = 1; k + 2 < spline.size(); k += 3) path.cubicTo(spline[k], spline[k + 1], spline[k + 2]);
  return path;
}

/// A filled triangle whose tip is the spline's end, wider than its line.
QPolygonF arrowOf(const Spline& spline, double lineWidth) {
  const QPointF tip = spline.back();
  QPointF along = tip - spline[spline.size() - 2];
  const double length = std::hypot(along.x(), along.y());
  along = length < 1e-6 ? QPointF(0, 1) : along / length;
  const QPointF across(-along.y(), along.x());
  const double half = std::max(kArrow * 0.4, lineWidth * 0.5 + 2);
  return {{tip, tip - along * kArrow + across * half, tip - along * kArrow - across * half}};
}

/// Dimmed ones are drawn first, the selected node's last.
enum class EdgeLayer : uint8_t { Dimmed, Plain, Selected };

bool touches(const SceneEdge& edge, int item) { return item >= 0 && (edge.from == item || edge.to == item); }

EdgeLayer layerOf(const PaintInput& input, const SceneEdge& edge) {
  if (touches(edge, input.selectedItem)) return EdgeLayer::Selected;
  return isDimmed(input, edge.from) || isDimmed(input, edge.to) ? EdgeLayer::Dimmed : EdgeLayer::Plain;
}

QColor colourOf(const PaintInput& input, EdgeLayer layer) {
  QColor colour = layer == EdgeLayer::Selected ? input.theme.accent : input.theme.edge;
  if (layer == EdgeLayer::Dimmed) colour.setAlphaF(kDimmedEdge);
  return colour;
}

/// How an edge is drawn where widths are by bytes: wide lines are kept apart by their steps.
struct EdgeLook {
  double width = 1.1; ///< pixels at zoom 1
  bool dashed = false;
};
EdgeLook lookOf(const PaintInput& input, const SceneEdge& edge) {
  if (!input.bytes) return {};
  const int64_t size = bytesOf(*input.bytes, edge);
  if (size == kUnknownBytes) return {0.8, true};
  return {edgeWidth(*input.bytes, size), false};
}

/// A spline as lines on the screen: as few as show its way, those of no length left out.
void addLines(const Spline& spline, const ViewTransform& view, std::vector<QLineF>& lines) {
  constexpr double kShort = 2, kFlat = 1.5; // pixels
  constexpr int kMostPieces = 8;
  const auto lengthOf = [](QPointF p) { return std::abs(p.x()) + std::abs(p.y()); };
  QPointF drawnTo = view.toScreen(spline.front()), joint = drawnTo;
  const auto lineTo = [&](QPointF to, bool isEnd) {
    if (!isEnd && lengthOf(to - drawnTo) < kShort) return;
    lines.emplace_back(drawnTo, to);
    drawnTo = to;
  };
  for (size_t k = 1; k + 2 < spline.size(); k += 3) {
    const QPointF a = joint, b = view.toScreen(spline[k]), c = view.toScreen(spline[k + 1]),
                  d = view.toScreen(spline[k + 2]);
    const double bend = std::max(lengthOf(b - (a * 2 + d) / 3), lengthOf(c - (a + d * 2) / 3));
    const int pieces = bend < kFlat ? 1 : std::min(static_cast<int>(std::ceil(std::sqrt(bend))), kMostPieces);
    for (int piece = 1; piece < pieces; ++piece) {
      const double t = static_cast<double>(piece) / pieces, s = 1 - t;
      lineTo(a * (s * s * s) + b * (3 * s * s * t) + c * (3 * s * t * t) + d * (t * t * t), false);
    }
    lineTo(d, k + 5 >= spline.size());
    joint = d;
  }
}

void paintLines(QPainter& painter, const PaintInput& input, const std::vector<int>& edges) {
  // By layer, and width in whole pixels of the screen: a few calls draw thousands of lines.
  std::map<std::pair<EdgeLayer, int>, std::vector<QLineF>> lines;
  for (const int e : edges) {
    const SceneEdge& edge = input.scene.edges[static_cast<size_t>(e)];
    if (edge.spline.size() < 4) continue;
    const EdgeLayer layer = layerOf(input, edge);
    const int width = input.bytes && layer != EdgeLayer::Selected
                          ? static_cast<int>(lookOf(input, edge).width * input.view.scale)
                          : 0;
    addLines(edge.spline, input.view, lines[{layer, width}]);
  }
  painter.save();
  painter.setRenderHint(QPainter::Antialiasing, false);
  for (const auto& [look, some] : lines) {
    QColor colour = colourOf(input, look.first);
    if (look.first == EdgeLayer::Plain && edges.size() <= kMaxCurves) colour.setAlphaF(0.55F);
    painter.setPen(QPen(colour, look.second));
    painter.drawLines(some.data(), static_cast<int>(some.size()));
  }
  painter.restore();
}

void paintCurves(QPainter& painter, const PaintInput& input, const std::vector<int>& edges, EdgeLayer layer) {
  const QColor colour = colourOf(input, layer);
  const bool selected = layer == EdgeLayer::Selected;
  painter.setBrush(Qt::NoBrush);
  QPen pen(colour, selected ? 1.8 : 1.1);
  pen.setCapStyle(Qt::FlatCap);
  painter.setPen(pen);
  std::vector<const SceneEdge*> shown;
  for (const int e : edges) {
    const SceneEdge& edge = input.scene.edges[static_cast<size_t>(e)];
    if (edge.spline.size() < 4 || layerOf(input, edge) != layer) continue;
    if (input.bytes) {
      const EdgeLook look = lookOf(input, edge);
      pen.setWidthF(selected ? std::max(look.width, 1.8) : look.width);
      pen.setStyle(look.dashed ? Qt::DashLine : Qt::SolidLine);
      painter.setPen(pen);
    }
    painter.drawPath(pathOf(edge.spline));
    shown.push_back(&edge);
  }
  if (input.view.scale < kArrowsFrom) return;
  painter.setPen(Qt::NoPen);
  painter.setBrush(colour);
  for (const SceneEdge* edge : shown) painter.drawPolygon(arrowOf(edge->spline, lookOf(input, *edge).width));
}

/// A point of a spline, by its curves: 0 is its start, 1 its end.
QPointF pointAlong(const Spline& spline, double along) {
  const double curves = static_cast<double>((spline.size() - 1) / 3),
               at = std::min(along * curves, curves - 1e-9);
  const auto first = static_cast<size_t>(at) * 3;
  const double t = at - std::floor(at), s = 1 - t;
  return spline[first] * (s * s * s) + spline[first + 1] * (3 * s * s * t) +
         spline[first + 2] * (3 * s * t * t) + spline[first + 3] * (t * t * t);
}

/// Whether a label would lie on a box, which would hide a part of it.
bool coversBox(const PaintInput& input, const QRectF& screen) {
  return std::ranges::any_of(input.index.itemsIn(input.view.toScene(screen)), [&](int item) {
    return input.scene.items[static_cast<size_t>(item)].kind != ItemKind::Frame;
  });
}

void paintLabels(QPainter& painter, const PaintInput& input, const std::vector<int>& edges) {
  constexpr double kLeastLabel = 9; // pixels; there is room beside edges, so they need not shrink with boxes
  QFont font = input.font;
  font.setPixelSize(
      static_cast<int>(std::lround(std::max(kLabelPixels * std::min(input.view.scale, 1.6), kLeastLabel))));
  painter.setFont(font);
  const QFontMetricsF metrics(font);
  std::vector<QRectF> taken; // a label that would lie on another one is left out
  for (const int e : edges) {
    const SceneEdge& edge = input.scene.edges[static_cast<size_t>(e)];
    if (edge.label.isEmpty() || edge.spline.size() < 4 || layerOf(input, edge) == EdgeLayer::Dimmed) continue;
    QRectF rect({}, QSizeF(metrics.horizontalAdvance(edge.label) + 6, metrics.height()));
    const auto isFree = [&](double along) {
      rect.moveCenter(input.view.toScreen(pointAlong(edge.spline, along)));
      return std::ranges::none_of(taken, [&](const QRectF& r) { return r.intersects(rect); }) &&
             !coversBox(input, rect);
    };
    if (!std::ranges::any_of(std::initializer_list<double>{0.5, 0.3, 0.7}, isFree)) continue;
    taken.push_back(rect);
    QColor background = input.theme.canvas;
    background.setAlphaF(0.88F);
    painter.fillRect(rect, background);
    painter.setPen(input.theme.label);
    painter.drawText(rect, Qt::AlignCenter, edge.label);
  }
}

} // namespace

QPointF middleOf(const Spline& spline) {
  if (spline.size() < 4) return spline.empty() ? QPointF() : spline.front();
  const size_t curves = (spline.size() - 1) / 3, at = (curves / 2) * 3;
  if (curves % 2 == 0) return spline[at]; // a joint
  return (spline[at] + 3 * spline[at + 1] + 3 * spline[at + 2] + spline[at + 3]) / 8;
}

void paintEdges(QPainter& painter, const PaintInput& input, const std::vector<int>& edges) {
  if (input.view.scale < kCurvesFrom || edges.size() > kMaxCurves) {
    paintLines(painter, input, edges);
    return;
  }
  painter.save();
  painter.translate(input.view.offset);
  painter.scale(input.view.scale, input.view.scale);
  painter.setRenderHint(QPainter::Antialiasing, true);
  for (const EdgeLayer layer : {EdgeLayer::Dimmed, EdgeLayer::Plain, EdgeLayer::Selected})
    paintCurves(painter, input, edges, layer);
  painter.restore();
  if (input.view.scale >= kLabelsFrom) paintLabels(painter, input, edges);
}

} // namespace nodewise::ui
