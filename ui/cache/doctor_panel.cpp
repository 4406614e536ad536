#include "ui/cache/doctor_panel.h"

#include "cache/words.h"
#include "ui/theme/numbers.h"
#include "ui/widgets/column_fit.h"
#include "ui/widgets/table_setup.h"

#include <QHBoxLayout>
#include <QHeaderView>
#include <QVBoxLayout>

#include <algorithm>

namespace nodewise::ui {
namespace {

constexpr int kWhatColumn = 1; // of both tables

TableData findingsData(const DoctorReport& report) {
  const auto findings = std::make_shared<const std::vector<Finding>>(report.findings);
  const auto* f = findings.get();
  TableData data;
  data.rows = findings->size();
  data.keepAlive = findings;
  const auto add = [&](const QString& title, auto words) {
    TableColumn column;
    column.title = title;
    column.text = [f, words](size_t row) { return words((*f)[row]); };
    data.columns.push_back(std::move(column));
  };
  add(DoctorPanel::tr("State"), [](const Finding& finding) {
    return finding.repaired ? DoctorPanel::tr("repaired") : DoctorPanel::tr("found");
  });
  add(DoctorPanel::tr("What"), [](const Finding& finding) { return QString::fromStdString(finding.what); });
  add(DoctorPanel::tr("Repair"),
      [](const Finding& finding) { return QString::fromStdString(finding.remedy); });
  return data;
}

TableData problemsData(std::vector<EntryProblem> list) {
  const auto problems = std::make_shared<const std::vector<EntryProblem>>(std::move(list));
  const auto* p = problems.get();
  TableData data;
  data.rows = problems->size();
  data.keepAlive = problems;
  const auto add = [&](const QString& title, auto words) {
    TableColumn column;
    column.title = title;
    column.text = [p, words](size_t row) { return QString::fromStdString(words((*p)[row])); };
    data.columns.push_back(std::move(column));
  };
  add(DoctorPanel::tr("Key"), [](const EntryProblem& problem) { return problem.entry.key.shortHex(); });
  add(DoctorPanel::tr("What"),
      [](const EntryProblem& problem) { return nodeTitle(problem.entry.op, problem.entry.label); });
  add(DoctorPanel::tr("Problem"), [](const EntryProblem& problem) { return problem.reason; });
  return data;
}

QString summaryOf(const DoctorReport& report) {
  const auto open = std::ranges::count(report.findings, false, &Finding::repaired);
  const auto findings = static_cast<int64_t>(report.findings.size());
  const QString checked = DoctorPanel::tr("%1 and %2 checked: ")
                              .arg(countedText(report.entriesChecked, DoctorPanel::tr("entry")),
                                   countedText(report.objectsChecked, DoctorPanel::tr("object")));
  if (findings == 0) return checked + DoctorPanel::tr("all is well");
  return checked + DoctorPanel::tr("%1, %2 repaired")
                       .arg(countedText(findings, DoctorPanel::tr("finding")), countText(findings - open));
}

} // namespace

DoctorPanel::DoctorPanel(CacheService& service, QWidget* parent)
    : QFrame(parent), m_service(service), m_summary(new QLabel), m_table(new QTableView),
      m_repair(new QPushButton(tr("Repair"))), m_close(new QPushButton(tr("Close"))) {
  setFrameShape(QFrame::StyledPanel);
  setAccessibleName(tr("Check of the database"));
  m_summary->setWordWrap(true);
  m_summary->setTextFormat(Qt::PlainText);
  m_repair->setToolTip(tr("Quarantine what is damaged, remove what belongs to nothing, count anew"));
  m_table->setModel(&m_model);
  m_table->setAccessibleName(tr("Findings"));
  setUpTable(*m_table);
  new ColumnFit(*m_table, kWhatColumn);
  constexpr int kHeight = 160;
  m_table->setMaximumHeight(kHeight);
  auto* top = new QHBoxLayout;
  top->addWidget(m_summary, 1);
  top->addWidget(m_repair);
  top->addWidget(m_close);
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(8, 4, 8, 4);
  layout->addLayout(top);
  layout->addWidget(m_table);
  hide();
  connect(&m_service, &CacheService::checked, this, &DoctorPanel::show);
  connect(&m_service, &CacheService::problemsFound, this, &DoctorPanel::showProblems);
  connect(m_repair, &QPushButton::clicked, this, [this] { m_service.checkDatabase(Repair::Yes); });
  connect(m_close, &QPushButton::clicked, this, &QWidget::hide);
}

void DoctorPanel::show(Repair repair, const Result<DoctorReport>& report) {
  const bool cancelled = !report.ok() && report.error().what == "cancelled";
  if (cancelled)
    m_summary->setText(tr("The check was cancelled"));
  else if (!report.ok())
    m_summary->setText(QString::fromStdString(report.error().text()));
  else
    m_summary->setText(summaryOf(*report));
  const bool open = report.ok() && repair == Repair::No && !report->findings.empty();
  showFindings(report.ok() ? findingsData(*report) : TableData{}, open);
}

void DoctorPanel::showProblems(const QString& summary, const std::vector<EntryProblem>& problems) {
  m_summary->setText(summary);
  showFindings(problemsData(problems), false); // repairing knows nothing of them: what to do stands in each
}

void DoctorPanel::showFindings(TableData findings, bool canRepair) {
  m_model.setData(std::move(findings));
  const bool any = m_model.rowCount() > 0;
  m_table->setVisible(any);
  m_repair->setVisible(canRepair);
  QFrame::show();
  (canRepair ? m_repair : m_close)->setFocus(Qt::OtherFocusReason);
}

} // namespace nodewise::ui
