#include "ui/widgets/table_setup.h"

#include "ui/models/node_table_model.h"
#include "ui/theme/outline_style.h"

#include <QHeaderView>
#include <QPainter>
#include <QStyledItemDelegate>
#include <QTimer>

namespace nodewise::ui {
namespace {

int rowHeight(const QWidget& view) { return (view.fontMetrics().height() + 8 + 3) / 4 * 4; }

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
    // The link's colour stands out from both grounds; the highlight of a dark theme is dark itself.
    QColor colour = option.palette.color(selected ? QPalette::HighlightedText : QPalette::Link);
    colour.setAlphaF(selected ? 0.7F : 0.5F);
    const double width = std::max(2.0, (option.rect.width() - 4) * share.toDouble());
    painter->fillRect(QRectF(option.rect.right() - 2 - width, option.rect.bottom() - 3, width, 3), colour);
  }

  QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override {
    const QSize hint = QStyledItemDelegate::sizeHint(option, index);
    return option.widget ? QSize(hint.width(), rowHeight(*option.widget)) : hint;
  }
};

/// Air beside the texts of cells and headers, so that a number does not touch the text in the next column.
class AirStyle : public OutlineStyle {
public:
  explicit AirStyle(QObject* parent) { setParent(parent); }

  int pixelMetric(PixelMetric metric, const QStyleOption* option, const QWidget* widget) const override {
    constexpr int kAir = 5;
    if (metric == PM_FocusFrameHMargin) return kAir;
    if (metric == PM_HeaderMargin) return kAir + 1; // in cells the style adds one
    return OutlineStyle::pixelMetric(metric, option, widget);
  }

  /// Room for the arrow of the sorted column as wide as it is drawn, half as wide as it is high: twice that
  /// would be kept free in every column, and push the last ones out of sight.
  QSize sizeFromContents(ContentsType type, const QStyleOption* option, const QSize& size,
                         const QWidget* widget) const override {
    const auto* header = qstyleoption_cast<const QStyleOptionHeader*>(option);
    if (type != CT_HeaderSection || !header || header->sortIndicator == QStyleOptionHeader::None)
      return OutlineStyle::sizeFromContents(type, option, size, widget);
    QStyleOptionHeaderV2 bare;
    static_cast<QStyleOptionHeader&>(bare) = *header;
    bare.sortIndicator = QStyleOptionHeader::None;
    const QSize text = OutlineStyle::sizeFromContents(type, &bare, size, widget);
    return {text.width() + text.height() / 2 + 2 * pixelMetric(PM_HeaderMargin, option, widget),
            text.height()};
  }
};

} // namespace

void setUpTable(QTableView& table) {
  table.setSelectionBehavior(QAbstractItemView::SelectRows);
  table.setShowGrid(false);
  table.setAlternatingRowColors(true);
  table.setWordWrap(false);
  table.setTabKeyNavigation(false);
  // Before sorting is allowed: that sorts at once, which nobody has asked for yet.
  table.horizontalHeader()->setSortIndicator(-1, Qt::AscendingOrder);
  table.setSortingEnabled(true);
  table.setVerticalScrollMode(QAbstractItemView::ScrollPerPixel);
  table.verticalHeader()->hide();
  table.verticalHeader()->setSectionResizeMode(QHeaderView::Fixed);
  table.verticalHeader()->setDefaultSectionSize(rowHeight(table));
  table.horizontalHeader()->setMinimumSectionSize(24);
  table.horizontalHeader()->setHighlightSections(false);
  table.horizontalHeader()->setStretchLastSection(true);
  table.horizontalHeader()->setDefaultAlignment(Qt::AlignLeft | Qt::AlignVCenter);
  table.setItemDelegate(new BarDelegate(&table));
  auto* style = new AirStyle(&table);
  table.setStyle(style);
  table.horizontalHeader()->setStyle(style); // styles are not inherited
}

void onRowPicked(QAbstractItemView& view, const std::function<void(const QModelIndex&)>& picked) {
  const QItemSelectionModel* selection = view.selectionModel();
  QObject::connect(selection, &QItemSelectionModel::selectionChanged, &view, [selection, picked] {
    if (const QModelIndexList rows = selection->selectedRows(); rows.size() == 1) picked(rows.front());
  });
}

void setUpTree(QTreeView& tree) {
  tree.setUniformRowHeights(true);
  tree.setAlternatingRowColors(true);
  tree.setItemDelegate(new BarDelegate(&tree));
  auto* style = new AirStyle(&tree);
  tree.setStyle(style);
  tree.header()->setStyle(style);
}

void repaintEachMinute(QAbstractItemView& view) {
  auto* timer = new QTimer(&view);
  QObject::connect(timer, &QTimer::timeout, &view, [&view] {
    if (view.isVisible()) view.viewport()->update(); // what is painted next is of then
  });
  constexpr int kMinuteMs = 60'000;
  timer->start(kMinuteMs);
}

} // namespace nodewise::ui
