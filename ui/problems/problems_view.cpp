#include "ui/problems/problems_view.h"

#include "ui/widgets/column_fit.h"
#include "ui/widgets/table_setup.h"

#include <QHeaderView>
#include <QVBoxLayout>

namespace nodewise::ui {

ProblemsView::ProblemsView(Document& document, QWidget* parent)
    : QWidget(parent), m_document(document), m_table(new QTableView), m_empty(new EmptyText(m_table)) {
  m_table->setModel(&m_model);
  m_table->setAccessibleName(tr("Problems of the graph"));
  setUpTable(*m_table);
  m_table->setSelectionMode(QAbstractItemView::SingleSelection);
  new ColumnFit(*m_table, 2);
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->addWidget(m_table, 1);
  layout->addWidget(m_empty, 1);
  onRowPicked(*m_table, [this](const QModelIndex& index) {
    if (const auto row = m_model.rowOf(index); row && !m_showing) Q_EMIT nodePicked((*m_problems)[*row].node);
  });
  for (const auto signal : {&Document::opened, &Document::closed, &Document::statesChanged})
    connect(&m_document, signal, this, &ProblemsView::refresh);
  refresh();
}

void ProblemsView::refresh() {
  m_problems =
      std::make_shared<const std::vector<Problem>>(problemsOf(m_document.nodes(), m_document.states()));
  fill();
  Q_EMIT countChanged(m_problems->size());
}

void ProblemsView::fill() {
  m_model.setData(problemsTable(m_problems, m_document.nodes(), m_theme));
  m_empty->say(!m_problems->empty()  ? QString()
               : m_document.isOpen() ? tr("No problems: no node failed, and all are supported.")
                                     : tr("No graph is open. Open one with Ctrl+O, or drop a file here."));
}

void ProblemsView::setDarkTheme(bool dark) {
  m_theme = makeTheme(dark);
  fill();
}

void ProblemsView::showNode(NodeIndex node) {
  m_showing = true;
  const auto at = std::ranges::find(*m_problems, node, &Problem::node);
  const QModelIndex index = at == m_problems->end()
                                ? QModelIndex()
                                : m_model.indexOf(static_cast<size_t>(at - m_problems->begin()));
  if (index.isValid()) {
    m_table->setCurrentIndex(index);
    m_table->scrollTo(index);
  } else {
    m_table->clearSelection();
  }
  m_showing = false;
}

} // namespace nodewise::ui
