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

template <class Work, class Done> void CacheService::withStore(JobSpec spec, Work work, Done done) {
  using R = decltype(work(std::declval<Store&>(), std::declval<const StoreProgress&>()));
  // Each lane has a store of its own: one is used by one job at a time.
  const std::shared_ptr<Holder> holder = spec.lane == countLane() ? m_counting : m_holder;
  m_jobs.start(
      std::move(spec),
      [holder, settings = m_settings, work = std::move(work)](JobContext& context) -> R {
        NW_TRY(Store * store, storeOf(*holder, settings));
        store->setStop(context.stop());
        const StoreProgress progress = [&](int64_t of, int64_t total, std::string_view what) {
          context.report({of, total, QString::fromUtf8(what.data(), static_cast<qsizetype>(what.size()))});
        };
        R result = work(*store, progress);
        store->setStop({});
        return result;
      },
      std::move(done));
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

void CacheService::preview(const CacheRequest& request) {
  withStore(
      {tr("Counting what it would do"), lane(), QStringLiteral("preview"), false},
      [request](Store& store, const StoreProgress& progress) {
        return performAction(store, request, DryRun::Yes, progress);
      },
      [this, request, number = ++m_preview](const Result<ActionReport>& report) {
        if (number == m_preview) Q_EMIT previewed(request, report);
      });
}

void CacheService::perform(const CacheRequest& request) {
  if (request.action == CacheAction::Rerun || request.action == CacheAction::Verify) return work(request);
  act(
      tr(actionRow(request.action).doing),
      [request](Store& store, const StoreProgress& progress) -> Result<Acted> {
        NW_TRY(ActionReport report, performAction(store, request, DryRun::No, progress));
        return Acted{std::move(report), request.keys, {}};
      },
      true);
  Q_EMIT done(commandLineOf(request));
}

void CacheService::act(const QString& title,
                       std::function<Result<Acted>(Store&, const StoreProgress&)> action, bool undoable) {
  withStore(
      {title, lane(), {}, false},
      [holder = m_holder, action = std::move(action)](Store& store, const StoreProgress& progress) {
        // A connection does not see its own writes as changes: forgetting the version makes the next look see
        // them.
        holder->version.reset();
        return action(store, progress);
      },
      [this, undoable](const Result<Acted>& acted) { showActed(acted, undoable); });
}

void CacheService::showActed(const Result<Acted>& acted, bool undoable) {
  if (!acted.ok()) {
    if (acted.error().type == "Cancelled" || acted.error().what == "cancelled")
      Q_EMIT message({MessageKind::Info, tr("Cancelled; what was done stays done"), {}, {}, {}, {}});
    else
      Q_EMIT message(errorMessage(acted.error()));
    return;
  }
  Message said{acted->problems.empty() ? MessageKind::Info : MessageKind::Warning,
               sentence(acted->report.summary),
               {},
               {},
               {},
               QStringLiteral("cache action")};
  const int64_t operation = acted->report.operation;
  if (undoable && operation > 0) {
    said.actionText = tr("Undo");
    said.action = [this, operation] { undo(operation); };
  }
  Q_EMIT message(said);
  if (!acted->problems.empty()) Q_EMIT problemsFound(said.text, acted->problems);
  Q_EMIT actedOn(acted->keys);
  lookForChanges();
}

void CacheService::invalidateKeys(std::vector<Hash> keys) {
  act(
      tr("Invalidating"),
      [keys = std::move(keys)](Store& store, const StoreProgress&) -> Result<Acted> {
        std::vector<int64_t> ids;
        for (const Hash& key : keys) {
          NW_TRY(std::vector<EntryRow> found, findEntries(store, key.hex(), 1));
          if (!found.empty()) ids.push_back(found.front().id);
        }
        if (ids.empty())
          return Error{
              "nothing to invalidate: the cache has no entry of this node", {}, "compile it first", {}};
        NW_TRY(ActionReport report, nodewise::invalidate(store, Selection::of(std::move(ids)), DryRun::No));
        return Acted{std::move(report), keys, {}};
      },
      true);
}

void CacheService::undo(int64_t operation) {
  act(
      tr("Undoing"),
      [operation](Store& store, const StoreProgress&) -> Result<Acted> {
        NW_TRY(ActionReport report, nodewise::undo(store, operation, DryRun::No));
        return Acted{std::move(report), {}, {}};
      },
      false);
  Q_EMIT done(QStringLiteral("nodewise cache restore --operation %1").arg(operation));
}

void CacheService::turn(bool back) {
  act(
      back ? tr("Undoing") : tr("Doing again"),
      [back](Store& store, const StoreProgress&) -> Result<Acted> {
        NW_TRY(const std::optional<OperationRow> operation, back ? nextUndo(store) : nextRedo(store));
        if (!operation) return Error{back ? "nothing to undo" : "nothing to do again", {}, {}, {}};
        NW_TRY(ActionReport report, back ? nodewise::undo(store, operation->id, DryRun::No)
                                         : nodewise::redo(store, operation->id, DryRun::No));
        return Acted{std::move(report), {}, {}};
      },
      !back);
}

void CacheService::undoLast() { turn(true); }
void CacheService::redoLast() { turn(false); }

void CacheService::checkDatabase(Repair repair) {
  withStore(
      {repair == Repair::Yes ? tr("Repairing the cache") : tr("Checking the cache"), lane(),
       QStringLiteral("doctor"), false},
      [holder = m_holder, repair](Store& store, const StoreProgress& progress) {
        if (repair == Repair::Yes) holder->version.reset();
        return doctor(store, repair, progress);
      },
      [this, repair](const Result<DoctorReport>& report) {
        Q_EMIT checked(repair, report);
        lookForChanges();
      });
  Q_EMIT done(repair == Repair::Yes ? QStringLiteral("nodewise cache doctor --repair")
                                    : QStringLiteral("nodewise cache doctor"));
}

/// Compiling goes on beside the cache's own lane: pages and previews are not held up.
void CacheService::work(const CacheRequest& request) {
  if (!m_worker) return;
  const Worker worker = m_worker();
  const bool verify = request.action == CacheAction::Verify;
  m_jobs.start(
      {tr(actionRow(request.action).doing), QStringLiteral("entries"), {}, false},
      [worker, verify, selection = request.selection](JobContext& context) -> Result<Acted> {
        const auto progress = [&](int64_t of, int64_t total, const std::string& what) {
          context.report({of, total, QString::fromStdString(what)});
        };
        std::vector<int64_t> ids;
        {
          NW_TRY(Engine::LockedStore locked, worker.engine->store(worker.settings.cache));
          NW_TRY(ids, entriesToWorkOn(*locked.store, selection));
        }
        NW_TRY(EntriesReport report,
               verify ? verifyEntries(*worker.engine, worker.settings.cache, ids, progress, context.stop())
                      : compileEntries(worker.engine, worker.settings, ids, progress, context.stop()));
        const auto good = static_cast<int64_t>(report.keys.size() - report.problems.size());
        return Acted{{0, good, 0, report.compileNs, 0, std::move(report.summary)},
                     std::move(report.keys),
                     std::move(report.problems)};
      },
      [this](const Result<Acted>& acted) { showActed(acted, false); });
  Q_EMIT done(commandLineOf(request));
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
