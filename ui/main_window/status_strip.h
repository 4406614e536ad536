// The last line of the window: counts by outcome, what it cost and saved, the cache's size; progress and
// Cancel.
#pragma once

#include "cache/store.h"
#include "ui/jobs/job_tracker.h"
#include "ui/theme/status.h"

#include <QLabel>
#include <QProgressBar>
#include <QStatusBar>
#include <QToolButton>

#include <optional>

namespace nodewise::ui {

/// "62 nodes · 58 hit · 3 miss · 1 stale · compiled 14 ms · saved 412 ms · cache 3.1 MB of 1 GiB"
QString statusLine(const StatusCounts& counts, int64_t compiledNs, int64_t savedNs,
                   const std::optional<CacheStats>& cache);

class StatusStrip : public QStatusBar {
  Q_OBJECT
public:
  StatusStrip(JobTracker& jobs, QWidget* parent = nullptr);

  void setLine(const QString& line);
  QString line() const { return m_line->text(); }
  QToolButton& cancelButton() { return *m_cancel; }
  bool showsProgress() const { return m_progress->isVisible(); }

private:
  void showJobs();

  JobTracker& m_jobs;
  QLabel *m_line, *m_doing;
  QProgressBar* m_progress;
  QToolButton* m_cancel;
};

} // namespace nodewise::ui
