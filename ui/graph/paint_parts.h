// What all boxes of a scene are painted with.
#pragma once

#include "ui/graph/scene_painter.h"

namespace nodewise::ui {

/// Radius of corners at zoom 1.
inline constexpr double kCorner = 4;
/// Pixels of the letter in a node's strip, at least.
inline constexpr int kLeastLetter = 7;
/// No text is painted in letters smaller than this, in screen pixels.
inline constexpr double kLeastText = 6;

/// Fonts of boxes at the zoom of a picture.
struct Fonts {
  QFont title, detail, letter;
  explicit Fonts(const PaintInput& in);
};

/// Whether text of this size at zoom 1 is painted.
inline bool readable(const PaintInput& in, int pixels) { return pixels * in.view.scale >= kLeastText; }

const NodeLook& lookOf(const PaintInput& in, NodeIndex node);
/// The fill of a node's strip, as the theme has it.
QColor stripColour(const PaintInput& in, const NodeLook& look);

/// As much of a text as is not wider than this in the painter's font, with an ellipsis where a part is left
/// out.
QString elided(const QPainter& painter, const QString& text, double width);
void drawText(QPainter& painter, const QRectF& rect, const QString& text,
              int flags = Qt::AlignLeft | Qt::AlignVCenter);

/// A plus where a box opens to more.
void paintOpenMark(QPainter& painter, const PaintInput& in, const QRectF& box);
QPen borderPen(const PaintInput& in, const Category& category, bool selected, bool hovered);
/// The shares of the categories in a group, as a bar.
void paintShares(QPainter& painter, const PaintInput& in, GroupId group, const QRectF& bar);

} // namespace nodewise::ui
