#include "ui/runs/runs_view.h"

#include "ui/models/node_query.h"
#include "ui/runs/run_tables.h"
#include "ui/theme/text.h"
#include "ui/widgets/column_fit.h"
#include "ui/widgets/file_dialog.h"
#include "ui/widgets/query_problem.h"
#include "ui/widgets/table_setup.h"

#include <QAction>
#include <QClipboard>
#include <QDateTime>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QMenu>
#include <QVBoxLayout>

#include <algorithm>

namespace nodewise::ui {

RunsView::RunsView(RunService& service, QWidget* parent)
    : QWidget(parent), m_service(service), m_table(new QTableView), m_filter(new QLineEdit),
      m_problem(new QLabel), m_empty(new EmptyText(m_table)), m_show(new QToolButton),
      m_compare(new QToolButton), m_export(new QToolButton), m_report(new QToolButton) {
  m_show->setText(tr("Show costs"));
  m_show->setToolTip(tr("Show the selected run in Cost and Timeline (Enter)"));
  m_compare->setText(tr("Compare"));
  m_export->setText(tr("Export  ")); // room for the arrow
  m_export->setToolTip(tr("Write the selected run for other programs"));
  m_report->setText(tr("Report…"));
  m_report->setToolTip(tr("Write the selected run as one HTML file: the graph, the reasons, the costs"));
  m_export->setPopupMode(QToolButton::InstantPopup);
  auto* formats = new QMenu(m_export);
  for (const ExportFormatRow& row : exportFormats()) {
    QAction* action = formats->addAction(tr("%1: %2").arg(text(row.name), text(row.doc)));
    connect(action, &QAction::triggered, this, [this, format = row.format] { exportRun(format); });
  }
  m_export->setMenu(formats);
  m_table->setModel(&m_model);
  m_table->setAccessibleName(tr("Recorded runs"));
  setUpTable(*m_table);
  m_table->setSelectionMode(QAbstractItemView::ExtendedSelection);
  m_table->sortByColumn(0, Qt::DescendingOrder);
  new ColumnFit(*m_table, kGraphColumn);
  repaintEachMinute(*m_table);
  setFocusProxy(m_filter); // the first of the view: Tab would pass by what stands before it

  auto* top = new QHBoxLayout;
  m_filter->setPlaceholderText(tr("Filter: compile  name:radon  hits=0  cost>100ms  age<1d"));
  m_filter->setToolTip(tr("Pick one run to look at, or two to compare (Ctrl+click)."));
  m_filter->setClearButtonEnabled(true);
  m_filter->setAccessibleName(tr("Filter of the runs"));
  m_problem->setWordWrap(true);
  m_problem->hide();
  top->addWidget(m_filter, 1);
  for (QToolButton* button : {m_show, m_compare, m_report, m_export}) {
    button->setFocusPolicy(Qt::TabFocus);
    top->addWidget(button);
  }
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(8, 8, 8, 4);
  layout->setSpacing(4);
  layout->addLayout(top);
  layout->addWidget(m_problem);
  layout->addWidget(m_table, 1);
  layout->addWidget(m_empty, 1);

  connect(&m_service, &RunService::listed, this, &RunsView::showRuns);
  connect(m_filter, &QLineEdit::textChanged, this, &RunsView::applyFilter);
  connect(m_table->selectionModel(), &QItemSelectionModel::selectionChanged, this, &RunsView::updateButtons);
  const auto show = [this] {
    const std::vector<int64_t> ids = selectedRuns();
    if (ids.empty()) return;
    m_service.show(ids.back());
    Q_EMIT runPicked();
  };
  connect(m_table, &QTableView::activated, this, show);
  connect(m_show, &QToolButton::clicked, this, show);
  connect(m_compare, &QToolButton::clicked, this, [this] {
    if (const auto two = pair()) Q_EMIT compareRequested(two->first, two->second);
  });
  connect(m_report, &QToolButton::clicked, this, [this] {
    if (const std::vector<int64_t> ids = selectedRuns(); !ids.empty()) Q_EMIT reportRequested(ids.back());
  });
  buildMenu();
  showRuns();
}

/// The context menu of the runs: the same as the buttons above them.
void RunsView::buildMenu() {
  const auto add = [this](const QString& words, QToolButton& button) {
    auto* action = new QAction(words, this);
    connect(action, &QAction::triggered, &button, &QToolButton::click);
    m_table->addAction(action);
    return action;
  };
  m_showAction = add(tr("Show costs"), *m_show);
  m_compareAction = add(tr("Compare"), *m_compare);
  m_reportAction = add(tr("Report…"), *m_report);
  m_exportAction = m_export->menu()->menuAction();
  m_exportAction->setText(tr("Export"));
  m_table->addAction(m_exportAction);
  m_copyAction = new QAction(tr("Copy as command"), this);
  m_copyAction->setToolTip(tr("Copy the command line that shows the same in a terminal"));
  connect(m_copyAction, &QAction::triggered, this,
          [this] { QGuiApplication::clipboard()->setText(commandLine()); });
  m_table->addAction(m_copyAction);
  m_table->setContextMenuPolicy(Qt::ActionsContextMenu);
}

QString RunsView::commandLine() const {
  const std::vector<int64_t> ids = selectedRuns();
  if (ids.size() == 2) return QStringLiteral("nodewise diff %1 %2").arg(ids[0]).arg(ids[1]);
  return ids.empty() ? QString() : QStringLiteral("nodewise cost %1").arg(ids.back());
}

void RunsView::showRuns() {
  const std::vector<int64_t> kept = selectedRuns();
  m_model.setData(runsTable(m_service.runs()));
  for (size_t row = 0; row < m_service.runs().size(); ++row)
    if (std::ranges::binary_search(kept, m_service.runs()[row].id))
      m_table->selectionModel()->select(m_model.indexOf(row),
                                        QItemSelectionModel::Select | QItemSelectionModel::Rows);
  applyFilter();
}

void RunsView::applyFilter() {
  FilterPlace place;
  const auto filter = parseFilter(m_filter->text().toStdString(), FilterOn::Runs, &place);
  m_problem->setVisible(!filter.ok());
  if (!filter.ok()) return m_problem->setText(queryProblemText(m_filter->text(), filter.error(), place));
  if (filter->terms.empty())
    m_model.setShown(nullptr);
  else
    m_model.setShown([found = findRuns(*filter, m_service.runs(), QDateTime::currentSecsSinceEpoch())](
                         size_t row) { return row < found.size() && found[row]; });
  m_empty->say(m_model.rowCount() > 0 ? QString()
               : m_service.runs().empty()
                   ? tr("No runs are recorded yet. Open a graph and press Compile all (F5).")
                   : tr("No run matches this filter. Clear it to see all."));
  updateButtons();
}

std::vector<int64_t> RunsView::selectedRuns() const {
  std::vector<int64_t> ids;
  for (const QModelIndex& index : m_table->selectionModel()->selectedRows())
    if (const auto row = m_model.rowOf(index); row && *row < m_service.runs().size())
      ids.push_back(m_service.runs()[*row].id);
  std::ranges::sort(ids);
  return ids;
}

std::optional<std::pair<int64_t, int64_t>> RunsView::pair() const {
  const std::vector<int64_t> ids = selectedRuns();
  if (ids.size() == 2) return std::pair(ids[0], ids[1]);
  if (ids.size() != 1) return {};
  const std::vector<RunRow>& runs = m_service.runs();
  const auto one = std::ranges::find(runs, ids[0], &RunRow::id);
  if (one == runs.end()) return {};
  const auto before =
      std::find_if(one + 1, runs.end(), [&](const RunRow& run) { return run.file == one->file; });
  if (before == runs.end()) return {};
  return std::pair(before->id, one->id);
}

void RunsView::updateButtons() {
  const auto two = pair();
  m_show->setEnabled(!selectedRuns().empty());
  for (QToolButton* button : {m_export, m_report}) button->setEnabled(!selectedRuns().empty());
  for (QAction* action : {m_showAction, m_exportAction, m_reportAction, m_copyAction})
    action->setEnabled(!selectedRuns().empty());
  m_compareAction->setEnabled(two.has_value());
  m_compareAction->setText(!two ? tr("Compare")
                           : selectedRuns().size() == 2
                               ? tr("Compare run %1 with run %2").arg(two->first).arg(two->second)
                               : tr("Compare with the run before, %1").arg(two->first));
  m_compare->setEnabled(two.has_value());
  m_compare->setToolTip(two ? tr("Compare run %1 with run %2").arg(two->first).arg(two->second)
                            : tr("Select two runs, or one that has an earlier one of the same graph"));
}

void RunsView::exportRun(ExportFormat format) {
  const std::vector<int64_t> ids = selectedRuns();
  if (ids.empty()) return;
  const ExportFormatRow& row = exportFormats()[static_cast<size_t>(format)];
  const QString suffix = text(row.suffix);
  FileQuestion question;
  question.title = tr("Export run %1").arg(ids.back());
  question.save = true;
  question.name = QStringLiteral("run-%1.%2").arg(ids.back()).arg(suffix);
  askForFile(this, question,
             [this, id = ids.back(), format](const QString& path) { m_service.exportTo(id, format, path); });
}

} // namespace nodewise::ui
