#include "ui/widgets/table_setup.h"

#include "ui/models/node_table_model.h"

#include <QHeaderView>
#include <QPainter>
#include <QStyledItemDelegate>

namespace nodewise::ui {
namespace {

/// Draws the share of the column's greatest value behind the number.
class BarDelegate : public QStyledItemDelegate {
public:
  using QStyledItemDelegate::QStyledItemDelegate;

  void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override {
    QStyleOptionViewItem calm(option);
    calm.state &= ~QStyle::State_HasFocus; // the row is what is current, not a cell of it
    QStyledItemDelegate::paint(painter, calm, index);
    const QVariant share = index.data(kBarRole);
    constexpr double kLeast = 0.005;
    if (!share.isValid() || share.toDouble() < kLeast) return;
    const bool selected = option.state & QStyle::State_Selected;
    QColor colour = option.palette.color(selected ? QPalette::HighlightedText : QPalette::Highlight);
    colour.setAlphaF(selected ? 0.7F : 0.35F);
    const double width = std::max(1.0, (option.rect.width() - 4) * share.toDouble());
    painter->fillRect(QRectF(option.rect.right() - 2 - width, option.rect.bottom() - 3, width, 3), colour);
  }
};

} // namespace

void setUpTable(QTableView& table) {
  table.setSelectionBehavior(QAbstractItemView::SelectRows);
  table.setShowGrid(false);
  table.setAlternatingRowColors(true);
  table.setWordWrap(false);
  table.setTabKeyNavigation(false);
  table.setSortingEnabled(true);
  table.setVerticalScrollMode(QAbstractItemView::ScrollPerPixel);
  table.verticalHeader()->hide();
  const int height = (table.fontMetrics().height() + 8 + 3) / 4 * 4;
  table.verticalHeader()->setSectionResizeMode(QHeaderView::Fixed);
  table.verticalHeader()->setDefaultSectionSize(height);
  table.horizontalHeader()->setMinimumSectionSize(24);
  table.horizontalHeader()->setHighlightSections(false);
  table.horizontalHeader()->setStretchLastSection(true);
  table.horizontalHeader()->setDefaultAlignment(Qt::AlignLeft | Qt::AlignVCenter);
  table.setItemDelegate(new BarDelegate(&table));
}

void setColumnWidths(QTableView& table, std::span<const char* const> samples) {
  constexpr int kPadding = 20;
  for (size_t c = 0; c < samples.size(); ++c)
    table.setColumnWidth(static_cast<int>(c),
                         table.fontMetrics().horizontalAdvance(QString::fromUtf8(samples[c])) + kPadding);
}

} // namespace nodewise::ui
