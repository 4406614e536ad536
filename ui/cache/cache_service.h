// The cache, as the window uses it: every query and action is a job on one lane, with a store of its own.
// Looks once a second whether anyone, in any process, has written.
#pragma once

#include "cache/actions.h"
#include "cache/list.h"
#include "cache/settings.h"
#include "cache/stats.h"
#include "session/engine.h"
#include "session/session.h"
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
  /// These entries become invalidated; says so with an Undo beside it.
  void invalidate(std::vector<int64_t> entries);
  /// The same by key, for nodes; keys without an entry are passed over.
  void invalidateKeys(std::vector<Hash> keys);
  void restore(std::vector<int64_t> entries);
  void remove(std::vector<int64_t> entries);
  /// Pinned entries are never evicted, pruned or cleared.
  void pin(std::vector<int64_t> entries, bool pinned);
  void undo(int64_t operation);
  /// Undoes the newest operation that is not undone.
  void undoLast();
  bool canUndo() const { return m_canUndo; }
  /// Compiles these entries again from what the cache keeps of them.
  void rerun(std::vector<int64_t> entries, const SessionSettings& settings,
             const std::shared_ptr<Engine>& engine);
  void lookForChanges();

  static QString lane() { return QStringLiteral("cache"); }

Q_SIGNALS:
  void pageReady(int question, const nodewise::Result<nodewise::EntryPage>& page);
  void totalsReady(const nodewise::EntryTotals& totals);
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
  template <class Work, class Done> void withStore(JobSpec spec, Work work, Done done);
  struct Acted {
    ActionReport report;
    std::vector<Hash> keys;
  };
  void actOn(const QString& title, std::vector<int64_t> entries,
             std::function<Result<ActionReport>(Store&, const Selection&)> action);
  void act(const QString& title, std::function<Result<Acted>(Store&)> action, bool undoable);
  void showActed(const Result<Acted>& acted, bool undoable);

  JobTracker& m_jobs;
  CacheSettings m_settings;
  std::shared_ptr<Holder> m_holder = std::make_shared<Holder>();
  std::optional<CacheStats> m_stats;
  std::string m_lastError;
  bool m_canUndo = false, m_looking = false;
  QTimer m_poll;
};

} // namespace nodewise::ui
