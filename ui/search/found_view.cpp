#include "ui/search/found_view.h"

#include "ui/theme/numbers.h"
#include "ui/widgets/table_setup.h"

#include <QHeaderView>
#include <QStyledItemDelegate>
#include <QVBoxLayout>

namespace nodewise::ui {
namespace {

/// The outcome by its letter alone: the list is narrow.
class LetterDelegate : public QStyledItemDelegate {
public:
  using QStyledItemDelegate::QStyledItemDelegate;

protected:
  void initStyleOption(QStyleOptionViewItem* option, const QModelIndex& index) const override {
    QStyledItemDelegate::initStyleOption(option, index);
    option->text.clear();
  }
};

} // namespace

FoundView::FoundView(QWidget* parent) : QWidget(parent), m_title(new QLabel), m_table(new QTableView) {
  m_title->setWordWrap(true);
  m_title->setContentsMargins(4, 0, 4, 0);
  m_table->setModel(&m_model);
  m_table->setAccessibleName(tr("Nodes found"));
  setUpTable(*m_table);
  m_table->setSelectionMode(QAbstractItemView::SingleSelection);
  m_table->setSortingEnabled(false);
  // In the graph's order, as next and previous go.
  m_model.sort(NodeTableModel::Path, Qt::AscendingOrder);
  m_table->horizontalHeader()->hide();
  for (int column = 0; column < NodeTableModel::ColumnCount; ++column)
    m_table->setColumnHidden(column, column != NodeTableModel::State && column != NodeTableModel::Op &&
                                         column != NodeTableModel::Detail &&
                                         column != NodeTableModel::CompileCost);
  QHeaderView& header = *m_table->horizontalHeader();
  header.setStretchLastSection(false);
  header.setMinimumSectionSize(24);
  // The cost is never cut off: a part of a number is another number.
  for (const int column : {NodeTableModel::Op, NodeTableModel::Detail})
    header.setSectionResizeMode(column, QHeaderView::Stretch);
  const int letter = fontMetrics().horizontalAdvance(u'm');
  m_table->setItemDelegateForColumn(NodeTableModel::State, new LetterDelegate(m_table));
  m_table->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  m_table->setColumnWidth(NodeTableModel::State, 28);
  m_table->setColumnWidth(NodeTableModel::CompileCost, 5 * letter);
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 4, 0, 0);
  layout->setSpacing(4);
  layout->addWidget(m_title);
  layout->addWidget(m_table, 1);
  setFocusProxy(m_table);
  constexpr int kLeastRows = 5;
  m_table->setMinimumHeight(kLeastRows * m_table->verticalHeader()->defaultSectionSize());
  const auto pick = [this](const QModelIndex& index) {
    if (index.isValid() && !m_showing) Q_EMIT nodePicked(m_model.nodeOf(index));
  };
  connect(m_table->selectionModel(), &QItemSelectionModel::currentRowChanged, this, pick);
  connect(m_table, &QTableView::clicked, this, pick); // also on the row that is current already
}

void FoundView::setFound(const std::vector<NodeIndex>& found, const QString& problem) {
  m_showing = true;
  m_model.setShown(&found);
  m_showing = false;
  m_table->setVisible(!found.empty());
  m_title->setText(!problem.isEmpty() ? problem
                   : found.empty()    ? tr("Nothing found.")
                                      : tr("%1. Enter or F3: next; Shift+F3: previous.")
                                         .arg(countedText(static_cast<int64_t>(found.size()), tr("node"))));
}

void FoundView::showNode(NodeIndex node) {
  m_showing = true;
  if (const QModelIndex index = m_model.indexOfNode(node); index.isValid()) {
    m_table->setCurrentIndex(index.siblingAtColumn(NodeTableModel::Op));
    m_table->scrollTo(index.siblingAtColumn(NodeTableModel::Op));
  } else {
    m_table->clearSelection();
  }
  m_showing = false;
}

} // namespace nodewise::ui
