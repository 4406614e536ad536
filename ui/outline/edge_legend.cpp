#include "ui/outline/edge_legend.h"

#include "ui/theme/numbers.h"

#include <QPainter>

namespace nodewise::ui {
namespace {

constexpr int kMargin = 8, kLine = 40;

} // namespace

EdgeLegend::EdgeLegend(QWidget* parent) : QWidget(parent) {
  setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
  hide();
}

void EdgeLegend::setBytes(std::shared_ptr<const EdgeBytes> bytes) {
  m_bytes = std::move(bytes);
  m_rows.clear();
  if (m_bytes) {
    for (const int64_t size : exampleSizes(*m_bytes))
      m_rows.push_back({edgeWidth(*m_bytes, size), false, bytesText(size)});
    if (m_bytes->unknown > 0) m_rows.push_back({1, true, tr("size unknown")});
  }
  setVisible(m_bytes != nullptr);
  setAccessibleName(title() + QStringLiteral(": ") + texts().join(QStringLiteral(", ")));
  setToolTip(tr("On a log scale. Lengths that the graph leaves open are known after Values was run."));
  updateGeometry();
  update();
}

void EdgeLegend::setDarkTheme(bool dark) {
  m_theme = makeTheme(dark);
  update();
}

QString EdgeLegend::title() const {
  return m_bytes && m_bytes->measured ? tr("Edge width: bytes of the last values") : tr("Edge width: bytes");
}

QStringList EdgeLegend::texts() const {
  QStringList all;
  for (const Row& row : m_rows) all.push_back(row.text);
  return all;
}

QSize EdgeLegend::sizeHint() const {
  return {160, rowHeight() * static_cast<int>(m_rows.size() + 1) + kMargin};
}

void EdgeLegend::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  painter.setRenderHint(QPainter::Antialiasing);
  painter.setPen(palette().color(QPalette::WindowText));
  QFont bold = font();
  bold.setBold(true);
  painter.setFont(bold);
  QRect line(kMargin, 0, width() - 2 * kMargin, rowHeight());
  painter.drawText(line, Qt::AlignLeft | Qt::AlignVCenter, title());
  painter.setFont(font());
  for (const Row& row : m_rows) {
    line.translate(0, rowHeight());
    QPen pen(m_theme.edge, row.width);
    pen.setCapStyle(Qt::FlatCap);
    if (row.dashed) pen.setStyle(Qt::DashLine);
    painter.setPen(pen);
    const double y = line.center().y() + 0.5;
    painter.drawLine(QPointF(line.left(), y), QPointF(line.left() + kLine, y));
    painter.setPen(palette().color(QPalette::WindowText));
    painter.drawText(line.adjusted(kLine + kMargin, 0, 0, 0), Qt::AlignLeft | Qt::AlignVCenter, row.text);
  }
}

} // namespace nodewise::ui
