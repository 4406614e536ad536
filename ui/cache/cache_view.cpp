#include "ui/cache/cache_view.h"

#include "ui/theme/numbers.h"
#include "ui/widgets/table_setup.h"

#include <QHBoxLayout>
#include <QHeaderView>
#include <QScrollBar>
#include <QVBoxLayout>

#include <array>
#include <set>

namespace nodewise::ui {
namespace {

constexpr int kTypingMs = 200;

} // namespace

CacheView::CacheView(CacheService& service, QWidget* parent)
    : QWidget(parent), m_service(service), m_filter(new QLineEdit), m_problem(new QLabel),
      m_totals(new QLabel), m_empty(new QLabel), m_table(new QTableView) {
  m_filter->setPlaceholderText(tr("Filter: op:Elemwise  dtype:float64  cost>5ms  size>10k  hits=0  age>30d"));
  m_filter->setClearButtonEnabled(true);
  m_filter->setAccessibleName(tr("Filter of the cache table"));
  m_problem->setWordWrap(true);
  m_problem->hide();
  m_empty->setAlignment(Qt::AlignCenter);
  m_empty->setWordWrap(true);

  auto* top = new QHBoxLayout;
  top->addWidget(m_filter, 1);
  m_invalidate = addButton(*top, tr("Invalidate"),
                           tr("Selected entries are compiled again when they are next needed (Del)"));
  m_restore = addButton(*top, tr("Restore"), tr("Selected entries are used again"));
  m_rerun = addButton(*top, tr("Compile again"),
                      tr("Compile the selected entries now, from what the cache keeps of them"));
  m_table->setModel(&m_model);
  m_table->setAccessibleName(tr("Cache entries"));
  setUpTable(*m_table);
  m_table->setSelectionMode(QAbstractItemView::ExtendedSelection);
  m_table->sortByColumn(CacheTableModel::Age, Qt::AscendingOrder);
  static constexpr std::array<const char*, CacheTableModel::ColumnCount> kSamples{"AdvancedSubt",
                                                                                  "composite: exp, mul",
                                                                                  "float64",
                                                                                  "invalidated",
                                                                                  "Compile",
                                                                                  "999 kB",
                                                                                  "12 345",
                                                                                  "999 days",
                                                                                  "0123456789mm",
                                                                                  "Level",
                                                                                  "sapphirerapids",
                                                                                  "19.1.7mm"};
  setColumnWidths(*m_table, kSamples);
  m_totals->setAccessibleName(tr("Totals of the cache table"));

  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(8, 8, 8, 4);
  layout->setSpacing(4);
  layout->addLayout(top);
  layout->addWidget(m_problem);
  layout->addWidget(m_table, 1);
  layout->addWidget(m_empty, 1);
  layout->addWidget(m_totals);

  connect(&m_model, &CacheTableModel::pageWanted, &m_service, &CacheService::requestPage);
  connect(&m_service, &CacheService::pageReady, &m_model, &CacheTableModel::addPage);
  connect(&m_service, &CacheService::changed, this, &CacheView::refreshKeepingSelection);
  connect(&m_service, &CacheService::totalsReady, this, [this](const EntryTotals& totals) {
    m_counted = totals;
    showState();
  });
  connect(&m_model, &CacheTableModel::answered, this, &CacheView::showState);
  connect(&m_model, &CacheTableModel::failed, this, [this](const Error& error) {
    m_problem->setText(QString::fromStdString(error.text()));
    m_problem->show();
  });
  m_typing.setSingleShot(true);
  m_typing.setInterval(kTypingMs);
  connect(m_filter, &QLineEdit::textChanged, &m_typing, qOverload<>(&QTimer::start));
  connect(m_filter, &QLineEdit::returnPressed, this, &CacheView::applyFilter);
  connect(&m_typing, &QTimer::timeout, this, &CacheView::applyFilter);
  connect(m_invalidate, &QToolButton::clicked, this, [this] { m_service.invalidate(selectedEntries()); });
  connect(m_restore, &QToolButton::clicked, this, [this] { m_service.restore(selectedEntries()); });
  connect(m_rerun, &QToolButton::clicked, this, [this] { Q_EMIT rerunRequested(selectedEntries()); });
  connect(m_table->selectionModel(), &QItemSelectionModel::selectionChanged, this, &CacheView::showState);
  connect(m_table->selectionModel(), &QItemSelectionModel::currentRowChanged, this,
          [this](const QModelIndex& index) {
            if (index.isValid() && !m_restoring) Q_EMIT keyPicked(m_model.entry(index.row()).key);
          });
  m_invalidate->setShortcut(QKeySequence::Delete);
  showState();
}

QToolButton* CacheView::addButton(QLayout& row, const QString& text, const QString& toolTip) {
  auto* button = new QToolButton;
  button->setText(text);
  button->setToolTip(toolTip);
  button->setFocusPolicy(Qt::TabFocus);
  row.addWidget(button);
  return button;
}

void CacheView::applyFilter() {
  m_typing.stop();
  auto filter = parseFilter(m_filter->text().toStdString());
  m_problem->setVisible(!filter.ok());
  if (!filter.ok()) return m_problem->setText(QString::fromStdString(filter.error().text()));
  m_service.requestTotals(*filter);
  m_model.setFilter(std::move(filter).value());
}

void CacheView::refreshKeepingSelection() {
  m_service.requestTotals(m_model.query().filter);
  const std::vector<int64_t> ids = selectedEntries();
  const int scroll = m_table->verticalScrollBar()->value();
  // Once: for the answer to this question.
  connect(
      &m_model, &CacheTableModel::answered, this,
      [this, wanted = std::set<int64_t>(ids.begin(), ids.end()), scroll] {
        if (!selectedEntries().empty()) return; // the rows stayed, and so did what was selected
        m_restoring = true;
        QItemSelection selection;
        for (int row = 0; row < m_model.rowCount() && !wanted.empty(); ++row)
          if (wanted.contains(m_model.entry(row).id))
            selection.select(m_model.index(row, 0), m_model.index(row, CacheTableModel::ColumnCount - 1));
        m_table->selectionModel()->select(selection, QItemSelectionModel::ClearAndSelect);
        m_table->verticalScrollBar()->setValue(scroll);
        m_restoring = false;
      },
      Qt::SingleShotConnection);
  m_model.refresh();
}

std::vector<int64_t> CacheView::selectedEntries() const {
  std::vector<int64_t> ids;
  for (const QModelIndex& index : m_table->selectionModel()->selectedRows())
    ids.push_back(m_model.entry(index.row()).id);
  return ids;
}

void CacheView::showKey(const Hash& key) {
  const int row = m_model.rowOfKey(key);
  if (row < 0) return;
  m_restoring = true; // what is shown here was picked elsewhere
  m_table->selectRow(row);
  m_table->scrollTo(m_model.index(row, 0));
  m_restoring = false;
}

void CacheView::showState() {
  const bool any = m_model.rowCount() > 0;
  const auto selected = static_cast<int64_t>(m_table->selectionModel()->selectedRows().size());
  for (QToolButton* button : {m_invalidate, m_restore, m_rerun}) button->setEnabled(selected > 0);
  m_table->setVisible(any);
  m_empty->setVisible(!any);
  const bool filtered = !m_model.query().filter.terms.empty();
  if (m_model.waiting())
    m_empty->setText(tr("Reading the cache…"));
  else if (filtered)
    m_empty->setText(tr("No entry matches this filter. Clear it to see all."));
  else
    m_empty->setText(
        tr("The cache is empty. Open a graph and compile it (F5): each compiled node becomes an entry."));
  QString text = tr("%1 · %2 · compiling them took %3")
                     .arg(countedText(m_counted.entries, tr("entry")), bytesText(m_counted.bytes),
                          durationText(m_counted.compileNs));
  if (selected > 0) text += tr(" · %1 selected").arg(countText(selected));
  m_totals->setText(text);
}

} // namespace nodewise::ui
