#include "ui/compare/compare_view.h"

#include "ui/runs/run_tables.h"
#include "ui/theme/numbers.h"
#include "ui/theme/text.h"
#include "ui/widgets/table_setup.h"

#include <QHBoxLayout>
#include <QHeaderView>
#include <QSignalBlocker>
#include <QSplitter>
#include <QToolButton>
#include <QVBoxLayout>

namespace nodewise::ui {
namespace {

QString pathOf(const ComparedRuns& runs, size_t row) {
  const NodeDiff& diff = runs.diff.nodes[row];
  return QString::fromStdString(diff.after ? runs.after.nodes[*diff.after].path
                                           : runs.before.nodes[*diff.before].path);
}

} // namespace

CompareView::CompareView(JobTracker& jobs, RunService& service, std::shared_ptr<LayoutCache> layouts,
                         QWidget* parent)
    : QWidget(parent), m_service(service), m_before(new QComboBox), m_after(new QComboBox),
      m_changedOnly(new QCheckBox(tr("Only what changed"))), m_withGraphs(new QCheckBox(tr("Graphs"))),
      m_graphs(new CompareGraphs(jobs, std::move(layouts))), m_summary(new QLabel), m_empty(new QLabel),
      m_table(new QTableView) {
  m_before->setAccessibleName(tr("Earlier run"));
  m_after->setAccessibleName(tr("Later run"));
  for (QComboBox* box : {m_before, m_after}) {
    box->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    box->setMinimumContentsLength(12); // they share what room there is
  }
  m_changedOnly->setChecked(true);
  m_withGraphs->setChecked(true);
  m_withGraphs->setToolTip(tr("Show both graphs beside each other"));
  auto* swap = new QToolButton;
  swap->setText(QStringLiteral("⇄"));
  swap->setToolTip(tr("The other way round"));
  swap->setAccessibleName(swap->toolTip());
  m_summary->setTextFormat(Qt::PlainText);
  m_summary->setTextInteractionFlags(Qt::TextSelectableByMouse);
  m_summary->setWordWrap(true);
  m_empty->setAlignment(Qt::AlignCenter);
  m_empty->setWordWrap(true);
  m_table->setModel(&m_model);
  m_table->setAccessibleName(tr("Nodes of both runs"));
  setUpTable(*m_table);
  m_table->setSelectionMode(QAbstractItemView::SingleSelection);

  auto* top = new QHBoxLayout;
  top->addWidget(m_before, 1);
  top->addWidget(swap);
  top->addWidget(m_after, 1);
  top->addWidget(m_changedOnly);
  top->addWidget(m_withGraphs);
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(8, 8, 8, 4);
  layout->setSpacing(4);
  layout->addLayout(top);
  layout->addWidget(m_summary);
  auto* rows = new QWidget;
  auto* rowsLayout = new QVBoxLayout(rows);
  rowsLayout->setContentsMargins(0, 0, 0, 0);
  rowsLayout->addWidget(m_table, 1);
  rowsLayout->addWidget(m_empty, 1);
  auto* splitter = new QSplitter(Qt::Vertical);
  splitter->setChildrenCollapsible(false);
  splitter->addWidget(rows);
  splitter->addWidget(m_graphs);
  splitter->setStretchFactor(0, 2);
  splitter->setStretchFactor(1, 3);
  constexpr int kLeastTable = 140; // a few rows, also in a low window
  rows->setMinimumHeight(kLeastTable);
  layout->addWidget(splitter, 1);

  connect(&m_service, &RunService::listed, this, &CompareView::listRuns);
  connect(&m_service, &RunService::compared, this, &CompareView::show);
  for (QComboBox* box : {m_before, m_after})
    connect(box, &QComboBox::activated, this, [this] {
      m_chosen = true;
      ask();
    });
  connect(swap, &QToolButton::clicked, this, [this] {
    const int before = m_before->currentIndex();
    m_before->setCurrentIndex(m_after->currentIndex());
    m_after->setCurrentIndex(before);
    ask();
  });
  connect(m_changedOnly, &QCheckBox::toggled, this, &CompareView::filterRows);
  onRowPicked(*m_table, [this](const QModelIndex& index) {
    if (const auto row = m_model.rowOf(index); row && m_runs && !m_showing) pickRow(*row);
  });
  connect(m_graphs, &CompareGraphs::rowPicked, this, [this](qulonglong row) {
    m_showing = true;
    if (const QModelIndex index = m_model.indexOf(row); index.isValid()) {
      m_table->setCurrentIndex(index);
      m_table->scrollTo(index);
    } else {
      m_table->clearSelection();
    }
    m_showing = false;
    pickRow(row);
  });
  connect(m_withGraphs, &QCheckBox::toggled, this, [this](bool on) {
    m_graphs->setVisible(on);
    readGraphs();
  });
  listRuns();
  filterRows();
}

void CompareView::listRuns() {
  const QDateTime now = QDateTime::currentDateTime();
  for (QComboBox* box : {m_before, m_after}) {
    const QSignalBlocker quiet(box);
    const QVariant kept = box->currentData();
    box->clear();
    for (const RunRow& run : m_service.runs())
      box->addItem(tr("%1 · %2 of %3 hit").arg(runTitle(run, now), countText(run.hits), countText(run.nodes)),
                   QVariant::fromValue<qlonglong>(run.id));
    box->setCurrentIndex(kept.isValid() ? box->findData(kept) : -1);
  }
  // Until somebody chooses, the newest run and the one before it, of the same graph if there is one.
  if (m_chosen || m_service.runs().empty()) return;
  const std::vector<RunRow>& runs = m_service.runs();
  const auto same = std::find_if(runs.begin() + 1, runs.end(),
                                 [&](const RunRow& run) { return run.file == runs.front().file; });
  m_after->setCurrentIndex(0);
  m_before->setCurrentIndex(runs.size() < 2      ? 0
                            : same == runs.end() ? 1
                                                 : static_cast<int>(same - runs.begin()));
  if (isVisible()) ask();
}

void CompareView::compare(int64_t before, int64_t after) {
  m_chosen = true;
  m_before->setCurrentIndex(m_before->findData(QVariant::fromValue<qlonglong>(before)));
  m_after->setCurrentIndex(m_after->findData(QVariant::fromValue<qlonglong>(after)));
  m_service.compare(before, after);
}

void CompareView::showEvent(QShowEvent* event) {
  QWidget::showEvent(event);
  if (!m_chosen) ask();
  readGraphs();
}

/// Only when they are looked at.
void CompareView::readGraphs() {
  if (!m_graphsStale || !isVisible() || !m_withGraphs->isChecked()) return;
  m_graphsStale = false;
  m_graphs->compare(m_runs);
}

void CompareView::pickRow(size_t row) {
  m_graphs->showRow(row);
  m_picking = true;
  Q_EMIT nodePicked(pathOf(*m_runs, row));
  m_picking = false;
}

void CompareView::ask() {
  const QVariant before = m_before->currentData(), after = m_after->currentData();
  if (before.isValid() && after.isValid()) m_service.compare(before.toLongLong(), after.toLongLong());
}

void CompareView::show(const std::shared_ptr<const ComparedRuns>& runs) {
  const bool first = !m_runs;
  m_runs = runs;
  m_graphsStale = true;
  fill();
  readGraphs();
  if (first) {
    m_table->resizeColumnsToContents();
    for (int column = 0; column < m_model.columnCount(); ++column)
      m_table->setColumnWidth(column, std::min(m_table->columnWidth(column), 260));
  }
}

void CompareView::fill() {
  m_model.setData(compareTable(m_runs, makeTheme(m_dark)));
  if (m_runs) {
    const RunDiff& diff = m_runs->diff;
    QStringList counts;
    for (const NodeChangeRow& row : nodeChangeTable())
      if (diff.count(row.change) > 0)
        counts.push_back(countText(diff.count(row.change)) + u' ' + text(row.name));
    m_summary->setText(
        tr("Before: %1\nAfter: %2\nNodes: %3 · compile %4 · all phases %5 · wall %6 · saved %7")
            .arg(runLine(m_runs->before), runLine(m_runs->after), counts.join(QStringLiteral(", ")),
                 differenceText(diff.compileDiff), differenceText(diff.totalDiff),
                 differenceText(diff.wallDiff), differenceText(diff.savedDiff)));
  }
  filterRows();
}

void CompareView::filterRows() {
  if (m_changedOnly->isChecked() && m_runs)
    m_model.setShown([runs = m_runs](size_t row) {
      return row < runs->diff.nodes.size() && runs->diff.nodes[row].change != NodeChange::Same;
    });
  else
    m_model.setShown(nullptr);
  const bool rows = m_model.rowCount() > 0;
  m_summary->setVisible(m_runs != nullptr);
  m_table->setVisible(rows);
  m_empty->setVisible(!rows);
  m_empty->setText(
      !m_runs ? tr("Choose two runs above, or pick them in Runs.")
              : tr("No node changed: the same keys, the same outcomes. Untick \"Only what changed\" to see "
                   "what each cost."));
}

void CompareView::showNode(const QString& path) {
  if (!m_runs || m_picking) return;
  m_showing = true;
  m_table->clearSelection();
  for (size_t row = 0; row < m_runs->diff.nodes.size(); ++row)
    if (pathOf(*m_runs, row) == path) {
      if (const QModelIndex index = m_model.indexOf(row); index.isValid()) {
        m_table->setCurrentIndex(index);
        m_table->scrollTo(index);
      }
      if (isVisible()) m_graphs->showRow(row);
      break;
    }
  m_showing = false;
}

void CompareView::setDarkTheme(bool dark) {
  m_dark = dark;
  m_graphs->setDarkTheme(dark);
  fill();
}

} // namespace nodewise::ui
