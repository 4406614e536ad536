#include "ui/stats/day_chart.h"

#include <QHelpEvent>
#include <QPainter>
#include <QToolTip>

#include <algorithm>

namespace nodewise::ui {
namespace {

constexpr double kTop = 24, kBottom = 20, kWidest = 36;

} // namespace

void DayChart::setBars(const QString& title, const QString& greatest, std::vector<DayBar> bars) {
  m_title = title;
  m_greatest = greatest;
  m_bars = std::move(bars);
  setAccessibleName(title);
  update();
}

void DayChart::setDarkTheme(bool dark) {
  m_theme = makeTheme(dark);
  update();
}

/// The newest day stands at the right; days that do not fit are left out on the left.
QRectF DayChart::barRect(size_t bar) const {
  const double step =
      std::clamp(width() / static_cast<double>(std::max<size_t>(m_bars.size(), 1)), 6.0, kWidest);
  const double height = (this->height() - kTop - kBottom) * m_bars[bar].height;
  const double right = width() - static_cast<double>(m_bars.size() - 1 - bar) * step;
  return {right - step + 2, this->height() - kBottom - height, step - 4, std::max(height, 1.0)};
}

void DayChart::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  painter.fillRect(rect(), m_theme.canvas);
  painter.setPen(m_theme.text);
  const QFontMetrics metrics = painter.fontMetrics();
  const int room = width() - 16 - metrics.horizontalAdvance(m_greatest);
  painter.drawText(QRectF(4, 0, width() - 8, kTop), Qt::AlignLeft | Qt::AlignVCenter,
                   metrics.elidedText(m_title, Qt::ElideRight, std::max(room, 0)));
  painter.setPen(m_theme.quietText);
  painter.drawText(QRectF(4, 0, width() - 8, kTop), Qt::AlignRight | Qt::AlignVCenter, m_greatest);
  painter.setPen(m_theme.frameBorder);
  painter.drawLine(QPointF(0, height() - kBottom), QPointF(width(), height() - kBottom));
  if (m_bars.empty()) return;
  for (size_t bar = 0; bar < m_bars.size(); ++bar)
    if (const QRectF rect = barRect(bar); rect.right() > 0) painter.fillRect(rect, m_theme.accent);
  painter.setPen(m_theme.quietText);
  painter.drawText(QRectF(4, height() - kBottom, width() - 8, kBottom), Qt::AlignRight | Qt::AlignVCenter,
                   m_bars.back().day);
}

bool DayChart::event(QEvent* event) {
  if (event->type() != QEvent::ToolTip) return QWidget::event(event);
  const auto* help = static_cast<QHelpEvent*>(event);
  for (size_t bar = 0; bar < m_bars.size(); ++bar) {
    const QRectF rect = barRect(bar);
    if (help->pos().x() < rect.left() - 2 || help->pos().x() > rect.right() + 2) continue;
    QToolTip::showText(help->globalPos(), m_bars[bar].text);
    return true;
  }
  QToolTip::showText(help->globalPos(), m_title);
  return true;
}

} // namespace nodewise::ui
