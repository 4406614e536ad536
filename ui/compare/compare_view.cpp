#include "ui/compare/compare_view.h"

#include "ui/runs/run_tables.h"
#include "ui/theme/numbers.h"
#include "ui/theme/text.h"
#include "ui/widgets/column_fit.h"
#include "ui/widgets/table_setup.h"

#include <QHBoxLayout>
#include <QHeaderView>
#include <QSignalBlocker>
#include <QSplitter>
#include <QStylePainter>
#include <QToolButton>
#include <QVBoxLayout>

namespace nodewise::ui {
namespace {

QString pathOf(const ComparedRuns& runs, size_t row) {
  const NodeDiff& diff = runs.diff.nodes[row];
  return QString::fromStdString(diff.after ? runs.after.nodes[*diff.after].path
                                           : runs.before.nodes[*diff.before].path);
}

/// A box that says "…" where its text does not fit, instead of ending within a word.
class ElidingBox : public QComboBox {
public:
  using QComboBox::QComboBox;

protected:
  void paintEvent(QPaintEvent*) override {
    QStylePainter painter(this);
    QStyleOptionComboBox option;
    initStyleOption(&option);
    const QRect field =
        style()->subControlRect(QStyle::CC_ComboBox, &option, QStyle::SC_ComboBoxEditField, this);
    option.currentText = fontMetrics().elidedText(option.currentText, Qt::ElideRight, field.width() - 2);
    painter.drawComplexControl(QStyle::CC_ComboBox, option);
    painter.drawControl(QStyle::CE_ComboBoxLabel, option);
  }
};

/// "31 nodes came out otherwise, 33 are as before"
QString changesText(const RunDiff& diff) {
  struct Words {
    NodeChange change;
    QString one, many;
  };
  const Words words[] = {
      {NodeChange::Gone, CompareView::tr("is gone"), CompareView::tr("are gone")},
      {NodeChange::New, CompareView::tr("is new"), CompareView::tr("are new")},
      {NodeChange::Outcome, CompareView::tr("came out otherwise"), CompareView::tr("came out otherwise")},
      {NodeChange::Key, CompareView::tr("has another key"), CompareView::tr("have another key")},
      {NodeChange::Same, CompareView::tr("is as before"), CompareView::tr("are as before")}};
  QStringList said;
  for (const Words& w : words)
    if (const int64_t count = diff.count(w.change); count > 0)
      said.push_back((said.isEmpty() ? countedText(count, CompareView::tr("node")) : countText(count)) +
                     u' ' + (count == 1 ? w.one : w.many));
  return said.isEmpty() ? CompareView::tr("No nodes") : said.join(QStringLiteral(", "));
}

} // namespace

CompareView::CompareView(JobTracker& jobs, RunService& service, std::shared_ptr<LayoutCache> layouts,
                         QWidget* parent)
    : QWidget(parent), m_service(service), m_before(new ElidingBox), m_after(new ElidingBox),
      m_changedOnly(new QCheckBox(tr("Only what changed"))), m_withGraphs(new QCheckBox(tr("Graphs"))),
      m_graphs(new CompareGraphs(jobs, std::move(layouts))), m_summary(new QLabel), m_table(new QTableView),
      m_empty(new EmptyText(m_table)) {
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
  m_table->setModel(&m_model);
  m_table->setAccessibleName(tr("Nodes of both runs"));
  setUpTable(*m_table);
  new ColumnFit(*m_table, kCompareNode);
  m_table->setSelectionMode(QAbstractItemView::SingleSelection);

  auto* top = new QHBoxLayout;
  top->addWidget(m_before, 1);
  top->addWidget(swap);
  top->addWidget(m_after, 1);
  auto* below = new QHBoxLayout;
  below->addWidget(m_summary, 1);
  below->addWidget(m_changedOnly);
  below->addWidget(m_withGraphs);
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(8, 8, 8, 4);
  layout->setSpacing(4);
  layout->addLayout(top);
  layout->addLayout(below);
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
  constexpr int kLeastTable = 96,
                kLeastGraphs = 130; // more would not let the window be 700 pixels high
  rows->setMinimumHeight(kLeastTable);
  m_graphs->setMinimumHeight(kLeastGraphs);
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
  showNode(m_path);
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
  m_runs = runs;
  m_graphsStale = true;
  fill();
  readGraphs();
  showNode(m_path);
}

void CompareView::fill() {
  m_model.setData(compareTable(m_runs, makeTheme(m_dark)));
  if (m_runs) {
    const RunDiff& diff = m_runs->diff;
    m_summary->setText(
        tr("%1 · compile %2 · wall %3")
            .arg(changesText(diff), differenceText(diff.compileDiff), differenceText(diff.wallDiff)));
    m_summary->setToolTip(tr("Before: %1\nAfter: %2\nAll phases: %3. Saved by the cache: %4.")
                              .arg(runLine(m_runs->before), runLine(m_runs->after),
                                   differenceText(diff.totalDiff), differenceText(diff.savedDiff)));
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
  m_path = path;
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
