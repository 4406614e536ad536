// Light, dark, or as the system has it.
#pragma once

#include <QColor>
#include <QPalette>

#include <cstdint>

namespace nodewise::ui {

enum class ThemeChoice : uint8_t { System, Light, Dark };

/// Colours of what we paint ourselves; widgets take theirs from the palette.
struct Theme {
  bool dark = false;
  QColor canvas, box, boxBorder, text, quietText, edge, frame, frameBorder, accent, label;

  /// A category's colour as it is filled here: darker in the dark, so that light letters stand on it. 0: the
  /// box's.
  QColor fill(QRgb colour) const;
  /// Black or white, whichever is read better on a fill: at least 4.5 to 1 on any.
  static QColor textOn(const QColor& fill);
};

/// Contrast of two opaque colours after WCAG 2.2: from 1 (equal) to 21.
double contrastRatio(const QColor& a, const QColor& b);

Theme makeTheme(bool dark);
/// Whether a palette is a dark one: its text is lighter than its window.
bool isDark(const QPalette& palette);
QPalette makePalette(bool dark);
/// The palette to follow the system with: the system's own, or, where it has none and the style's standard
/// one stands in, ours.
QPalette systemPalette(const QPalette& present, const QPalette& standard);

/// An evenly perceived ramp (viridis) for costs; `position` from 0 to 1.
QColor costColour(double position);
/// Position of `value` between `least` and `greatest` on a log scale; 0 where the range is empty.
double logPosition(int64_t value, int64_t least, int64_t greatest);

} // namespace nodewise::ui
