#include "ui/theme/theme.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace nodewise::ui {
namespace {

// Eleven samples of viridis, ten percent apart (van der Walt and Smith, 2015, CC0).
constexpr std::array<QRgb, 11> kViridis{0xff440154, 0xff482475, 0xff414487, 0xff355f8d,
                                        0xff2a788e, 0xff21918c, 0xff22a884, 0xff44bf70,
                                        0xff7ad151, 0xffbddf26, 0xfffde725};

int mix(int a, int b, double t) { return static_cast<int>(std::lround(a + (b - a) * t)); }

QColor mix(QRgb a, QRgb b, double t) {
  return QColor(mix(qRed(a), qRed(b), t), mix(qGreen(a), qGreen(b), t), mix(qBlue(a), qBlue(b), t));
}

/// Relative luminance of an sRGB colour.
double luminance(const QColor& colour) {
  const auto linear = [](float channel) {
    const auto c = static_cast<double>(channel);
    return c <= 0.04045 ? c / 12.92 : std::pow((c + 0.055) / 1.055, 2.4);
  };
  return 0.2126 * linear(colour.redF()) + 0.7152 * linear(colour.greenF()) + 0.0722 * linear(colour.blueF());
}

} // namespace

Theme makeTheme(bool dark) {
  if (dark)
    return {true,      "#1b1d20", "#26292d", "#5b6168", "#e6e8ea", "#a3abb3",
            "#78818a", "#202327", "#4a5057", "#5aa9e6", "#b9c0c7"};
  return {false,     "#fafafa", "#ffffff", "#a0a6ad", "#1c1e21", "#5c646c",
          "#7d868f", "#f1f3f5", "#c3c8ce", "#0b6bcb", "#4a5259"};
}

QColor Theme::fill(QRgb colour) const {
  if (colour == 0) return box;
  return dark ? mix(colour, 0xff000000, 0.25) : QColor(colour);
}

QColor Theme::textOn(const QColor& fill) {
  // Black itself: on middle tones anything lighter falls below the 4.5 to 1 that small text needs.
  const QColor black(Qt::black), white(Qt::white);
  return contrastRatio(black, fill) >= contrastRatio(white, fill) ? black : white;
}

double contrastRatio(const QColor& a, const QColor& b) {
  const auto [least, greatest] = std::minmax({luminance(a), luminance(b)});
  constexpr double kFlare = 0.05;
  return (greatest + kFlare) / (least + kFlare);
}

bool isDark(const QPalette& palette) {
  return palette.color(QPalette::WindowText).lightness() > palette.color(QPalette::Window).lightness();
}

QPalette makePalette(bool dark) {
  const Theme theme = makeTheme(dark);
  const QColor window = dark ? "#25282c" : "#f0f1f3";
  const QColor base = dark ? "#1b1d20" : "#ffffff";
  const QColor button = dark ? "#33373c" : "#e6e8eb";
  QPalette p(theme.text, button, button.lighter(120), button.darker(140), button.darker(115), theme.text,
             QColor(Qt::white), base, window);
  p.setColor(QPalette::AlternateBase, dark ? "#212428" : "#f6f7f8");
  p.setColor(QPalette::Highlight, dark ? "#2b5f8f" : "#0b6bcb");
  p.setColor(QPalette::HighlightedText, Qt::white);
  p.setColor(QPalette::Link, theme.accent);
  p.setColor(QPalette::ToolTipBase, dark ? "#33373c" : "#fffbe6");
  p.setColor(QPalette::ToolTipText, theme.text);
  p.setColor(QPalette::PlaceholderText, theme.quietText);
  for (const auto role : {QPalette::Text, QPalette::WindowText, QPalette::ButtonText})
    p.setColor(QPalette::Disabled, role, dark ? "#6d747b" : "#9aa1a8");
  p.setColor(QPalette::Disabled, QPalette::Highlight, button);
  return p;
}

QPalette systemPalette(const QPalette& present, const QPalette& standard) {
  constexpr std::array kTold{QPalette::Window, QPalette::Base,      QPalette::Text,
                             QPalette::Button, QPalette::Highlight, QPalette::Link};
  const bool isStandard = std::ranges::all_of(
      kTold, [&](QPalette::ColorRole role) { return present.color(role) == standard.color(role); });
  return isStandard ? makePalette(isDark(present)) : present;
}

QColor costColour(double position) {
  const double x = std::clamp(position, 0.0, 1.0) * static_cast<double>(kViridis.size() - 1);
  const size_t k = std::min(static_cast<size_t>(x), kViridis.size() - 2);
  return mix(kViridis[k], kViridis[k + 1], x - static_cast<double>(k));
}

double logPosition(int64_t value, int64_t least, int64_t greatest) {
  if (value <= 0 || least <= 0 || greatest <= least) return 0;
  const double span = std::log(static_cast<double>(greatest)) - std::log(static_cast<double>(least));
  return std::clamp((std::log(static_cast<double>(value)) - std::log(static_cast<double>(least))) / span, 0.0,
                    1.0);
}

} // namespace nodewise::ui
