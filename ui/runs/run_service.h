// Recorded runs, as the window uses them: every query is a job, with a store of its own. The run that the
// views of cost and time show is the current one: that of the last compile, unless another is picked.
#pragma once

#include "cache/run_history.h"
#include "cache/settings.h"
#include "session/break_even.h"
#include "session/cost_table.h"
#include "session/export_run.h"
#include "session/run_diff.h"
#include "ui/document/message.h"
#include "ui/jobs/job_tracker.h"

#include <QObject>

#include <memory>

namespace nodewise::ui {

/// A run with what is worked out from it once; made on a worker, shared, unchanging.
struct ShownRun {
  RunRecord record;
  HitRates rates;
  std::vector<BreakEven> breakEven;
};
/// Two runs beside each other.
struct ComparedRuns {
  RunRecord before, after;
  RunDiff diff;
};

class RunService : public QObject {
  Q_OBJECT
public:
  RunService(JobTracker& jobs, CacheSettings settings, QObject* parent = nullptr);

  /// Asks for the list of runs; comes by listed(), only if it is another one than before.
  void refresh();
  /// Makes a run the current one; comes by shown().
  void show(int64_t runId);
  /// The same again: its run times may have come since.
  void showAgain();
  /// No run is the current one.
  void showNone();
  void compare(int64_t before, int64_t after);

  /// Writes a run for other programs, and says so.
  void exportTo(int64_t runId, ExportFormat format, const QString& path);

  const std::vector<RunRow>& runs() const { return m_runs; }
  std::shared_ptr<const ShownRun> current() const { return m_current; }
  /// The two that were compared last; 0: none were.
  std::pair<int64_t, int64_t> comparedRuns() const { return m_compared; }

  static QString lane() { return QStringLiteral("runs"); }

Q_SIGNALS:
  void listed();
  void shown();
  void compared(const std::shared_ptr<const nodewise::ui::ComparedRuns>& runs);
  /// What was done, as a command line without the cache's own option.
  void done(const QString& commandLine);
  void message(const nodewise::ui::Message& message);

private:
  struct Holder {
    std::optional<Store> store;
  };
  template <class Work, class Done> void withStore(JobSpec spec, Work work, Done done);

  JobTracker& m_jobs;
  CacheSettings m_settings;
  std::shared_ptr<Holder> m_holder = std::make_shared<Holder>();
  std::vector<RunRow> m_runs;
  std::shared_ptr<const ShownRun> m_current;
  int64_t m_wanted = 0; ///< that was asked for last; 0: none
  std::pair<int64_t, int64_t> m_compared{0, 0};
};

} // namespace nodewise::ui
