#include "ui/theme/outline_style.h"

#include "ui/theme/theme.h"

#include <QPainter>
#include <QStyleOption>

#include <algorithm>
#include <array>
#include <cmath>

namespace nodewise::ui {
namespace {

/// What Fusion outlines with a shade of the window's colour, and fills with another role.
constexpr std::array kPrimitives{QStyle::PE_FrameLineEdit, QStyle::PE_IndicatorCheckBox,
                                 QStyle::PE_IndicatorRadioButton, QStyle::PE_PanelButtonCommand,
                                 QStyle::PE_Frame};
constexpr std::array kComplex{QStyle::CC_ComboBox, QStyle::CC_SpinBox};

template <class Kinds> bool isIn(const Kinds& kinds, auto kind) {
  return std::ranges::find(kinds, kind) != kinds.end();
}

/// A copy of an option whose outline comes out between the grounds of fields and their text; the same where
/// one element is drawn as a part of another.
template <class Option> Option outlined(const Option& option) {
  constexpr int kFusionDarkens = 140;
  constexpr double kText = 0.52;
  const QColor base = option.palette.color(QPalette::Base), text = option.palette.color(QPalette::Text);
  const auto between = [](int a, int b) { return static_cast<int>(std::lround(a + (b - a) * kText)); };
  const QColor line(between(base.red(), text.red()), between(base.green(), text.green()),
                    between(base.blue(), text.blue()));
  Option copy(option);
  copy.palette.setColor(QPalette::Window, line.lighter(kFusionDarkens));
  return copy;
}

/// A line along the edge that the page does not touch.
void markTab(QPainter& painter, const QStyleOptionTab& tab) {
  constexpr int kWidth = 2;
  QRect line = tab.rect;
  switch (tab.shape) {
  case QTabBar::RoundedSouth:
  case QTabBar::TriangularSouth:
    line.setTop(line.bottom() - kWidth + 1);
    break;
  case QTabBar::RoundedWest:
  case QTabBar::TriangularWest:
    line.setWidth(kWidth);
    break;
  case QTabBar::RoundedEast:
  case QTabBar::TriangularEast:
    line.setLeft(line.right() - kWidth + 1);
    break;
  default:
    line.setHeight(kWidth);
  }
  painter.fillRect(line, tab.palette.color(QPalette::Link));
}

} // namespace

bool OutlineStyle::isAdjusted(const QStyleOption& option) const {
  return isDark(option.palette) &&
         baseStyle()->name().compare(QLatin1String("fusion"), Qt::CaseInsensitive) == 0;
}

void OutlineStyle::drawPrimitive(PrimitiveElement element, const QStyleOption* option, QPainter* painter,
                                 const QWidget* widget) const {
  if (!option || !isIn(kPrimitives, element) || !isAdjusted(*option))
    return QProxyStyle::drawPrimitive(element, option, painter, widget);
  if (const auto* frame = qstyleoption_cast<const QStyleOptionFrame*>(option)) {
    const auto copy = outlined(*frame);
    return QProxyStyle::drawPrimitive(element, &copy, painter, widget);
  }
  if (const auto* button = qstyleoption_cast<const QStyleOptionButton*>(option)) {
    const auto copy = outlined(*button);
    return QProxyStyle::drawPrimitive(element, &copy, painter, widget);
  }
  QProxyStyle::drawPrimitive(element, option, painter, widget);
}

void OutlineStyle::drawControl(ControlElement element, const QStyleOption* option, QPainter* painter,
                               const QWidget* widget) const {
  const auto* bar = qstyleoption_cast<const QStyleOptionProgressBar*>(option);
  if (element == CE_ProgressBarGroove && bar && isAdjusted(*option)) {
    const auto copy = outlined(*bar);
    return QProxyStyle::drawControl(element, &copy, painter, widget);
  }
  QProxyStyle::drawControl(element, option, painter, widget);
  const auto* tab = qstyleoption_cast<const QStyleOptionTab*>(option);
  if (element == CE_TabBarTabShape && tab && (tab->state & State_Selected)) markTab(*painter, *tab);
}

void OutlineStyle::drawComplexControl(ComplexControl control, const QStyleOptionComplex* option,
                                      QPainter* painter, const QWidget* widget) const {
  const bool adjusted = option && isIn(kComplex, control) && isAdjusted(*option);
  if (const auto* box = qstyleoption_cast<const QStyleOptionComboBox*>(option); adjusted && box) {
    const auto copy = outlined(*box);
    return QProxyStyle::drawComplexControl(control, &copy, painter, widget);
  }
  if (const auto* spin = qstyleoption_cast<const QStyleOptionSpinBox*>(option); adjusted && spin) {
    const auto copy = outlined(*spin);
    return QProxyStyle::drawComplexControl(control, &copy, painter, widget);
  }
  QProxyStyle::drawComplexControl(control, option, painter, widget);
}

} // namespace nodewise::ui
