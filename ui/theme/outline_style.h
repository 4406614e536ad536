// Outlines that can be seen on dark palettes, and a mark on the chosen tab.
#pragma once

#include <QProxyStyle>

namespace nodewise::ui {

/// Fusion draws the outlines of fields and boxes darker than the window, where a dark palette leaves no
/// room: there they are drawn lighter. Other styles are left as they are.
class OutlineStyle : public QProxyStyle {
public:
  using QProxyStyle::QProxyStyle;

  void drawPrimitive(PrimitiveElement element, const QStyleOption* option, QPainter* painter,
                     const QWidget* widget = nullptr) const override;
  void drawControl(ControlElement element, const QStyleOption* option, QPainter* painter,
                   const QWidget* widget = nullptr) const override;
  void drawComplexControl(ComplexControl control, const QStyleOptionComplex* option, QPainter* painter,
                          const QWidget* widget = nullptr) const override;

private:
  bool isAdjusted(const QStyleOption& option) const;
};

} // namespace nodewise::ui
