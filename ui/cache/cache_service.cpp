#include "ui/cache/cache_service.h"

#include "cache/show.h"
#include "session/entry_work.h"

#include <fmt/format.h>

namespace nodewise::ui {
namespace {

constexpr int kPollMs = 1000;

struct Look {
  bool changed = false;
  std::optional<CacheStats> stats;
  bool canUndo = false;
  std::vector<std::string> notices;
};

Result<std::vector<Hash>> keysOf(Store& store, std::span<const int64_t> entries) {
  std::vector<Hash> keys;
  for (const int64_t id : entries) {
    NW_TRY(EntryDetail detail, showEntry(store, id));
    keys.push_back(detail.row.key);
  }
  return keys;
}

Result<int64_t> newestOperation(Store& store) {
  NW_TRY(std::vector<OperationRow> operations, listOperations(store, 20));
  for (const OperationRow& operation : operations)
    if (!operation.undone && operation.entries > 0) return operation.id;
  return int64_t{0};
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
  using R = decltype(work(std::declval<Store&>()));
  m_jobs.start(
      std::move(spec),
      [holder = m_holder, settings = m_settings, work = std::move(work)](JobContext& context) -> R {
        NW_TRY(Store * store, storeOf(*holder, settings));
        store->setStop(context.stop());
        R result = work(*store);
        store->setStop({});
        return result;
      },
      std::move(done));
}

void CacheService::requestPage(int question, const EntryQuery& query) {
  withStore(
      {tr("Reading the cache"), lane(), QStringLiteral("page"), true},
      [query](Store& store) { return listEntries(store, query); },
      [this, question](const Result<EntryPage>& page) { Q_EMIT pageReady(question, page); });
}

void CacheService::requestTotals(const Filter& filter) {
  withStore(
      {tr("Counting"), lane(), QStringLiteral("totals"), true},
      [filter](Store& store) { return countEntries(store, filter); },
      [this](const Result<EntryTotals>& totals) {
        if (totals.ok()) Q_EMIT totalsReady(*totals);
      });
}

void CacheService::act(const QString& title, std::function<Result<Acted>(Store&)> action, bool undoable) {
  withStore(
      {title, lane(), {}, false},
      [holder = m_holder, action = std::move(action)](Store& store) {
        // A connection does not see its own writes as changes: forgetting the version makes the next look see
        // them.
        holder->version.reset();
        return action(store);
      },
      [this, undoable](const Result<Acted>& acted) { showActed(acted, undoable); });
}

void CacheService::showActed(const Result<Acted>& acted, bool undoable) {
  if (!acted.ok()) {
    if (acted.error().type == "Cancelled")
      Q_EMIT message({MessageKind::Info, tr("Cancelled; what was done stays done"), {}, {}, {}, {}});
    else
      Q_EMIT message(errorMessage(acted.error()));
    return;
  }
  Message said{MessageKind::Info,
               QString::fromStdString(acted->report.summary),
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
  Q_EMIT actedOn(acted->keys);
  lookForChanges();
}

void CacheService::actOn(const QString& title, std::vector<int64_t> entries,
                         std::function<Result<ActionReport>(Store&, const Selection&)> action) {
  act(
      title,
      [entries = std::move(entries), action = std::move(action)](Store& store) -> Result<Acted> {
        NW_TRY(std::vector<Hash> keys, keysOf(store, entries));
        NW_TRY(ActionReport report, action(store, Selection::of(entries)));
        return Acted{std::move(report), std::move(keys)};
      },
      true);
}

void CacheService::invalidate(std::vector<int64_t> entries) {
  actOn(tr("Invalidating"), std::move(entries), [](Store& store, const Selection& selection) {
    return nodewise::invalidate(store, selection, DryRun::No);
  });
}

void CacheService::restore(std::vector<int64_t> entries) {
  actOn(tr("Restoring"), std::move(entries), [](Store& store, const Selection& selection) {
    return nodewise::restore(store, selection, DryRun::No);
  });
}

void CacheService::remove(std::vector<int64_t> entries) {
  actOn(tr("Deleting"), std::move(entries), [](Store& store, const Selection& selection) {
    return nodewise::remove(store, selection, DryRun::No);
  });
}

void CacheService::pin(std::vector<int64_t> entries, bool pinned) {
  actOn(pinned ? tr("Pinning") : tr("Unpinning"), std::move(entries),
        [pinned](Store& store, const Selection& selection) {
          return nodewise::pin(store, selection, pinned, DryRun::No);
        });
}

void CacheService::invalidateKeys(std::vector<Hash> keys) {
  act(
      tr("Invalidating"),
      [keys = std::move(keys)](Store& store) -> Result<Acted> {
        std::vector<int64_t> ids;
        for (const Hash& key : keys) {
          NW_TRY(std::vector<EntryRow> found, findEntries(store, key.hex(), 1));
          if (!found.empty()) ids.push_back(found.front().id);
        }
        if (ids.empty())
          return Error{
              "nothing to invalidate: the cache has no entry of this node", {}, "compile it first", {}};
        NW_TRY(ActionReport report, nodewise::invalidate(store, Selection::of(std::move(ids)), DryRun::No));
        return Acted{std::move(report), keys};
      },
      true);
}

void CacheService::undo(int64_t operation) {
  act(
      tr("Undoing"),
      [operation](Store& store) -> Result<Acted> {
        NW_TRY(ActionReport report, nodewise::undo(store, operation, DryRun::No));
        return Acted{std::move(report), {}};
      },
      false);
}

void CacheService::undoLast() {
  act(
      tr("Undoing"),
      [](Store& store) -> Result<Acted> {
        NW_TRY(const int64_t operation, newestOperation(store));
        if (operation == 0) return Error{"nothing to undo", {}, {}, {}};
        NW_TRY(ActionReport report, nodewise::undo(store, operation, DryRun::No));
        return Acted{std::move(report), {}};
      },
      false);
}

void CacheService::rerun(std::vector<int64_t> entries, const SessionSettings& settings,
                         const std::shared_ptr<Engine>& engine) {
  m_jobs.start(
      {tr("Compiling again"), lane(), {}, false},
      [settings, engine, entries = std::move(entries)](JobContext& context) -> Result<Acted> {
        const auto progress = [&](int64_t done, int64_t total, const std::string& what) {
          context.report({done, total, QString::fromStdString(what)});
        };
        NW_TRY(EntriesReport report, compileEntries(engine, settings, entries, progress, context.stop()));
        if (!report.problems.empty())
          report.summary += fmt::format(" ({}: {})", report.problems[0].entry.op, report.problems[0].reason);
        const auto compiled = static_cast<int64_t>(report.keys.size() - report.problems.size());
        return Acted{{0, compiled, 0, report.compileNs, 0, std::move(report.summary)},
                     std::move(report.keys)};
      },
      [this](const Result<Acted>& acted) { showActed(acted, false); });
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
        NW_TRY(const int64_t newest, newestOperation(*store));
        look.canUndo = newest != 0;
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
        m_canUndo = look->canUndo;
        Q_EMIT changed();
      });
}

} // namespace nodewise::ui
