#include "ui/cache/cache_view.h"

#include "ui/theme/numbers.h"
#include "ui/widgets/file_dialog.h"
#include "ui/widgets/query_problem.h"
#include "ui/widgets/table_setup.h"

#include <QKeyEvent>
#include <QScrollBar>

#include <algorithm>
#include <utility>

namespace nodewise::ui {

CacheView::CacheView(CacheService& service, QWidget* parent)
    : QWidget(parent), m_service(service), m_filter(new QLineEdit), m_groupBy(new QComboBox),
      m_details(new QToolButton), m_columns(new QToolButton), m_columnMenu(new QMenu(this)),
      m_problem(new QLabel), m_totals(new QLabel), m_table(new QTableView), m_empty(new EmptyText(m_table)),
      m_groups(new GroupPanel), m_bar(new ActionBar(service)), m_doctor(new DoctorPanel(service)),
      m_entry(new EntryPanel(service)) {
  buildTable();
  layOut();
  connectAll();
  showState();
}

void CacheView::connectAll() {
  connect(&m_model, &CacheTableModel::pageWanted, this, [this] { m_failed = false; });
  connect(&m_model, &CacheTableModel::pageWanted, &m_service, &CacheService::requestPage);
  connect(&m_service, &CacheService::pageReady, &m_model, &CacheTableModel::addPage);
  connect(&m_service, &CacheService::changed, this, &CacheView::refresh);
  connect(&m_service, &CacheService::totalsReady, this, [this](const EntryTotals& totals) {
    m_counted = totals;
    showState();
  });
  connect(&m_service, &CacheService::groupsReady, m_groups, &GroupPanel::setGroups);
  connect(&m_model, &CacheTableModel::answered, this, [this] {
    showState();
    if (m_refreshLater && !m_model.waiting()) refresh();
  });
  connect(&m_model, &CacheTableModel::modelAboutToBeReset, this, &CacheView::rememberSelection);
  connect(&m_model, &CacheTableModel::modelReset, this, &CacheView::restoreSelection);
  connect(&m_model, &CacheTableModel::rowsInserted, this, &CacheView::keepAllSelected);
  connect(&m_model, &CacheTableModel::failed, this, [this](const Error& error) {
    const bool cancelled = error.what == "cancelled";
    m_failed = !cancelled;
    m_problem->setText(cancelled ? tr("The search was cancelled: there may be more than what is shown. Enter "
                                      "in the filter searches again.")
                                 : QString::fromStdString(error.text()));
    m_problem->show();
  });
  m_typing.setSingleShot(true);
  constexpr int kTypingMs = 200;
  m_typing.setInterval(kTypingMs);
  connect(m_filter, &QLineEdit::textChanged, &m_typing, qOverload<>(&QTimer::start));
  connect(m_filter, &QLineEdit::returnPressed, this, &CacheView::applyFilter);
  connect(&m_typing, &QTimer::timeout, this, &CacheView::applyFilter);
  connect(m_groups, &GroupPanel::termChanged, this, &CacheView::applyFilter);
  connect(m_groupBy, &QComboBox::activated, this, &CacheView::setGrouping);
  connect(m_bar, &ActionBar::fileWanted, this, &CacheView::chooseExportFile);
  connect(m_table->selectionModel(), &QItemSelectionModel::selectionChanged, this, [this] {
    if (!m_restoring) {
      m_allMatching = false;
      m_bar->dismiss(); // it was about another selection
    }
    showState();
  });
  connect(m_table->selectionModel(), &QItemSelectionModel::currentRowChanged, this,
          [this](const QModelIndex& index) {
            // The keyboard coming to the table makes a row current, and picks none.
            const bool picked = index.isValid() && m_table->selectionModel()->isRowSelected(index.row());
            if (picked && !m_restoring) Q_EMIT keyPicked(m_model.entry(index.row()).key);
          });
}

bool CacheView::eventFilter(QObject* object, QEvent* event) {
  if (object != m_table || event->type() != QEvent::KeyPress) return QWidget::eventFilter(object, event);
  const auto* key = static_cast<QKeyEvent*>(event);
  if (key->matches(QKeySequence::SelectAll)) {
    m_bar->dismiss();
    m_allMatching = true;
    keepAllSelected();
    showState();
    return true;
  }
  if (key->key() == Qt::Key_Escape && !m_bar->isHidden()) {
    m_bar->dismiss();
    return true;
  }
  return false;
}

QString CacheView::filterText() const {
  return m_groups->isHidden() || m_groups->term().isEmpty() ? m_filter->text()
                                                            : m_filter->text() + u' ' + m_groups->term();
}

void CacheView::applyFilter() {
  m_typing.stop();
  FilterPlace place;
  auto filter = parseFilter(filterText().toStdString(), FilterOn::Entries, &place);
  m_problem->setVisible(!filter.ok());
  if (!filter.ok()) return m_problem->setText(queryProblemText(filterText(), filter.error(), place));
  m_allMatching = false;
  m_forget = true; // what is selected among other rows is picked anew
  m_bar->dismiss();
  m_model.setFilter(*filter);
  m_service.requestTotals(*filter);
  askForGroups();
}

/// Of what the filter box says, whatever group is picked.
void CacheView::askForGroups() {
  if (m_groups->isHidden()) return;
  const auto filter = parseFilter(m_filter->text().toStdString());
  const int row = m_groupBy->currentIndex() - 1;
  if (filter.ok() && row >= 0)
    m_service.requestGroups(*filter, groupByTable()[static_cast<size_t>(row)].column);
}

void CacheView::setGrouping(int row) {
  m_groupBy->setCurrentIndex(row);
  m_groups->setVisible(row > 0);
  if (m_groups->term().isEmpty())
    askForGroups();
  else
    m_groups->clear(); // the filter is applied anew, and the groups are asked for
}

void CacheView::refresh() {
  // A search that takes longer than others take to write would never end.
  m_refreshLater = m_model.searched() > 0;
  if (m_refreshLater) return;
  m_service.requestTotals(m_model.query().filter);
  askForGroups();
  m_model.refresh();
}

void CacheView::start(CacheAction action) {
  if (actionRow(action).scope != ActionScope::FromFile) return m_bar->offer(request(action));
  FileQuestion question;
  question.title = tr("Import a bundle");
  question.nameFilters = {tr("Bundles and caches (*.db *.db.damaged*)"), tr("All files (*)")};
  askForFile(this, question, [this, action](const QString& path) {
    CacheRequest wanted = request(action);
    wanted.file = path.toStdString();
    wanted.about = path;
    m_bar->offer(wanted);
  });
}

void CacheView::chooseExportFile(const CacheRequest& request) {
  FileQuestion question;
  question.title = tr("Export a bundle");
  question.save = true;
  question.mayReplace = false; // a bundle is never written over: the error says so
  question.nameFilters = {tr("Bundles (*.db)")};
  question.suffix = QStringLiteral("db");
  question.name = QStringLiteral("entries.db");
  askForFile(this, question, [this, request](const QString& path) {
    CacheRequest wanted = request;
    wanted.file = path.toStdString();
    m_service.perform(wanted);
  });
}

void CacheView::showState() {
  const std::vector<int> rows = m_allMatching ? std::vector<int>() : selectedRows();
  const bool some = !rows.empty();
  // Only what would change something is offered; of what is not loaded it is not known.
  const auto offer = [&](CacheAction action, auto holds) {
    m_actions[action]->setEnabled(
        some ? std::ranges::any_of(rows, [&](int row) { return holds(m_model.entry(row)); })
             : m_counted.entries > 0);
  };
  const auto any = [](const EntryRow&) { return true; };
  offer(CacheAction::Invalidate, [](const EntryRow& e) { return e.state == "live"; });
  offer(CacheAction::Restore, [](const EntryRow& e) { return e.state != "live"; });
  offer(CacheAction::Rerun, any);
  offer(CacheAction::Verify, any);
  offer(CacheAction::Pin, [](const EntryRow& e) { return !e.pinned; });
  offer(CacheAction::Unpin, [](const EntryRow& e) { return e.pinned; });
  offer(CacheAction::Export, [](const EntryRow& e) { return e.state == "live"; });
  offer(CacheAction::Remove, [](const EntryRow& e) { return !e.pinned && e.state != "deleted"; });
  showEmptyText();
  m_entry->showEntries(m_allMatching ? std::vector<int64_t>() : selectedEntries());
  QString text = tr("%1 · %2 · compiling them took %3")
                     .arg(countedText(m_counted.entries, tr("entry")), bytesText(m_counted.bytes),
                          durationText(m_counted.compileNs));
  if (m_allMatching)
    text += tr(" · all selected");
  else if (some)
    text += tr(" · %1 selected").arg(countText(static_cast<int64_t>(rows.size())));
  else if (m_counted.entries > 0)
    text += tr(" · none selected: actions are for all of them");
  if (m_model.searched() > 0)
    text = tr("Searching: %1 looked at, %2 found so far")
               .arg(countedText(m_model.searched(), tr("entry")), countText(m_model.rowCount()));
  m_totals->setText(text);
  m_totals->setVisible(!m_failed);
}

void CacheView::showEmptyText() {
  if (m_model.rowCount() > 0)
    m_empty->say({});
  else if (m_model.searched() > 0)
    m_empty->say(tr("Searching… nothing found yet"));
  else if (m_model.waiting())
    m_empty->say(tr("Reading the cache…"));
  else if (m_failed)
    m_empty->say(tr("The cache could not be read. Graphs can be compiled and run without it."));
  else if (!m_model.query().filter.terms.empty())
    m_empty->say(tr("No entry matches this filter. Clear it to see all."));
  else
    m_empty->say(
        tr("The cache is empty. Open a graph and compile it (F5): each compiled node becomes an entry."));
}

} // namespace nodewise::ui
