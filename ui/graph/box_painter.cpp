#include "ui/graph/box_painter.h"

#include "ui/graph/group_painter.h"
#include "ui/graph/paint_parts.h"

#include <algorithm>

namespace nodewise::ui {
namespace {

constexpr double kDimmed = 0.25;

/// A closed node stands for its inner graph too: where a node in there has failed, it looks failed.
const NodeLook& lookOfBox(const PaintInput& in, const SceneItem& item, NodeLook& failed) {
  constexpr auto kFailed = static_cast<size_t>(Status::Failed);
  const auto group = static_cast<size_t>(item.group);
  const NodeLook& own = lookOf(in, item.node);
  if (item.kind != ItemKind::Node || item.group < 0 || in.colouring.by != ColourBy::Outcome ||
      group >= in.groups.size() || kFailed >= in.groups[group].counts.size() ||
      in.groups[group].counts[kFailed] == 0)
    return own;
  failed = own;
  failed.category = static_cast<uint8_t>(kFailed);
  failed.colour = in.colouring.categories[kFailed].colour;
  return failed;
}

QColor letterColour(const PaintInput& in, const NodeLook& look) {
  return look.colour == 0 ? in.theme.quietText : Theme::textOn(stripColour(in, look));
}

/// What a node's colour stands for, where that is a number.
QString amountOf(const PaintInput& in, NodeIndex node) {
  const auto n = static_cast<size_t>(node);
  const bool known = in.colouring.isRamp() && n < in.colouring.amounts.size() && in.colouring.amounts[n] > 0;
  return known ? in.colouring.amountText(in.colouring.amounts[n]) : QString();
}

/// The mark of a node, or null.
const Category* markOf(const PaintInput& in, const NodeLook& look) {
  return look.mark > 0 && look.mark < in.colouring.marks.size() ? &in.colouring.marks[look.mark] : nullptr;
}

/// The mark's letter on the box' upper right corner.
void paintMark(QPainter& painter, const PaintInput& in, const Fonts& fonts, const Category& mark,
               QPointF corner) {
  const double size = std::max(14 * in.view.scale, kLeastLetter + 2.0);
  QRectF badge({}, QSizeF(size, size));
  badge.moveCenter(corner);
  painter.fillRect(badge, in.theme.text);
  painter.setPen(in.theme.box);
  painter.setFont(fonts.letter);
  painter.drawText(badge, Qt::AlignCenter, mark.letter);
}

/// Title, detail below it, and at the right what the colour stands for: beside whichever leaves it room.
void paintNodeText(QPainter& painter, const PaintInput& in, const Fonts& fonts, const SceneItem& item,
                   const QRectF& text) {
  const bool hasDetail = !item.detail.isEmpty(), small = readable(in, kDetailPixels);
  QRectF title(text), detail;
  if (hasDetail) {
    title.setHeight(text.height() / 2);
    detail = title.translated(0, text.height() / 2);
  }
  if (const QString amount = small ? amountOf(in, item.node) : QString(); !amount.isEmpty()) {
    const QFontMetricsF metrics(fonts.detail);
    const double taken = metrics.horizontalAdvance(amount) + 8 * in.view.scale;
    const bool above = QFontMetricsF(fonts.title).horizontalAdvance(item.title) + taken <= title.width();
    const bool below = hasDetail && metrics.horizontalAdvance(item.detail) + taken <= detail.width();
    QRectF& line = hasDetail && (below || !above) ? detail : title;
    painter.setPen(in.theme.text);
    painter.setFont(fonts.detail);
    drawText(painter, line, amount, Qt::AlignRight | Qt::AlignVCenter);
    line.setRight(line.right() - taken);
  }
  painter.setPen(in.theme.text);
  painter.setFont(fonts.title);
  drawText(painter, title, item.title);
  if (!hasDetail || !small) return;
  painter.setPen(in.theme.quietText);
  painter.setFont(fonts.detail);
  drawText(painter, detail, item.detail);
}

void paintNode(QPainter& painter, const PaintInput& in, const Fonts& fonts, const SceneItem& item,
               int index) {
  const QRectF r = in.view.toScreen(item.rect);
  NodeLook failed;
  const NodeLook& look = lookOfBox(in, item, failed);
  const double s = in.view.scale;
  static const Category kNone;
  const Category& category =
      look.category < in.colouring.categories.size() ? in.colouring.categories[look.category] : kNone;
  const Category* mark = markOf(in, look);
  QPen pen = borderPen(in, category, index == in.selectedItem, index == in.hovered);
  if (mark && index != in.selectedItem) pen = QPen(in.theme.text, std::max(1.5, 2 * s));
  painter.setPen(pen);
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
  if (mark) paintMark(painter, in, fonts, *mark, r.topRight());
  if (!readable(in, kTitlePixels)) return;

  QRectF text = r.adjusted((kStrip + 8) * s, 4 * s, -6 * s, -4 * s);
  if (item.group >= 0) text.setRight(text.right() - 14 * s);
  paintNodeText(painter, in, fonts, item, text);
  if (item.group < 0) return;
  paintOpenMark(painter, in, r);
  paintShares(painter, in, item.group,
              QRectF(r.left() + (kStrip + 8) * s, r.bottom() - 5 * s, r.width() - (kStrip + 14) * s, 3 * s));
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
    painter.setBrush(Qt::NoBrush);
    if (item.kind == ItemKind::Group) {
      painter.fillRect(r, in.theme.box);
      paintShares(painter, in, item.group, r);
    } else {
      NodeLook failed;
      const NodeLook& look = lookOfBox(in, item, failed);
      painter.fillRect(r, look.colour == 0 ? in.theme.boxBorder : stripColour(in, look));
      if (markOf(in, look)) {
        painter.setPen(QPen(in.theme.text, 1));
        painter.drawRect(r);
      }
    }
    if (k == in.selectedItem) {
      painter.setPen(QPen(in.theme.accent, 3));
      painter.drawRect(r.adjusted(-2, -2, 2, 2));
    }
  }
  painter.setOpacity(1);
}

} // namespace

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
