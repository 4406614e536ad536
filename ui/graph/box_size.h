// Sizes of boxes by their text, without asking the font on a worker thread.
#pragma once

#include <QFont>
#include <QSizeF>
#include <QString>

#include <array>

namespace nodewise::ui {

/// Widths of a font's Latin characters; made once on the window's thread, then read by workers.
class TextMeasure {
public:
  explicit TextMeasure(const QFont& font);
  double width(const QString& text, bool bold) const;

private:
  using Widths = std::array<double, 128>;
  Widths m_regular{}, m_bold{};
};

/// Font sizes of boxes at zoom 1, in pixels.
inline constexpr int kTitlePixels = 13, kDetailPixels = 11;
/// Width of the strip at a box' left edge that holds the letter.
inline constexpr double kStrip = 20;
inline constexpr double kFrameTitle = 28, kFramePadding = 16;

QSizeF nodeBoxSize(const TextMeasure& measure, const QString& title, const QString& detail, bool openable);
QSizeF groupBoxSize(const TextMeasure& measure, const QString& title, const QString& detail);
QSizeF valueBoxSize(const TextMeasure& measure, const QString& text);

} // namespace nodewise::ui
