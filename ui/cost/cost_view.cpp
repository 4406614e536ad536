#include "ui/cost/cost_view.h"

#include "ui/runs/run_tables.h"
#include "ui/theme/text.h"
#include "ui/widgets/column_fit.h"
#include "ui/widgets/table_setup.h"

#include <QHBoxLayout>
#include <QHeaderView>
#include <QVBoxLayout>

namespace nodewise::ui {
CostView::CostView(RunService& service, NodeFilter& filter, QWidget* parent)
    : QWidget(parent), m_service(service), m_filter(filter), m_group(new QComboBox), m_title(new QLabel),
      m_rates(new QLabel), m_tabs(new QTabWidget), m_empty(new EmptyText(m_tabs)), m_table(new QTableView),
      m_evenTable(new QTableView) {
  for (const CostGroupRow& row : costGroupTable()) m_group->addItem(tr("By %1").arg(text(row.name)));
  m_group->setAccessibleName(tr("Rows of the cost table"));
  for (QLabel* label : {m_title, m_rates}) {
    label->setTextFormat(Qt::PlainText);
    label->setWordWrap(true);
    label->setTextInteractionFlags(Qt::TextSelectableByMouse);
  }
  m_title->setAccessibleName(tr("The run that is shown"));
  const auto setUp = [this](QTableView& table, TableModel& model, const QString& name, int stretched) {
    table.setModel(&model);
    table.setAccessibleName(name);
    setUpTable(table);
    new ColumnFit(table, stretched);
    table.setSelectionMode(QAbstractItemView::SingleSelection);
  };
  setUp(*m_table, m_model, tr("Costs"), 0);
  constexpr int kAll = 9; // dearest first
  m_table->sortByColumn(kAll, Qt::DescendingOrder);
  setUp(*m_evenTable, m_evenModel, tr("Break-even"), 1);
  m_tabs->setAccessibleName(tr("Costs by table"));
  m_tabs->addTab(m_table, tr("Phases"));
  m_tabs->addTab(m_evenTable, tr("Break-even"));
  m_tabs->setDocumentMode(true);

  auto* top = new QHBoxLayout;
  top->addWidget(m_title, 1);
  top->addWidget(m_group);
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(8, 8, 8, 4);
  layout->setSpacing(4);
  layout->addLayout(top);
  layout->addWidget(m_rates);
  layout->addWidget(m_tabs, 1);
  layout->addWidget(m_empty, 1);

  auto* filterTo = new QAction(tr("Filter to this"), this);
  filterTo->setToolTip(tr("All views show only what this row is made of"));
  connect(filterTo, &QAction::triggered, this, &CostView::filterToThis);
  m_table->addAction(filterTo);
  m_table->setContextMenuPolicy(Qt::ActionsContextMenu);

  connect(&m_service, &RunService::shown, this, &CostView::showRun);
  connect(&m_filter, &NodeFilter::changed, this, &CostView::fill);
  connect(m_group, &QComboBox::activated, this, &CostView::fill);
  connect(m_tabs, &QTabWidget::currentChanged, this, [this](int tab) { m_group->setVisible(tab == 0); });
  onRowPicked(*m_table, [this](const QModelIndex& index) {
    const auto row = m_model.rowOf(index);
    if (m_showing || !row || !m_costs || *row >= m_costs->rows.size()) return;
    Q_EMIT nodePicked(m_costs->rows[*row].nodes.front());
  });
  onRowPicked(*m_evenTable, [this](const QModelIndex& index) {
    const auto row = m_evenModel.rowOf(index);
    if (!m_showing && row && *row < m_evenNodes.size()) Q_EMIT nodePicked(m_evenNodes[*row]);
  });
  showRun();
}

CostGroup CostView::group() const {
  return costGroupTable()[static_cast<size_t>(std::max(m_group->currentIndex(), 0))].group;
}

void CostView::showRun() {
  const auto run = m_service.current();
  for (QWidget* widget : std::initializer_list<QWidget*>{m_title, m_rates, m_group})
    widget->setVisible(run != nullptr);
  m_empty->say(run ? QString() : tr("No run to show. Compile a graph (F5), or pick a run in Runs."));
  if (!run) return;
  m_title->setText(runLine(run->record));
  m_rates->setText(hitRateText(run->rates));
  fill();
}

void CostView::fill() {
  const auto run = m_service.current();
  if (!run) return;
  const std::vector<bool> kept = m_filter.kept(run->record.nodes.size());
  m_costs =
      std::make_shared<const CostTable>(costTable(run->record, group(), m_filter.empty() ? nullptr : &kept));
  m_model.setData(costTableData(m_costs, group()));
  BreakEvenRows even = breakEvenTable(run);
  m_evenNodes = std::move(even.nodes);
  m_evenModel.setData(std::move(even.data));
  m_evenModel.setShown(m_filter.empty() ? std::function<bool(size_t)>() : [this](size_t row) {
    return row < m_evenNodes.size() && m_filter.keeps(m_evenNodes[row]);
  });
}

void CostView::filterToThis() {
  const auto run = m_service.current();
  const auto row = m_model.rowOf(m_table->currentIndex());
  if (!run || !row || !m_costs || *row >= m_costs->rows.size()) return;
  const CostRow& cost = m_costs->rows[*row];
  const RunNode& first = run->record.nodes[cost.nodes.front()];
  // Ops and scopes are found again in the next run.
  if (group() == CostGroup::Op)
    return m_filter.push(fieldFilter(QStringLiteral("op"), QString::fromStdString(first.op)));
  if (group() == CostGroup::Scope && !first.scope.empty())
    return m_filter.push(fieldFilter(QStringLiteral("scope"), QString::fromStdString(first.scope)));
  std::vector<bool> nodes(run->record.nodes.size());
  for (const size_t n : cost.nodes) nodes[n] = true;
  const QString what =
      group() == CostGroup::Scope ? tr("no scope") : tr("node %1").arg(QString::fromStdString(cost.name));
  m_filter.push(runFilter(what, std::move(nodes)));
}

void CostView::showNode(std::optional<size_t> node) {
  m_showing = true;
  m_table->clearSelection();
  if (node && m_costs)
    for (size_t row = 0; row < m_costs->rows.size(); ++row)
      if (std::ranges::find(m_costs->rows[row].nodes, *node) != m_costs->rows[row].nodes.end()) {
        if (const QModelIndex index = m_model.indexOf(row); index.isValid()) {
          m_table->setCurrentIndex(index);
          m_table->scrollTo(index);
        }
        break;
      }
  m_showing = false;
}

} // namespace nodewise::ui
