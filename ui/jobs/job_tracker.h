// Everything that may take long runs as a job: on a worker thread, with progress, a text of what it does, and
// Cancel.
//
// Jobs of one lane run one after the other (a session is used by one at a time); lanes run side by side. A
// job may name a slot: a newer job of the same slot cancels the older one, whose result is then dropped,
// never shown.
#pragma once

#include <QObject>
#include <QString>
#include <QThreadPool>

#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <stop_token>
#include <utility>
#include <vector>

namespace nodewise::ui {

struct JobProgress {
  int64_t done = 0, total = 0; ///< total 0: unknown
  QString text;
};

/// What a running job may use, from any thread.
class JobContext {
public:
  std::stop_token stop() const { return m_stop.get_token(); }
  bool stopped() const { return m_stop.stop_requested(); }
  void report(JobProgress progress);

private:
  friend class JobTracker;
  std::stop_source m_stop;
  mutable std::mutex m_mutex;
  JobProgress m_progress; ///< guarded by m_mutex
};

struct JobSpec {
  QString title;      ///< "Compiling"; shown until the job reports a text
  QString lane;       ///< jobs of one lane run in order
  QString slot;       ///< empty: every result counts
  bool quiet = false; ///< not shown in the status bar (polls, explanations)
};

struct JobInfo {
  uint64_t id = 0;
  JobSpec spec;
  JobProgress progress;
  bool running = false;
};

class JobTracker : public QObject {
  Q_OBJECT
public:
  explicit JobTracker(QObject* parent = nullptr);
  /// Cancels everything and waits for it.
  ~JobTracker() override;

  /// Runs `work` on a worker thread and then, on this object's thread, `done` with its result, unless the job
  /// was cancelled by a newer one of its slot or by drop(). A job that was cancelled by the user still
  /// delivers: its work saw the stop request and says so in its result.
  template <class Work, class Done> uint64_t start(JobSpec spec, Work work, Done done) {
    return startErased(
        std::move(spec), [work = std::move(work), done = std::move(done)](JobContext& context) mutable {
          // A shared pointer, because std::function copies and results need not be copyable.
          auto result = std::make_shared<decltype(work(context))>(work(context));
          return Delivery([result, done = std::move(done)]() mutable { done(std::move(*result)); });
        });
  }

  /// Asks a job to stop; its result is still delivered.
  void cancel(uint64_t id);
  /// The same for all jobs that are shown.
  void cancelShown();
  /// Stops the jobs of a lane and drops their results.
  void dropLane(const QString& lane);

  /// Jobs that run or wait, oldest first.
  std::vector<JobInfo> jobs() const;
  /// Whether a lane has a job that is shown.
  bool busy(const QString& lane) const;
  bool idle() const { return m_jobs.empty(); }

Q_SIGNALS:
  /// A job came, went, or reported progress (at most every 33 ms).
  void changed();

private:
  using Delivery = std::function<void()>;
  using ErasedWork = std::function<Delivery(JobContext&)>;
  struct Job;
  uint64_t startErased(JobSpec spec, ErasedWork work);
  void launch(const std::shared_ptr<Job>& job);
  void finish(const std::shared_ptr<Job>& job, const Delivery& deliver);
  void startNext(const QString& lane);

  QThreadPool m_pool;
  std::vector<std::shared_ptr<Job>> m_jobs; ///< only touched by this object's thread
  uint64_t m_nextId = 1;
};

} // namespace nodewise::ui
