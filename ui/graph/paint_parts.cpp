#include "ui/graph/paint_parts.h"

#include <algorithm>
#include <cmath>

namespace nodewise::ui {

Fonts::Fonts(const PaintInput& in) : title(in.font), detail(in.font), letter(in.font) {
  const auto pixels = [&](int size) {
    return std::max(1, static_cast<int>(std::lround(size * in.view.scale)));
  };
  title.setPixelSize(pixels(kTitlePixels));
  title.setBold(true);
  detail.setPixelSize(pixels(kDetailPixels));
  // Letters go with colours as long as the strip has room for them.
  letter.setPixelSize(std::max(pixels(kTitlePixels - 1), kLeastLetter));
  letter.setBold(true);
}

const NodeLook& lookOf(const PaintInput& in, NodeIndex node) {
  static constexpr NodeLook kNone{};
  const auto n = static_cast<size_t>(node);
  return n < in.colouring.looks.size() ? in.colouring.looks[n] : kNone;
}

QColor stripColour(const PaintInput& in, const NodeLook& look) {
  // Costs keep their exact colours: they are read off the legend's ramp.
  return in.colouring.isRamp() && look.colour != 0 ? QColor(look.colour) : in.theme.fill(look.colour);
}

QString elided(const QPainter& painter, const QString& text, double width) {
  const QFontMetricsF metrics(painter.font());
  if (metrics.horizontalAdvance(text) <= width) return text; // what is wider would lose a part of a letter
  const QString cut = metrics.elidedText(text, Qt::ElideRight, width);
  return cut.isEmpty() ? QStringLiteral("…") : cut; // nothing would say that there is nothing
}

void drawText(QPainter& painter, const QRectF& rect, const QString& text, int flags) {
  if (rect.width() <= 0) return;
  painter.drawText(rect, flags | Qt::TextSingleLine, elided(painter, text, rect.width()));
}

void paintOpenMark(QPainter& painter, const PaintInput& in, const QRectF& r) {
  const double s = in.view.scale, size = 8 * s;
  const QRectF mark(r.right() - 6 * s - size, r.top() + 6 * s, size, size);
  painter.setPen(QPen(in.theme.quietText, std::max(1.0, s)));
  painter.setBrush(Qt::NoBrush);
  painter.drawRect(mark);
  painter.drawLine(QPointF(mark.left() + 2 * s, mark.center().y()),
                   QPointF(mark.right() - 2 * s, mark.center().y()));
  painter.drawLine(QPointF(mark.center().x(), mark.top() + 2 * s),
                   QPointF(mark.center().x(), mark.bottom() - 2 * s));
}

QPen borderPen(const PaintInput& in, const Category& category, bool selected, bool hovered) {
  if (selected) return QPen(in.theme.accent, std::max(2.0, 2.5 * in.view.scale));
  const QColor colour = category.border == Border::Thin ? in.theme.boxBorder : QColor(category.colour);
  QPen pen(hovered ? in.theme.text : colour, category.border == Border::Thick ? 2.5 : 1.0);
  if (category.border == Border::Dashed) {
    pen.setStyle(Qt::DashLine);
    pen.setWidthF(1.5);
  }
  return pen;
}

void paintShares(QPainter& painter, const PaintInput& in, GroupId group, const QRectF& bar) {
  if (static_cast<size_t>(group) >= in.groups.size()) return;
  const auto& counts = in.groups[static_cast<size_t>(group)].counts;
  int64_t total = 0;
  for (const int64_t count : counts) total += count;
  double x = bar.left();
  for (size_t c = 0; c < counts.size() && total > 0; ++c) {
    const double width = bar.width() * static_cast<double>(counts[c]) / static_cast<double>(total);
    const NodeLook look{static_cast<uint8_t>(c), in.colouring.categories[c].colour};
    if (look.colour != 0) painter.fillRect(QRectF(x, bar.top(), width, bar.height()), stripColour(in, look));
    x += width;
  }
  painter.setPen(QPen(in.theme.boxBorder, 1));
  painter.setBrush(Qt::NoBrush);
  painter.drawRect(bar);
}

} // namespace nodewise::ui
