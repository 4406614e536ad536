#include "ui/nodes/nodes_view.h"

#include "ui/widgets/table_setup.h"

#include <QHeaderView>
#include <QVBoxLayout>

#include <array>

namespace nodewise::ui {

NodesView::NodesView(QWidget* parent) : QWidget(parent), m_table(new QTableView) {
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(8, 8, 8, 4);
  layout->addWidget(m_table);
  setFocusProxy(m_table);
  m_table->setModel(&m_model);
  m_table->setAccessibleName(tr("Nodes"));
  setUpTable(*m_table);
  m_table->setSelectionMode(QAbstractItemView::SingleSelection);
  m_table->sortByColumn(NodeTableModel::Path, Qt::AscendingOrder);
  onRowPicked(*m_table, [this](const QModelIndex& index) {
    if (!m_showing) Q_EMIT nodePicked(m_model.nodeOf(index));
  });
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

void NodesView::fitColumns() {
  static constexpr std::array<const char*, NodeTableModel::ColumnCount> kSamples{
      "mm uncacheable",
      "AdvancedSubt",
      "composite: exp, mul",
      "float64",
      "999 ms",
      "999 ms",
      "999.9 kB",
      "12 345",
      "dtype of input 1: was float64, now float32",
      "$.graph.nodes[1234]"};
  setColumnWidths(*m_table, kSamples);
  m_table->setColumnHidden(NodeTableModel::Path, true); // the inspector has it; reasons need the room
}

} // namespace nodewise::ui
