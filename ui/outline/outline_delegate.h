// Rows of the outline: a name that is cut where there is no room, and at the right edge what is never cut.
#pragma once

#include <QStyledItemDelegate>

namespace nodewise::ui {

class OutlineDelegate : public QStyledItemDelegate {
public:
  using QStyledItemDelegate::QStyledItemDelegate;

  void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override;
};

} // namespace nodewise::ui
