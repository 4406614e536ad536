// Where things stand on the cache page.
#include "ui/cache/cache_view.h"
#include "ui/widgets/table_setup.h"

#include <QHBoxLayout>
#include <QHeaderView>
#include <QSplitter>
#include <QToolBar>
#include <QVBoxLayout>

namespace nodewise::ui {

void CacheView::buildTable() {
  m_table->setModel(&m_model);
  m_table->setAccessibleName(tr("Cache entries"));
  m_table->setContextMenuPolicy(Qt::ActionsContextMenu);
  setUpTable(*m_table);
  m_table->setSelectionMode(QAbstractItemView::ExtendedSelection);
  m_table->sortByColumn(CacheTableModel::Age, Qt::AscendingOrder);
  m_table->installEventFilter(this);
  QHeaderView* header = m_table->horizontalHeader();
  header->setSectionsMovable(true);
  header->setContextMenuPolicy(Qt::CustomContextMenu);
  for (const CacheTableModel::Column column : {CacheTableModel::Llvm, CacheTableModel::LastUse})
    m_table->setColumnHidden(column, true); // until chosen: mostly alike, or seldom asked for
  m_fit = new ColumnFit(*m_table, CacheTableModel::Label, ColumnFit::Empty::Stays);
  repaintEachMinute(*m_table);
  connect(header, &QHeaderView::customContextMenuRequested, this,
          [this, header](QPoint at) { m_columnMenu->popup(header->mapToGlobal(at)); });
}

void CacheView::buildActions(QLayout& row) {
  auto* bar = new QToolBar; // what has no room stands behind its arrow
  bar->setToolButtonStyle(Qt::ToolButtonTextOnly);
  bar->setAccessibleName(tr("Actions on entries"));
  for (const CacheActionRow& spec : cacheActions()) {
    auto* action = new QAction(tr(spec.text), this);
    m_actions[spec.action] = action;
    connect(action, &QAction::triggered, this, [this, which = spec.action] { start(which); });
    action->setShortcut(QKeySequence::fromString(QString::fromLatin1(spec.keys), QKeySequence::PortableText));
    action->setShortcutContext(Qt::WidgetWithChildrenShortcut); // in the filter these keys edit its text
    action->setToolTip(*spec.keys ? tr(spec.help) + QStringLiteral(" (%1)").arg(
                                                        action->shortcut().toString(QKeySequence::NativeText))
                                  : tr(spec.help));
    if (spec.scope != ActionScope::Entries) continue; // in the window's menu
    m_table->addAction(action);                       // its context menu
    bar->addAction(action);
    if (QWidget* button = bar->widgetForAction(action)) button->setFocusPolicy(Qt::TabFocus);
  }
  row.addWidget(bar);
}

void CacheView::fillColumnMenu() {
  m_columnMenu->clear();
  for (int column = 0; column < CacheTableModel::ColumnCount; ++column) {
    QAction* action =
        m_columnMenu->addAction(m_model.headerData(column, Qt::Horizontal, Qt::DisplayRole).toString());
    action->setCheckable(true);
    action->setChecked(!m_table->isColumnHidden(column));
    action->setEnabled(column != CacheTableModel::Op); // a table without columns could not be brought back
    connect(action, &QAction::toggled, this,
            [this, column](bool shown) { m_table->setColumnHidden(column, !shown); });
  }
}

void CacheView::layOut() {
  m_filter->setPlaceholderText(
      tr("Filter: op:Elemwise  dtype:float64  cost>5ms  size>10k  hits=0  age>30d  /regex/"));
  m_filter->setClearButtonEnabled(true);
  m_filter->setAccessibleName(tr("Filter of the cache table"));
  m_problem->setWordWrap(true);
  m_problem->hide();
  m_totals->setAccessibleName(tr("Totals of the cache table"));
  m_groupBy->addItem(tr("No groups"));
  for (const GroupByRow& row : groupByTable()) m_groupBy->addItem(tr("Group by %1").arg(tr(row.name)));
  m_groupBy->setAccessibleName(tr("Group entries by"));
  m_details->setText(tr("Details"));
  m_details->setToolTip(tr("Show the key and the code of the selected entry; of two, what differs"));
  m_details->setCheckable(true);
  m_details->setFocusPolicy(Qt::TabFocus);
  m_entry->hide();
  connect(m_details, &QToolButton::toggled, m_entry, &QWidget::setVisible);
  m_columns->setText(tr("Columns  ")); // room for the arrow
  m_columns->setToolTip(tr("Choose the columns of the table"));
  m_columns->setPopupMode(QToolButton::InstantPopup);
  m_columns->setFocusPolicy(Qt::TabFocus);
  m_columns->setMenu(m_columnMenu);
  connect(m_columnMenu, &QMenu::aboutToShow, this, &CacheView::fillColumnMenu);
  fillColumnMenu(); // an empty menu does not open
  m_bar->setFocusBack(m_table);
  m_groups->hide();

  auto* top = new QHBoxLayout;
  top->addWidget(m_filter, 1);
  top->addWidget(m_groupBy);
  top->addWidget(m_columns);
  top->addWidget(m_details);
  auto* entries = new QWidget;
  auto* entryLayout = new QVBoxLayout(entries);
  entryLayout->setContentsMargins(0, 0, 0, 0);
  entryLayout->addWidget(m_table, 1);
  entryLayout->addWidget(m_empty, 1);
  auto* splitter = new QSplitter;
  splitter->setChildrenCollapsible(false);
  splitter->addWidget(m_groups);
  auto* upright = new QSplitter(Qt::Vertical);
  upright->setChildrenCollapsible(false);
  upright->addWidget(entries);
  upright->addWidget(m_entry);
  constexpr int kTableHeight = 500, kDetailsHeight = 400;
  upright->setSizes({kTableHeight, kDetailsHeight});
  splitter->addWidget(upright);
  splitter->setStretchFactor(1, 1);
  constexpr int kGroupsWidth = 280, kEntriesWidth = 800;
  splitter->setSizes({kGroupsWidth, kEntriesWidth});
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(8, 8, 8, 4);
  layout->setSpacing(4);
  layout->addLayout(top);
  buildActions(*layout);
  layout->addWidget(m_bar);
  layout->addWidget(m_doctor);
  layout->addWidget(m_problem);
  layout->addWidget(splitter, 1);
  layout->addWidget(m_totals);
}

QByteArray CacheView::saveColumns() const { return m_fit->save(); }

void CacheView::restoreColumns(const QByteArray& state) {
  const QHeaderView* header = m_table->horizontalHeader();
  if (state.isEmpty() || !m_fit->restore(state)) return;
  m_table->setColumnHidden(CacheTableModel::Op, false);
  m_table->sortByColumn(header->sortIndicatorSection(), header->sortIndicatorOrder());
}

} // namespace nodewise::ui
