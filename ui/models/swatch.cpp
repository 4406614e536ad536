#include "ui/models/swatch.h"

#include "ui/theme/text.h"

#include <QPainter>

#include <map>
#include <memory>

namespace nodewise::ui {
namespace {

constexpr int kSwatch = 16;

QPixmap blank() {
  QPixmap pixmap(kSwatch * 2, kSwatch * 2);
  pixmap.setDevicePixelRatio(2);
  pixmap.fill(Qt::transparent);
  return pixmap;
}

void drawLetter(QPainter& painter, const QRectF& rect, const QString& letter, const QColor& colour) {
  QFont font = painter.font();
  font.setPixelSize(11);
  font.setBold(true);
  painter.setFont(font);
  painter.setPen(colour);
  painter.drawText(rect, Qt::AlignCenter, letter);
}

} // namespace

QPixmap swatchOf(const Category& category, const Theme& theme, bool exactColour) {
  QPixmap pixmap = blank();
  QPainter painter(&pixmap);
  const QColor fill =
      exactColour && category.colour != 0 ? QColor(category.colour) : theme.fill(category.colour);
  QPen pen(category.border == Border::Thin ? theme.boxBorder : QColor(category.colour),
           category.border == Border::Thick ? 2 : 1);
  if (category.border == Border::Dashed) pen.setStyle(Qt::DashLine);
  painter.setPen(pen);
  painter.setBrush(fill);
  const QRectF r(0.5, 0.5, kSwatch - 1, kSwatch - 1);
  painter.drawRect(r);
  if (category.hatched) painter.fillRect(r, QBrush(theme.box, Qt::BDiagPattern));
  drawLetter(painter, r, category.letter, category.colour == 0 ? theme.quietText : Theme::textOn(fill));
  return pixmap;
}

TableColumn statusColumn(const QString& title, std::function<std::optional<Status>(size_t)> status,
                         const Theme& theme) {
  TableColumn column = textColumn(title, [status](size_t row) {
    const auto is = status(row);
    return is ? text(statusRow(*is).name) : QStringLiteral("—");
  });
  const auto drawn = std::make_shared<std::map<Status, QPixmap>>(); // when first shown
  column.badge = [status = std::move(status), theme, drawn](size_t row) {
    const auto is = status(row);
    if (!is) return QPixmap();
    QPixmap& badge = (*drawn)[*is];
    if (badge.isNull()) badge = swatchOf(categoryOf(statusRow(*is)), theme, false);
    return badge;
  };
  return column;
}

QPixmap markSwatch(const Category& mark, const Theme& theme) {
  QPixmap pixmap = blank();
  QPainter painter(&pixmap);
  const QRectF r(1, 1, kSwatch - 2, kSwatch - 2);
  painter.fillRect(r, theme.text);
  drawLetter(painter, r, mark.letter, theme.box);
  return pixmap;
}

QIcon decoration(const QPixmap& picture) {
  QIcon icon(picture);
  icon.addPixmap(picture, QIcon::Selected);
  return icon;
}

} // namespace nodewise::ui
