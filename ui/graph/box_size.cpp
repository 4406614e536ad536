#include "ui/graph/box_size.h"

#include <QFontMetricsF>

#include <algorithm>
#include <cmath>

namespace nodewise::ui {
namespace {

constexpr double kGrid = 4, kPadding = 8, kOpenMark = 16;
/// The least has room for an amount beside the beginning of a detail.
constexpr double kMinWidth = 92, kMaxWidth = 260;

double onGrid(double length) { return std::ceil(length / kGrid) * kGrid; }

} // namespace

TextMeasure::TextMeasure(const QFont& font) {
  QFont regular = font, bold = font;
  regular.setPixelSize(kDetailPixels);
  bold.setPixelSize(kTitlePixels);
  bold.setBold(true);
  const QFontMetricsF regularMetrics(regular), boldMetrics(bold);
  for (size_t c = 0; c < m_regular.size(); ++c) {
    m_regular[c] = regularMetrics.horizontalAdvance(QChar(static_cast<char16_t>(c)));
    m_bold[c] = boldMetrics.horizontalAdvance(QChar(static_cast<char16_t>(c)));
  }
}

double TextMeasure::width(const QString& text, bool bold) const {
  const Widths& widths = bold ? m_bold : m_regular;
  double sum = 0;
  for (const QChar c : text) sum += widths[c.unicode() < widths.size() ? c.unicode() : size_t{'m'}];
  // Fonts come in whole pixels: at most zooms text is a little wider than its box, of which this is a part.
  constexpr double kWider = 1.05, kHinting = 4;
  return sum * kWider + kHinting;
}

QSizeF nodeBoxSize(const TextMeasure& measure, const QString& title, const QString& detail, bool openable) {
  const double text = std::max(measure.width(title, true), measure.width(detail, false));
  const double width = kStrip + 2 * kPadding + text + (openable ? kOpenMark : 0);
  return {onGrid(std::clamp(width, kMinWidth, kMaxWidth)), detail.isEmpty() ? 28.0 : 44.0};
}

QSizeF groupBoxSize(const TextMeasure& measure, const QString& title, const QString& detail) {
  const double text = std::max(measure.width(title, true), measure.width(detail, false));
  return {onGrid(std::clamp(2 * kPadding + text + kOpenMark, 208.0, kMaxWidth)), 68};
}

QSizeF valueBoxSize(const TextMeasure& measure, const QString& text) {
  return {onGrid(std::clamp(2 * kPadding + measure.width(text, false), 32.0, kMaxWidth)), 20};
}

} // namespace nodewise::ui
