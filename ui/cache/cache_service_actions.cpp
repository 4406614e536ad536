// What the window does to the cache: previews, actions, undo, the doctor.
#include "ui/cache/cache_service.h"

#include "cache/show.h"
#include "session/entry_work.h"

namespace nodewise::ui {

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
                      : compileEntries(*worker.engine, worker.settings.cache, ids, progress, context.stop()));
        const auto good = static_cast<int64_t>(report.keys.size() - report.problems.size());
        return Acted{{report.operation, good, 0, report.compileNs, 0, std::move(report.summary)},
                     std::move(report.keys),
                     std::move(report.problems)};
      },
      [this](const Result<Acted>& acted) { showActed(acted, true); });
  Q_EMIT done(commandLineOf(request));
}

} // namespace nodewise::ui
