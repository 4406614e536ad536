#include "ui/outline/outline_view.h"

#include "ui/outline/outline_delegate.h"

#include <QHeaderView>
#include <QLabel>
#include <QVBoxLayout>

namespace nodewise::ui {

OutlineView::OutlineView(QWidget* parent)
    : QWidget(parent), m_tree(new QTreeView), m_legendTable(new QTableView), m_edges(new EdgeLegend) {
  m_tree->setModel(&m_outline);
  m_tree->setHeaderHidden(true);
  m_tree->setItemDelegate(new OutlineDelegate(m_tree));
  m_tree->setUniformRowHeights(true);
  m_tree->setFrameShape(QFrame::NoFrame);
  m_tree->setAccessibleName(tr("Outline"));
  m_legendTable->setModel(&m_legend);
  m_legendTable->setAccessibleName(tr("Legend"));
  m_legendTable->setFrameShape(QFrame::NoFrame);
  m_legendTable->setShowGrid(false);
  m_legendTable->viewport()->setBackgroundRole(QPalette::Window);
  m_legendTable->setSelectionBehavior(QAbstractItemView::SelectRows);
  m_legendTable->setSelectionMode(QAbstractItemView::SingleSelection);
  m_legendTable->setTabKeyNavigation(false);
  m_legendTable->horizontalHeader()->hide();
  m_legendTable->verticalHeader()->hide();
  m_legendTable->verticalHeader()->setDefaultSectionSize(24);
  m_legendTable->setToolTip(tr("Double click a row to find its nodes"));

  auto* title = new QLabel(tr("Legend"));
  QFont bold = title->font();
  bold.setBold(true);
  title->setFont(bold);
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(0);
  layout->addWidget(m_tree, 1);
  m_legendPart = new QWidget;
  auto* legend = new QVBoxLayout(m_legendPart);
  legend->setContentsMargins(8, 8, 8, 0);
  legend->setSpacing(4);
  legend->addWidget(title);
  legend->addWidget(m_legendTable);
  layout->addWidget(m_legendPart);
  layout->addWidget(m_edges);
  setColouring({});

  connect(m_tree->selectionModel(), &QItemSelectionModel::currentChanged, this,
          [this](const QModelIndex& index) {
            const OutlineItem* item = m_outline.item(index);
            if (!item || m_showing) return;
            if (item->node >= 0)
              Q_EMIT nodePicked(item->node);
            else if (item->group > 0)
              Q_EMIT groupPicked(item->group);
          });
  connect(m_tree, &QTreeView::activated, this, [this](const QModelIndex& index) {
    const OutlineItem* item = m_outline.item(index);
    if (item && item->group > 0) Q_EMIT groupActivated(item->group);
  });
  const auto pickQuery = [this](const QModelIndex& index) {
    const QString query = m_legend.queryOf(index.row());
    if (!query.isEmpty()) Q_EMIT queryPicked(query);
  };
  connect(m_legendTable, &QTableView::activated, this, pickQuery);
}

void OutlineView::setTree(std::shared_ptr<const OutlineTree> tree) {
  m_outline.setTree(std::move(tree));
  m_tree->expandToDepth(0);
}

void OutlineView::setColouring(const Colouring& colouring) {
  m_legend.setColouring(colouring);
  m_outline.setColouring(colouring);
  m_tree->viewport()->update();
  m_legendTable->horizontalHeader()->setSectionResizeMode(LegendModel::Name, QHeaderView::Stretch);
  m_legendTable->horizontalHeader()->setSectionResizeMode(LegendModel::Count, QHeaderView::ResizeToContents);
  m_legendTable->setFixedHeight(m_legend.rowCount() * 24 + 8);
  m_legendPart->setVisible(m_legend.rowCount() > 0);
}

void OutlineView::setDarkTheme(bool dark) {
  m_legend.setDarkTheme(dark);
  m_edges->setDarkTheme(dark);
  m_outline.setDarkTheme(dark);
  m_tree->viewport()->update();
}

void OutlineView::showNode(NodeIndex node) { showRow(m_outline.indexOfNode(node)); }
void OutlineView::showGroup(GroupId group) { showRow(m_outline.indexOfGroup(group)); }

void OutlineView::showRow(const QModelIndex& index) {
  m_showing = true;
  if (index.isValid()) {
    m_tree->setCurrentIndex(index);
    m_tree->scrollTo(index);
  } else {
    m_tree->clearSelection();
  }
  m_showing = false;
}

} // namespace nodewise::ui
