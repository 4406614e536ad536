// Where the scene lies on the screen.
#pragma once

#include <QPointF>
#include <QRectF>
#include <QSizeF>

#include <algorithm>

namespace nodewise::ui {

struct ViewTransform {
  static constexpr double kMinScale = 0.002, kMaxScale = 8;
  double scale = 1;
  QPointF offset; ///< screen position of the scene's origin

  QPointF toScreen(QPointF p) const { return p * scale + offset; }
  QPointF toScene(QPointF p) const { return (p - offset) / scale; }
  QRectF toScreen(const QRectF& r) const { return {toScreen(r.topLeft()), r.size() * scale}; }
  QRectF toScene(const QRectF& r) const { return {toScene(r.topLeft()), r.size() / scale}; }

  /// Zooms by a factor; what is at `screen` stays there.
  void zoomAt(QPointF screen, double factor) {
    const QPointF fixed = toScene(screen);
    scale = std::clamp(scale * factor, kMinScale, kMaxScale);
    offset = screen - fixed * scale;
  }
  /// Shows all of `bounds` in a view of this size, at most at `maxScale`.
  void fit(const QRectF& bounds, QSizeF view, double maxScale = 1) {
    constexpr double kMargin = 24;
    if (bounds.isEmpty()) return;
    const double x = (view.width() - 2 * kMargin) / bounds.width(),
                 y = (view.height() - 2 * kMargin) / bounds.height();
    scale = std::clamp(std::min(x, y), kMinScale, maxScale);
    offset = QPointF(view.width(), view.height()) / 2 - bounds.center() * scale;
  }
  void centreOn(QPointF scene, QSizeF view) {
    offset = QPointF(view.width(), view.height()) / 2 - scene * scale;
  }
};

} // namespace nodewise::ui
