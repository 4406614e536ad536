#include "ui/outline/outline_delegate.h"

#include "ui/models/outline_model.h"

#include <QApplication>
#include <QPainter>

namespace nodewise::ui {

void OutlineDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option,
                            const QModelIndex& index) const {
  constexpr int kMargin = 4;
  QStyleOptionViewItem row(option);
  initStyleOption(&row, index);
  const QString count = index.data(OutlineModel::kCountRole).toString();
  const int taken = count.isEmpty() ? 0 : row.fontMetrics.horizontalAdvance(count) + 2 * kMargin;
  const QStyle* style = row.widget ? row.widget->style() : QApplication::style();
  // The style cuts the name at the width of the row: where the count begins, cut by what it takes.
  const QRect place = style->subElementRect(QStyle::SE_ItemViewItemText, &row, row.widget);
  const int air = style->pixelMetric(QStyle::PM_FocusFrameHMargin, nullptr, row.widget) + 1;
  // Nodes of one op are told apart by the end of their text as often as by its beginning.
  const Qt::TextElideMode cut =
      index.data(OutlineModel::kIsNodeRole).toBool() ? Qt::ElideMiddle : Qt::ElideRight;
  row.text = row.fontMetrics.elidedText(index.data(OutlineModel::kNameRole).toString(), cut,
                                        option.rect.right() - place.left() - 2 * air - taken);
  style->drawControl(QStyle::CE_ItemViewItem, &row, painter, row.widget);
  if (count.isEmpty()) return;
  const bool selected = row.state & QStyle::State_Selected;
  const QPalette::ColorGroup group = row.state & QStyle::State_Active ? QPalette::Active : QPalette::Inactive;
  painter->save();
  painter->setFont(row.font);
  painter->setPen(row.palette.color(group, selected ? QPalette::HighlightedText : QPalette::PlaceholderText));
  painter->drawText(option.rect.adjusted(0, 0, -kMargin, 0), Qt::AlignRight | Qt::AlignVCenter, count);
  painter->restore();
}

} // namespace nodewise::ui
