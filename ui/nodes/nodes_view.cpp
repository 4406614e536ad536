#include "ui/nodes/nodes_view.h"

#include "ui/widgets/column_fit.h"
#include "ui/widgets/table_setup.h"

#include <QVBoxLayout>

namespace nodewise::ui {

NodesView::NodesView(QWidget* parent)
    : QWidget(parent), m_table(new QTableView), m_empty(new EmptyText(m_table)) {
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(8, 8, 8, 4);
  layout->addWidget(m_table, 1);
  layout->addWidget(m_empty, 1);
  setFocusProxy(m_table);
  m_table->setModel(&m_model);
  m_table->setAccessibleName(tr("Nodes"));
  setUpTable(*m_table);
  m_table->setSelectionMode(QAbstractItemView::SingleSelection);
  m_table->sortByColumn(NodeTableModel::Path, Qt::AscendingOrder);
  m_table->setColumnHidden(NodeTableModel::Path, true); // the inspector has it; reasons need the room
  new ColumnFit(*m_table, NodeTableModel::Reason);
  m_table->setContextMenuPolicy(Qt::CustomContextMenu);
  connect(m_table, &QTableView::customContextMenuRequested, this, [this](QPoint at) {
    if (m_table->indexAt(at).isValid()) Q_EMIT contextMenuRequested(m_table->viewport()->mapToGlobal(at));
  });
  connect(&m_model, &NodeTableModel::modelReset, this, &NodesView::showEmptyText);
  onRowPicked(*m_table, [this](const QModelIndex& index) {
    if (!m_showing) Q_EMIT nodePicked(m_model.nodeOf(index));
  });
  showEmptyText();
}

void NodesView::showNode(NodeIndex node) {
  m_showing = true;
  const QModelIndex index = m_model.indexOfNode(node);
  if (index.isValid()) {
    m_table->setCurrentIndex(index);
    m_table->scrollTo(index);
  } else {
    m_table->clearSelection();
  }
  m_showing = false;
}

void NodesView::showEmptyText() {
  m_empty->say(m_model.rowCount() > 0     ? QString()
               : m_model.nodeCount() == 0 ? tr("No graph is open. Open one with Ctrl+O, or drop a file here.")
                                          : tr("No node is left by the filters. Ctrl+Shift+T takes the last "
                                               "one off."));
}

} // namespace nodewise::ui
