#include "ui/graph/box_painter.h"

#include "ui/theme/numbers.h"

#include <cmath>

namespace nodewise::ui {
namespace {

constexpr double kCorner = 4;
constexpr int kLeastLetter = 7; // pixels
constexpr double kDimmed = 0.25;

struct Fonts {
  QFont title, detail, letter;
  explicit Fonts(const PaintInput& in) : title(in.font), detail(in.font), letter(in.font) {
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
};

bool readable(const PaintInput& in, int pixels) { return pixels * in.view.scale >= kLeastText; }

const NodeLook& lookOf(const PaintInput& in, NodeIndex node) {
  static constexpr NodeLook kNone{};
  const auto n = static_cast<size_t>(node);
  return n < in.colouring.looks.size() ? in.colouring.looks[n] : kNone;
}

QColor stripColour(const PaintInput& in, const NodeLook& look) {
  // Costs keep their exact colours: they are read off the legend's ramp.
  return in.colouring.isRamp() && look.colour != 0 ? QColor(look.colour) : in.theme.fill(look.colour);
}

QColor letterColour(const PaintInput& in, const NodeLook& look) {
  return look.colour == 0 ? in.theme.quietText : Theme::textOn(stripColour(in, look));
}

QString elided(QPainter& painter, const QString& text, double width) {
  const QFontMetricsF metrics(painter.font());
  if (metrics.horizontalAdvance(text) <= width + 1) return text;
  return metrics.elidedText(text, Qt::ElideRight, width);
}

void drawText(QPainter& painter, const QRectF& rect, const QString& text,
              int flags = Qt::AlignLeft | Qt::AlignVCenter) {
  painter.drawText(rect, flags | Qt::TextSingleLine, elided(painter, text, rect.width()));
}

/// A plus where a box opens to more.
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

/// What a node's colour stands for, where that is a number.
QString amountOf(const PaintInput& in, NodeIndex node) {
  const auto n = static_cast<size_t>(node);
  const bool known = in.colouring.isRamp() && n < in.colouring.amounts.size() && in.colouring.amounts[n] > 0;
  return known ? in.colouring.amountText(in.colouring.amounts[n]) : QString();
}

/// "12 nodes · 34 ms, at most 8.1 ms".
QString groupLine(const PaintInput& in, const SceneItem& item, int index) {
  if (in.found) // "3 of 12 nodes"
    return QStringLiteral("%1 of %2")
        .arg(countText((*in.found)[static_cast<size_t>(index)].nodes), item.detail);
  if (!in.colouring.isRamp() || static_cast<size_t>(item.group) >= in.groups.size()) return item.detail;
  const GroupTotals& totals = in.groups[static_cast<size_t>(item.group)];
  if (totals.greatest == 0) return item.detail;
  const QString greatest = QStringLiteral("max ") + in.colouring.amountText(totals.greatest);
  return in.colouring.adds
             ? QStringLiteral("%1 · %2, %3").arg(item.detail, in.colouring.amountText(totals.sum), greatest)
             : item.detail + QStringLiteral(" · ") + greatest;
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

/// The shares of the categories in a group, as a bar.
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

void paintNode(QPainter& painter, const PaintInput& in, const Fonts& fonts, const SceneItem& item,
               int index) {
  const QRectF r = in.view.toScreen(item.rect);
  const NodeLook& look = lookOf(in, item.node);
  const double s = in.view.scale;
  static const Category kNone;
  const Category& category =
      look.category < in.colouring.categories.size() ? in.colouring.categories[look.category] : kNone;
  painter.setPen(borderPen(in, category, index == in.selectedItem, index == in.hovered));
  painter.setBrush(in.theme.box);
  painter.drawRoundedRect(r, kCorner * s, kCorner * s);
  const QRectF strip = QRectF(r.left(), r.top(), kStrip * s, r.height()).adjusted(0.5, 0.5, 0, -0.5);
  painter.fillRect(strip, stripColour(in, look));
  if (category.hatched) painter.fillRect(strip, QBrush(in.theme.box, Qt::BDiagPattern));
  if (look.colour == 0) {
    painter.setPen(QPen(in.theme.frameBorder, 1));
    painter.drawLine(strip.topRight(), strip.bottomRight());
  }
  if (strip.width() < kLeastLetter - 1) return;
  painter.setPen(letterColour(in, look));
  painter.setFont(fonts.letter);
  painter.drawText(strip, Qt::AlignCenter, category.letter);
  if (!readable(in, kTitlePixels)) return;

  QRectF text = r.adjusted((kStrip + 8) * s, 4 * s, -6 * s, -4 * s);
  if (item.group >= 0) text.setRight(text.right() - 14 * s);
  const bool hasDetail = !item.detail.isEmpty();
  painter.setPen(in.theme.text);
  painter.setFont(fonts.title);
  drawText(painter, hasDetail ? QRectF(text.left(), text.top(), text.width(), text.height() / 2) : text,
           item.title);
  if (readable(in, kDetailPixels)) {
    QRectF line = hasDetail ? QRectF(text.left(), text.center().y(), text.width(), text.height() / 2)
                            : QRectF(text.left(), text.top(), text.width(), text.height());
    painter.setFont(fonts.detail);
    if (const QString badge = amountOf(in, item.node); !badge.isEmpty()) {
      painter.setPen(in.theme.text);
      drawText(painter, line, badge, Qt::AlignRight | Qt::AlignVCenter);
      line.setRight(line.right() - QFontMetricsF(fonts.detail).horizontalAdvance(badge) - 8 * s);
    }
    painter.setPen(in.theme.quietText);
    if (hasDetail && line.width() > 16 * s) drawText(painter, line, item.detail);
  }
  if (item.group < 0) return;
  paintOpenMark(painter, in, r);
  paintShares(painter, in, item.group,
              QRectF(r.left() + (kStrip + 8) * s, r.bottom() - 5 * s, r.width() - (kStrip + 14) * s, 3 * s));
}

void paintGroup(QPainter& painter, const PaintInput& in, const Fonts& fonts, const SceneItem& item,
                int index) {
  const QRectF r = in.view.toScreen(item.rect);
  const double s = in.view.scale;
  painter.setBrush(in.theme.frame);
  painter.setPen(QPen(in.theme.boxBorder, 1));
  painter.drawRoundedRect(r.translated(3 * s, 3 * s), kCorner * s,
                          kCorner * s); // a stack: there is more in it
  painter.setBrush(in.theme.box);
  painter.setPen(borderPen(in, {}, index == in.selectedItem, index == in.hovered));
  painter.drawRoundedRect(r, kCorner * s, kCorner * s);
  paintShares(painter, in, item.group,
              QRectF(r.left() + 8 * s, r.bottom() - 14 * s, r.width() - 16 * s, 8 * s));
  if (!readable(in, kTitlePixels)) return;
  const QRectF text = r.adjusted(8 * s, 4 * s, -22 * s, -18 * s);
  painter.setPen(in.theme.text);
  painter.setFont(fonts.title);
  drawText(painter, QRectF(text.left(), text.top(), text.width(), text.height() / 2), item.title);
  painter.setPen(in.theme.quietText);
  painter.setFont(fonts.detail);
  drawText(painter, QRectF(text.left(), text.center().y(), text.width(), text.height() / 2),
           groupLine(in, item, index));
  paintOpenMark(painter, in, r);
}

void paintValue(QPainter& painter, const PaintInput& in, const Fonts& fonts, const SceneItem& item) {
  const QRectF r = in.view.toScreen(item.rect);
  painter.setPen(QPen(in.theme.frameBorder, 1));
  painter.setBrush(in.theme.frame);
  painter.drawRoundedRect(r, r.height() / 2, r.height() / 2);
  if (!readable(in, kDetailPixels)) return;
  painter.setPen(in.theme.quietText);
  painter.setFont(fonts.detail);
  drawText(painter, r.adjusted(4 * in.view.scale, 0, -4 * in.view.scale, 0), item.title, Qt::AlignCenter);
}

/// Far out: a filled rectangle for each box, nothing else.
void paintDots(QPainter& painter, const PaintInput& in, const std::vector<int>& items) {
  painter.setRenderHint(QPainter::Antialiasing, false);
  for (const int k : items) {
    const SceneItem& item = in.scene.items[static_cast<size_t>(k)];
    if (item.kind == ItemKind::Frame || item.kind == ItemKind::Value) continue;
    QRectF r = in.view.toScreen(item.rect);
    if (r.width() < 2) r.setWidth(2);
    if (r.height() < 2) r.setHeight(2);
    painter.setOpacity(isDimmed(in, k) ? kDimmed : 1);
    if (item.kind == ItemKind::Group) {
      painter.fillRect(r, in.theme.box);
      paintShares(painter, in, item.group, r);
      continue;
    }
    const NodeLook& look = lookOf(in, item.node);
    painter.fillRect(r, look.colour == 0 ? in.theme.boxBorder : stripColour(in, look));
    if (k == in.selectedItem) {
      painter.setPen(QPen(in.theme.accent, 3));
      painter.drawRect(r.adjusted(-2, -2, 2, 2));
    }
  }
  painter.setOpacity(1);
}

} // namespace

void paintFrames(QPainter& painter, const PaintInput& in, const std::vector<int>& items) {
  const Fonts fonts(in);
  painter.setRenderHint(QPainter::Antialiasing, true);
  for (const int k : items) {
    const SceneItem& item = in.scene.items[static_cast<size_t>(k)];
    if (item.kind != ItemKind::Frame) continue;
    const QRectF r = in.view.toScreen(item.rect);
    const double s = in.view.scale;
    painter.setPen(k == in.selectedItem ? QPen(in.theme.accent, 2) : QPen(in.theme.frameBorder, 1));
    painter.setBrush(in.theme.frame);
    painter.drawRoundedRect(r, kCorner * s, kCorner * s);
    if (item.node >= 0)
      painter.fillRect(QRectF(r.left(), r.top(), 4 * s, r.height()), stripColour(in, lookOf(in, item.node)));
    if (!readable(in, kTitlePixels)) continue;
    painter.setPen(in.theme.text);
    painter.setFont(fonts.title);
    const QString title =
        item.detail.isEmpty() ? item.title : item.title + QStringLiteral(" · ") + item.detail;
    drawText(painter, QRectF(r.left() + 12 * s, r.top(), r.width() - 20 * s, kFrameTitle * s), title);
  }
}

void paintBoxes(QPainter& painter, const PaintInput& in, const std::vector<int>& items) {
  if (!readable(in, kTitlePixels) && (in.view.scale < 0.2 || items.size() > 1500)) {
    paintDots(painter, in, items);
    return;
  }
  const Fonts fonts(in);
  painter.setRenderHint(QPainter::Antialiasing, true);
  for (const int k : items) {
    const SceneItem& item = in.scene.items[static_cast<size_t>(k)];
    painter.setOpacity(isDimmed(in, k) ? kDimmed : 1);
    if (item.kind == ItemKind::Node) paintNode(painter, in, fonts, item, k);
    if (item.kind == ItemKind::Group) paintGroup(painter, in, fonts, item, k);
    if (item.kind == ItemKind::Value) paintValue(painter, in, fonts, item);
  }
  painter.setOpacity(1);
}

} // namespace nodewise::ui
