#include "ui/runs/filter_bar.h"

#include <QLabel>
#include <QToolButton>

namespace nodewise::ui {

FilterBar::FilterBar(NodeFilter& filter, QWidget* parent)
    : QWidget(parent), m_filter(filter), m_layout(new QHBoxLayout(this)) {
  m_layout->setContentsMargins(0, 0, 0, 0);
  m_layout->setSpacing(4);
  setAccessibleName(tr("Filters"));
  connect(&m_filter, &NodeFilter::changed, this, &FilterBar::rebuild);
  rebuild();
}

void FilterBar::rebuild() {
  while (QLayoutItem* item = m_layout->takeAt(0)) {
    if (item->widget()) item->widget()->deleteLater();
    delete item;
  }
  for (size_t k = 0; k < m_filter.entries().size(); ++k) {
    auto* button = new QToolButton;
    button->setText(m_filter.entries()[k].text + QStringLiteral("  ✕"));
    button->setToolTip(tr("Take this filter off"));
    button->setAccessibleName(tr("Take off the filter %1").arg(m_filter.entries()[k].text));
    connect(button, &QToolButton::clicked, this, [this, k] { m_filter.removeAt(k); });
    m_layout->addWidget(button);
  }
  m_layout->addStretch(1);
  setVisible(!m_filter.empty());
}

} // namespace nodewise::ui
