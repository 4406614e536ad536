#include "ui/graph/group_painter.h"

#include "ui/theme/numbers.h"

#include <algorithm>

namespace nodewise::ui {
namespace {

/// Pixels that titles of groups and frames, and the lines of groups, keep from afar.
constexpr int kLeastTitle = 10, kLeastDetail = 9;

/// "34 ms, max 8.1 ms"; empty where nothing is measured.
QString amountsOf(const PaintInput& in, const SceneItem& item) {
  if (!in.colouring.isRamp() || static_cast<size_t>(item.group) >= in.groups.size()) return {};
  const GroupTotals& totals = in.groups[static_cast<size_t>(item.group)];
  if (totals.greatest == 0) return {};
  const QString greatest = QStringLiteral("max ") + in.colouring.amountText(totals.greatest);
  return in.colouring.adds ? in.colouring.amountText(totals.sum) + QStringLiteral(", ") + greatest : greatest;
}

/// "12 nodes · 34 ms, max 8.1 ms"; without the nodes where there is no room for both.
QString groupLine(const QPainter& painter, const PaintInput& in, const SceneItem& item, int index,
                  double width) {
  if (in.found) // "3 of 12 nodes"
    return QStringLiteral("%1 of %2")
        .arg(countText((*in.found)[static_cast<size_t>(index)].nodes), item.detail);
  if (static_cast<size_t>(item.group) >= in.groups.size()) return item.detail;
  const GroupTotals& totals = in.groups[static_cast<size_t>(item.group)];
  if (totals.marked > 0) return QStringLiteral("%1 · %2 changed").arg(item.detail, countText(totals.marked));
  const QString amounts = amountsOf(in, item);
  if (amounts.isEmpty()) return item.detail;
  const QString whole = item.detail + QStringLiteral(" · ") + amounts;
  return QFontMetricsF(painter.font()).horizontalAdvance(whole) <= width ? whole : amounts;
}

/// A font that does not get smaller than this: groups and frames have room for it, and are read from afar.
QFont atLeast(QFont font, int pixels) {
  font.setPixelSize(std::max(font.pixelSize(), pixels));
  return font;
}

/// Title and line of a group, as far as they fit above its bar.
void paintGroupText(QPainter& painter, const PaintInput& in, const Fonts& fonts, const SceneItem& item,
                    int index, const QRectF& text) {
  const QFont title = atLeast(fonts.title, kLeastTitle), detail = atLeast(fonts.detail, kLeastDetail);
  const double titleHeight = QFontMetricsF(title).ascent() + 2,
               detailHeight = QFontMetricsF(detail).ascent() + 2;
  if (text.height() < titleHeight) return;
  const bool both = text.height() >= titleHeight + detailHeight;
  const double share = both ? titleHeight / (titleHeight + detailHeight) : 1;
  painter.setPen(in.theme.text);
  painter.setFont(title);
  drawText(painter, QRectF(text.left(), text.top(), text.width(), text.height() * share), item.title);
  if (!both) return;
  painter.setPen(in.theme.quietText);
  painter.setFont(detail);
  drawText(painter, text.adjusted(0, text.height() * share, 0, 0),
           groupLine(painter, in, item, index, text.width()));
}

/// Whether a frame's bar is high enough for its title.
bool titleFits(const PaintInput& in) { return kFrameTitle * in.view.scale >= kLeastTitle + 3; }

/// With how much is in it, where there is room for that; in the painter's font.
QString frameTitle(const QPainter& painter, const SceneItem& item, double width) {
  const QString whole = item.title + QStringLiteral(" · ") + item.detail;
  const bool fits = !item.detail.isEmpty() && QFontMetricsF(painter.font()).horizontalAdvance(whole) <= width;
  return elided(painter, fits ? whole : item.title, width);
}

} // namespace

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
  paintGroupText(painter, in, fonts, item, index, r.adjusted(8 * s, 3 * s, -22 * s, -16 * s));
  if (readable(in, kTitlePixels)) paintOpenMark(painter, in, r);
}

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
    if (!titleFits(in)) continue; // named over what stands in it
    painter.setPen(in.theme.text);
    painter.setFont(atLeast(fonts.title, kLeastTitle));
    const QRectF bar(r.left() + 12 * s, r.top(), r.width() - 20 * s, kFrameTitle * s);
    drawText(painter, bar, frameTitle(painter, item, bar.width()));
  }
}

void paintFrameNames(QPainter& painter, const PaintInput& in, const std::vector<int>& items,
                     const QRect& viewport) {
  if (titleFits(in)) return;
  constexpr int kPixels = 11;
  constexpr double kLeastWidth = 34, kMargin = 3;
  QFont font = in.font;
  font.setPixelSize(kPixels);
  font.setBold(true);
  painter.setFont(font);
  const QFontMetricsF metrics(font);
  std::vector<QRectF> taken; // outer frames come first; what would lie on their names goes without
  for (const int k : items) {
    const SceneItem& item = in.scene.items[static_cast<size_t>(k)];
    if (item.kind != ItemKind::Frame) continue;
    const QRectF r = in.view.toScreen(item.rect);
    if (r.width() < kLeastWidth || r.height() < 2 * metrics.height()) continue;
    // The part of the frame that is seen, so that its name is.
    const QRectF seen = r.intersected(QRectF(viewport));
    const QString name = frameTitle(painter, item, seen.width() - 2 * kMargin);
    const QRectF place(seen.left() + 1, seen.top() + 1, metrics.horizontalAdvance(name) + 2 * kMargin,
                       metrics.height());
    if (std::ranges::any_of(taken, [&](const QRectF& other) { return other.intersects(place); })) continue;
    taken.push_back(place);
    QColor ground = in.theme.frame;
    ground.setAlphaF(0.9F);
    painter.fillRect(place, ground);
    painter.setPen(in.theme.text);
    painter.drawText(place, Qt::AlignCenter | Qt::TextSingleLine, name);
  }
}

} // namespace nodewise::ui
