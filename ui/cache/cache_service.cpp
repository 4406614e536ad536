#include "ui/cache/cache_service.h"

#include "cache/show.h"
#include "ui/theme/numbers.h"

#include <algorithm>

namespace nodewise::ui {
namespace {

constexpr int kPollMs = 1000;

struct Look {
  bool changed = false;
  std::optional<CacheStats> stats;
  std::optional<OperationRow> undo, redo;
  std::vector<std::string> notices;
};

QString operationText(const std::optional<OperationRow>& operation) {
  if (!operation) return {};
  return QStringLiteral("%1 of %2")
      .arg(QString::fromStdString(operation->command),
           countedText(operation->entries, QStringLiteral("entry")));
}

} // namespace

CacheService::CacheService(JobTracker& jobs, CacheSettings settings, QObject* parent)
    : QObject(parent), m_jobs(jobs), m_settings(std::move(settings)) {
  m_poll.setInterval(kPollMs);
  connect(&m_poll, &QTimer::timeout, this, &CacheService::lookForChanges);
  m_poll.start();
}

Result<Store*> CacheService::storeOf(Holder& holder, const CacheSettings& settings) {
  if (!holder.store) {
    NW_TRY(Store store, Store::open(settings));
    holder.store.emplace(std::move(store));
  }
  return &*holder.store;
}

void CacheService::requestPage(int question, const EntryQuery& query) {
  const bool slow = std::ranges::any_of(
      query.filter.terms, [](const FilterTerm& term) { return term.test == FilterTest::Matches; });
  if (!query.after) m_searched = 0;
  withStore(
      {slow ? tr("Searching the cache") : tr("Reading the cache"), lane(), QStringLiteral("page"), !slow},
      [query, searched = m_searched, all = m_stats ? m_stats->entries : 0](Store& store,
                                                                           const StoreProgress& progress) {
        progress(searched, all, "searching the cache");
        return listEntries(store, query);
      },
      [this, question](const Result<EntryPage>& page) {
        if (page.ok()) m_searched += page->looked;
        Q_EMIT pageReady(question, page);
      });
}

void CacheService::requestTotals(const Filter& filter) {
  withStore(
      {tr("Counting"), countLane(), QStringLiteral("totals"), true},
      [filter](Store& store, const StoreProgress&) { return countEntries(store, filter); },
      [this](const Result<EntryTotals>& totals) {
        if (totals.ok()) Q_EMIT totalsReady(*totals);
      });
}

void CacheService::requestGroups(const Filter& filter, EntryColumn column) {
  withStore(
      {tr("Grouping"), countLane(), QStringLiteral("groups"), true},
      [filter, column](Store& store, const StoreProgress&) { return groupEntries(store, filter, column); },
      [this, column](const Result<std::vector<EntryGroup>>& groups) {
        if (groups.ok()) Q_EMIT groupsReady(column, *groups);
      });
}

void CacheService::requestDetails(std::vector<int64_t> entries) {
  withStore(
      {tr("Reading entries"), countLane(), QStringLiteral("details"), true},
      [entries = std::move(entries)](Store& store, const StoreProgress&) {
        std::vector<EntryDetail> details;
        for (const int64_t id : entries)
          if (Result<EntryDetail> detail = showEntry(store, id); detail.ok())
            details.push_back(std::move(*detail));
        return Result<std::vector<EntryDetail>>(std::move(details));
      },
      [this](const Result<std::vector<EntryDetail>>& details) {
        if (details.ok()) Q_EMIT detailsReady(*details);
      });
}

void CacheService::requestCode(int64_t entry) {
  if (!m_worker) return;
  const Worker worker = m_worker();
  m_jobs.start(
      {tr("Making IR and assembly"), QStringLiteral("entries"), QStringLiteral("entry code"), true},
      [worker, entry](JobContext&) -> Result<EntryCode> {
        std::optional<EntryDetail> detail;
        {
          NW_TRY(Engine::LockedStore locked, worker.engine->store(worker.settings.cache));
          NW_TRY(detail, showEntry(*locked.store, entry));
        }
        return entryCode(*detail, *worker.engine);
      },
      [this, entry](const Result<EntryCode>& code) { Q_EMIT codeReady(entry, code); });
}

void CacheService::lookForChanges() {
  if (m_looking) return; // the last look is still under way
  m_looking = true;
  m_jobs.start(
      {tr("Looking for changes"), lane(), {}, true},
      [holder = m_holder, settings = m_settings](JobContext&) -> Result<Look> {
        NW_TRY(Store * store, storeOf(*holder, settings));
        NW_TRY(const int64_t version, store->version());
        Look look;
        look.notices = store->takeNotices();
        look.changed = holder->version != version;
        holder->version = version;
        if (!look.changed) return look;
        NW_TRY(look.stats, cacheStats(*store));
        NW_TRY(look.undo, nextUndo(*store));
        NW_TRY(look.redo, nextRedo(*store));
        return look;
      },
      [this](const Result<Look>& look) {
        m_looking = false;
        if (!look.ok()) {
          // Said once, not once a second.
          const std::string text = look.error().text();
          if (text != m_lastError) Q_EMIT message(errorMessage(look.error(), tr("The cache")));
          m_lastError = text;
          return;
        }
        m_lastError.clear();
        for (const std::string& notice : look->notices)
          Q_EMIT message({MessageKind::Warning, QString::fromStdString(notice), {}, {}, {}, {}});
        if (!look->changed) return;
        m_stats = look->stats;
        m_undoable = operationText(look->undo);
        m_redoable = operationText(look->redo);
        Q_EMIT changed();
      });
}

} // namespace nodewise::ui
