// A bar a day: hit rate, compile time saved, or size over time. The numbers stand in the table beside it.
#pragma once

#include "ui/theme/theme.h"

#include <QWidget>

#include <vector>

namespace nodewise::ui {

struct DayBar {
  QString day;
  double height = 0; ///< of the greatest, 0 to 1
  QString text;      ///< tool tip: "2025-03-31: 94.2 %"
};

class DayChart : public QWidget {
  Q_OBJECT
public:
  explicit DayChart(QWidget* parent = nullptr) : QWidget(parent) { setMinimumHeight(80); }
  void setBars(const QString& title, const QString& greatest, std::vector<DayBar> bars);
  void setDarkTheme(bool dark);
  const std::vector<DayBar>& bars() const { return m_bars; }

protected:
  void paintEvent(QPaintEvent* event) override;
  bool event(QEvent* event) override;

private:
  QRectF barRect(size_t bar) const;

  QString m_title, m_greatest;
  std::vector<DayBar> m_bars;
  Theme m_theme = makeTheme(false);
};

} // namespace nodewise::ui
