#include "ui/cache/cache_view.h"

#include "ui/theme/numbers.h"
#include "ui/widgets/table_setup.h"

#include <QHBoxLayout>
#include <QHeaderView>
#include <QScrollBar>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>
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
  m_invalidate =
      addCommand(*top, tr("Invalidate"), QKeySequence::Delete,
                 tr("Selected entries are compiled again when they are next needed; can be undone"));
  m_restore = addCommand(*top, tr("Restore"), {}, tr("Selected entries are used again"));
  m_rerun = addCommand(*top, tr("Compile again"), {},
                       tr("Compile the selected entries now, from what the cache keeps of them"));
  m_pin = addCommand(*top, tr("Pin"), {}, tr("Selected entries are never evicted, pruned or cleared"));
  m_unpin = addCommand(*top, tr("Unpin"), {}, tr("Selected entries may be evicted again"));
  m_remove = addCommand(*top, tr("Delete"), QKeySequence(Qt::SHIFT | Qt::Key_Delete),
                        tr("Selected entries are deleted, but for pinned ones; can be undone"));
  m_table->setModel(&m_model);
  m_table->setAccessibleName(tr("Cache entries"));
  m_table->setContextMenuPolicy(Qt::ActionsContextMenu);
  setUpTable(*m_table);
  m_table->setSelectionMode(QAbstractItemView::ExtendedSelection);
  m_table->sortByColumn(CacheTableModel::Age, Qt::AscendingOrder);
  static constexpr std::array<const char*, CacheTableModel::ColumnCount> kSamples{
      "AdvancedSubt", "composite: exp, mul", "float64", "invalidated, pinned", "Compile", "999 kB", "12 345",
      "999 days",     "0123456789mm",        "Level",   "sapphirerapids",      "19.1.7mm"};
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

  connect(&m_model, &CacheTableModel::pageWanted, this, [this] { m_failed = false; });
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
    m_failed = true;
  });
  m_typing.setSingleShot(true);
  m_typing.setInterval(kTypingMs);
  connect(m_filter, &QLineEdit::textChanged, &m_typing, qOverload<>(&QTimer::start));
  connect(m_filter, &QLineEdit::returnPressed, this, &CacheView::applyFilter);
  connect(&m_typing, &QTimer::timeout, this, &CacheView::applyFilter);
  connect(m_invalidate, &QAction::triggered, this, [this] { m_service.invalidate(selectedEntries()); });
  connect(m_restore, &QAction::triggered, this, [this] { m_service.restore(selectedEntries()); });
  connect(m_rerun, &QAction::triggered, this, [this] { Q_EMIT rerunRequested(selectedEntries()); });
  connect(m_pin, &QAction::triggered, this, [this] { m_service.pin(selectedEntries(), true); });
  connect(m_unpin, &QAction::triggered, this, [this] { m_service.pin(selectedEntries(), false); });
  connect(m_remove, &QAction::triggered, this, [this] { m_service.remove(selectedEntries()); });
  connect(m_table->selectionModel(), &QItemSelectionModel::selectionChanged, this, &CacheView::showState);
  connect(m_table->selectionModel(), &QItemSelectionModel::currentRowChanged, this,
          [this](const QModelIndex& index) {
            if (index.isValid() && !m_restoring) Q_EMIT keyPicked(m_model.entry(index.row()).key);
          });
  showState();
}

QAction* CacheView::addCommand(QLayout& row, const QString& text, const QKeySequence& keys,
                               const QString& toolTip) {
  auto* action = new QAction(text, this);
  action->setShortcut(keys);
  action->setShortcutContext(Qt::WidgetWithChildrenShortcut); // in the filter these keys edit its text
  action->setToolTip(keys.isEmpty()
                         ? toolTip
                         : toolTip + QStringLiteral(" (%1)").arg(keys.toString(QKeySequence::NativeText)));
  addAction(action);
  m_table->addAction(action); // its context menu
  auto* button = new QToolButton;
  button->setDefaultAction(action);
  button->setFocusPolicy(Qt::TabFocus);
  row.addWidget(button);
  return action;
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
  const QModelIndexList rows = m_table->selectionModel()->selectedRows();
  const auto selected = static_cast<int64_t>(rows.size());
  // Only what would change something is offered.
  const auto anyEntry = [&](auto holds) {
    return std::ranges::any_of(rows, [&](const QModelIndex& row) { return holds(m_model.entry(row.row())); });
  };
  m_invalidate->setEnabled(anyEntry([](const EntryRow& e) { return e.state == "live"; }));
  m_restore->setEnabled(anyEntry([](const EntryRow& e) { return e.state != "live"; }));
  m_rerun->setEnabled(selected > 0);
  m_pin->setEnabled(anyEntry([](const EntryRow& e) { return !e.pinned; }));
  m_unpin->setEnabled(anyEntry([](const EntryRow& e) { return e.pinned; }));
  m_remove->setEnabled(anyEntry([](const EntryRow& e) { return !e.pinned && e.state != "deleted"; }));
  m_table->setVisible(any);
  m_empty->setVisible(!any);
  const bool filtered = !m_model.query().filter.terms.empty();
  if (m_model.waiting())
    m_empty->setText(tr("Reading the cache…"));
  else if (m_failed)
    m_empty->setText(tr("The cache could not be read. Graphs can be compiled and run without it."));
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
  m_totals->setVisible(!m_failed);
}

} // namespace nodewise::ui
