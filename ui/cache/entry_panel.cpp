#include "ui/cache/entry_panel.h"

#include "cache/words.h"
#include "ui/theme/numbers.h"
#include "ui/widgets/table_setup.h"

#include <QDateTime>
#include <QFontDatabase>
#include <QHeaderView>
#include <QVBoxLayout>

#include <algorithm>

namespace nodewise::ui {
namespace {

QString nameOf(const EntryRow& row) {
  return QStringLiteral("%1 (%2)").arg(QString::fromStdString(nodeTitle(row.op, row.label)),
                                       QString::fromStdString(row.key.shortHex()));
}

/// "made 4 days ago by run 12 in 14 ms (build 1.0 ms, optimise 5.0 ms, emit 8.0 ms)"
QString madeText(const EntryDetail& entry) {
  const Phases& p = entry.phases;
  QString text =
      EntryPanel::tr("Made %1 ago").arg(ageText(QDateTime::currentSecsSinceEpoch() - entry.row.createdUnix));
  if (entry.runId > 0) text += EntryPanel::tr(" by run %1").arg(entry.runId);
  return text + EntryPanel::tr(" in %1: build %2, optimise %3, emit %4 · %5 · %6")
                    .arg(durationText(p.compile()), durationText(p.build), durationText(p.optimise),
                         durationText(p.emit), bytesText(entry.row.objectBytes),
                         countedText(entry.row.hits, EntryPanel::tr("hit")));
}

} // namespace

EntryPanel::EntryPanel(CacheService& service, QWidget* parent)
    : QWidget(parent), m_service(service), m_head(new QLabel), m_tabs(new QTabWidget),
      m_table(new QTableView) {
  m_head->setWordWrap(true);
  m_head->setTextFormat(Qt::PlainText);
  m_head->setTextInteractionFlags(Qt::TextSelectableByMouse);
  m_table->setModel(&m_key);
  m_table->setAccessibleName(tr("Key parts of the entry"));
  setUpTable(*m_table);
  m_table->setSortingEnabled(false);
  m_table->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff); // two columns share what room there is
  m_table->horizontalHeader()->setStretchLastSection(false);
  m_table->horizontalHeader()->setSectionResizeMode(KeyModel::Now, QHeaderView::Stretch);
  m_table->horizontalHeader()->setSectionResizeMode(KeyModel::Then, QHeaderView::Stretch);
  m_tabs->setDocumentMode(true);
  m_tabs->setAccessibleName(tr("The entry's key and code"));
  m_tabs->addTab(m_table, tr("Key"));
  const std::array titles{tr("IR"), tr("Optimised"), tr("Asm")};
  for (size_t k = 0; k < m_code.size(); ++k) {
    auto* text = new QPlainTextEdit;
    text->setReadOnly(true);
    text->setLineWrapMode(QPlainTextEdit::NoWrap);
    text->setFont(QFontDatabase::systemFont(QFontDatabase::FixedFont));
    text->setAccessibleName(titles[k]);
    text->setTabChangesFocus(true);
    m_tabs->addTab(text, titles[k]);
    m_code[k] = text;
  }
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 4, 0, 0);
  layout->setSpacing(4);
  layout->addWidget(m_head);
  layout->addWidget(m_tabs, 1);
  m_rest.setSingleShot(true);
  constexpr int kRestMs = 80;
  m_rest.setInterval(kRestMs);
  connect(&m_rest, &QTimer::timeout, this, &EntryPanel::ask);
  connect(m_tabs, &QTabWidget::currentChanged, this, &EntryPanel::askForCode);
  connect(&m_service, &CacheService::detailsReady, this, &EntryPanel::showDetails);
  connect(&m_service, &CacheService::codeReady, this, &EntryPanel::showCode);
  showEntries({});
}

void EntryPanel::showEntries(std::vector<int64_t> entries) {
  if (entries == m_entries && !entries.empty()) return;
  m_entries = std::move(entries);
  const bool some = !m_entries.empty() && m_entries.size() <= 2;
  m_tabs->setVisible(some);
  if (!some) m_head->setText(tr("Select one entry to see its key and code, or two to compare their keys."));
  if (some) m_rest.start();
}

void EntryPanel::showEvent(QShowEvent* event) {
  QWidget::showEvent(event);
  m_rest.start();
}

void EntryPanel::ask() {
  if (!isVisible() || m_entries.empty() || m_entries.size() > 2) return;
  m_service.requestDetails(m_entries);
  m_shownCode = 0;
  askForCode();
}

void EntryPanel::showDetails(const std::vector<EntryDetail>& details) {
  if (details.empty() || m_entries.empty() || details.front().row.id != m_entries.front()) return;
  const bool two = details.size() == 2;
  m_key.setRows(keyRows(details[0].parts, two ? details[1].parts : std::vector<KeyPart>()), two);
  for (const KeyModel::Column column : {KeyModel::Differs, KeyModel::Then})
    m_table->setColumnHidden(column, !two);
  m_table->resizeColumnToContents(KeyModel::Part);
  m_table->resizeColumnToContents(KeyModel::Differs);
  QString head = nameOf(details[0].row);
  if (two)
    head = tr("Now: %1\nThen: %2").arg(nameOf(details[0].row), nameOf(details[1].row));
  else
    head += u'\n' + madeText(details[0]);
  for (const EntryDetail& detail : details)
    if (!detail.damage.empty())
      head += tr("\nDamaged: %1").arg(QString::fromStdString(detail.damage.front()));
  m_head->setText(head);
  if (two) m_table->scrollTo(m_key.firstDifference());
}

void EntryPanel::askForCode() {
  for (const Tab tab : {IrTab, OptimisedTab, AsmTab}) m_tabs->setTabVisible(tab, m_entries.size() == 1);
  if (m_entries.size() != 1 || m_tabs->currentIndex() < IrTab || m_shownCode == m_entries.front()) return;
  m_shownCode = m_entries.front();
  for (QPlainTextEdit* text : m_code) text->setPlainText(tr("Making IR and assembly…"));
  m_service.requestCode(m_shownCode);
}

void EntryPanel::showCode(int64_t entry, const Result<EntryCode>& code) {
  if (m_entries.size() != 1 || m_entries.front() != entry) return;
  if (!code.ok()) {
    for (QPlainTextEdit* text : m_code) text->setPlainText(QString::fromStdString(code.error().text()));
    return;
  }
  const QString note =
      code->note.empty() ? QString()
                         : QStringLiteral("; ") + QString::fromStdString(code->note) + QStringLiteral("\n\n");
  const std::array texts{&code->code.ir, &code->code.optimisedIr, &code->code.assembly};
  constexpr qsizetype kMost = 200'000; // laying out megabytes would hold the window up
  for (size_t k = 0; k < m_code.size(); ++k)
    m_code[k]->setPlainText(note + QString::fromStdString(*texts[k]).left(kMost));
}

} // namespace nodewise::ui
