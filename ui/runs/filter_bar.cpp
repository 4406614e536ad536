#include "ui/runs/filter_bar.h"

#include "ui/theme/numbers.h"

#include <QToolButton>

namespace nodewise::ui {
namespace {

constexpr int kLongestChip = 360; ///< pixels

} // namespace

FilterBar::FilterBar(NodeFilter& filter, QWidget* parent)
    : QWidget(parent), m_filter(filter), m_chips(new QHBoxLayout), m_count(new QLabel) {
  auto* layout = new QHBoxLayout(this);
  layout->setContentsMargins(8, 4, 8, 4);
  layout->setSpacing(8);
  layout->addWidget(new QLabel(tr("Filters:")));
  m_chips->setSpacing(4);
  layout->addLayout(m_chips);
  layout->addWidget(m_count);
  layout->addStretch(1);
  auto* clear = new QToolButton;
  clear->setText(tr("Show all"));
  clear->setToolTip(tr("Take all filters off"));
  clear->setFocusPolicy(Qt::TabFocus);
  connect(clear, &QToolButton::clicked, &m_filter, &NodeFilter::clear);
  layout->addWidget(clear);
  setAccessibleName(tr("Filters"));
  connect(&m_filter, &NodeFilter::changed, this, &FilterBar::rebuild);
  rebuild();
}

void FilterBar::setCounts(int64_t kept, int64_t all) {
  m_count->setText(tr("%1 of %2").arg(countText(kept), countedText(all, tr("node"))));
  m_count->setVisible(all > 0);
}

void FilterBar::rebuild() {
  while (QLayoutItem* item = m_chips->takeAt(0)) {
    if (item->widget()) item->widget()->deleteLater();
    delete item;
  }
  for (size_t k = 0; k < m_filter.entries().size(); ++k) {
    const QString text = m_filter.entries()[k].text;
    auto* chip = new QToolButton;
    chip->setText(fontMetrics().elidedText(text, Qt::ElideRight, kLongestChip) + QStringLiteral("  ×"));
    chip->setToolTip(tr("%1\nTake this filter off").arg(text));
    chip->setAccessibleName(tr("Take off the filter %1").arg(text));
    chip->setFocusPolicy(Qt::TabFocus);
    connect(chip, &QToolButton::clicked, this, [this, k] { m_filter.removeAt(k); });
    m_chips->addWidget(chip);
  }
  setVisible(!m_filter.empty());
}

} // namespace nodewise::ui
