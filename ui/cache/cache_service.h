// The cache, as the window uses it: every query and action is a job on one lane, with a store of its own.
// Looks once a second whether anyone, in any process, has written.
#pragma once

#include "cache/list.h"
#include "cache/settings.h"
#include "cache/stats.h"
#include "session/engine.h"
#include "session/entry_work.h"
#include "session/session.h"
#include "ui/cache/cache_actions.h"
#include "ui/document/message.h"
#include "ui/jobs/job_tracker.h"

#include <QObject>
#include <QTimer>

#include <memory>

namespace nodewise::ui {

class CacheService : public QObject {
  Q_OBJECT
public:
  CacheService(JobTracker& jobs, CacheSettings settings, QObject* parent = nullptr);

  const std::string& file() const { return m_settings.file.value; }
  const std::optional<CacheStats>& stats() const { return m_stats; }

  void requestPage(int question, const EntryQuery& query);
  void requestTotals(const Filter& filter);
  void requestGroups(const Filter& filter, EntryColumn column);
  /// Keys, costs and recipes of some entries; those that are gone are left out.
  void requestDetails(std::vector<int64_t> entries);
  /// IR and assembly, made from what the entry keeps.
  void requestCode(int64_t entry);
  /// Finds out what an action would do; comes by previewed(). A newer preview takes an older one's place.
  void preview(const CacheRequest& request);
  void dropPreview() { ++m_preview; }
  /// Does it, and says so, with an Undo beside it.
  void perform(const CacheRequest& request);
  /// These nodes' entries become invalidated; keys without an entry are passed over.
  void invalidateKeys(std::vector<Hash> keys);
  void undo(int64_t operation);
  /// The newest operation that is not undone; the undone one after which nothing else was done.
  void undoLast();
  void redoLast();
  /// What they would be about, as "delete of 3 entries"; empty: there is nothing.
  const QString& undoable() const { return m_undoable; }
  const QString& redoable() const { return m_redoable; }
  /// Checks the database, and repairs what can be; comes by checked().
  void checkDatabase(Repair repair);
  /// What compiles entries again: asked for when it is needed.
  struct Worker {
    SessionSettings settings;
    std::shared_ptr<Engine> engine;
  };
  void setWorker(std::function<Worker()> worker) { m_worker = std::move(worker); }
  void lookForChanges();

  static QString lane() { return QStringLiteral("cache"); }
  /// Counts and groups may take a second, and hold no page up.
  static QString countLane() { return QStringLiteral("cache counts"); }

Q_SIGNALS:
  void pageReady(int question, const nodewise::Result<nodewise::EntryPage>& page);
  void totalsReady(const nodewise::EntryTotals& totals);
  void groupsReady(nodewise::EntryColumn column, const std::vector<nodewise::EntryGroup>& groups);
  void detailsReady(const std::vector<nodewise::EntryDetail>& details);
  void codeReady(qlonglong entry, const nodewise::Result<nodewise::EntryCode>& code);
  void previewed(const nodewise::ui::CacheRequest& request,
                 const nodewise::Result<nodewise::ActionReport>& report);
  /// Entries that could not be compiled again, or differ from what that gives.
  void problemsFound(const QString& summary, const std::vector<nodewise::EntryProblem>& problems);
  void checked(nodewise::Repair repair, const nodewise::Result<nodewise::DoctorReport>& report);
  /// What was done here, as a command line without the cache's own option.
  void done(const QString& commandLine);
  /// Entries changed, here or elsewhere.
  void changed();
  /// Entries of these keys were acted on here.
  void actedOn(const std::vector<nodewise::Hash>& keys);
  void message(const nodewise::ui::Message& message);

private:
  /// The store of the lane: opened by the first job, used by one job at a time.
  struct Holder {
    std::optional<Store> store;
    std::optional<int64_t> version; ///< last seen
  };
  static Result<Store*> storeOf(Holder& holder, const CacheSettings& settings);
  /// `work` takes the store, and what reports its progress.
  template <class Work, class Done> void withStore(JobSpec spec, Work work, Done done);
  struct Acted {
    ActionReport report;
    std::vector<Hash> keys; ///< that were acted on; empty: any
    std::vector<EntryProblem> problems;
  };
  void work(const CacheRequest& request);
  void turn(bool back);
  void act(const QString& title, std::function<Result<Acted>(Store&, const StoreProgress&)> action,
           bool undoable);
  void showActed(const Result<Acted>& acted, bool undoable);

  JobTracker& m_jobs;
  CacheSettings m_settings;
  std::shared_ptr<Holder> m_holder = std::make_shared<Holder>(), m_counting = std::make_shared<Holder>();
  int64_t m_searched = 0; ///< rows that the present search has looked at
  std::optional<CacheStats> m_stats;
  std::string m_lastError;
  QString m_undoable, m_redoable;
  std::function<Worker()> m_worker;
  uint64_t m_preview = 0; ///< number of the last one
  bool m_looking = false;
  QTimer m_poll;
};

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

} // namespace nodewise::ui
