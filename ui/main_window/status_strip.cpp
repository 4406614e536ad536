#include "ui/main_window/status_strip.h"

#include "ui/theme/numbers.h"
#include "ui/theme/text.h"

#include <QStringList>

#include <algorithm>
#include <numeric>

namespace nodewise::ui {

QString statusLine(const StatusCounts& counts, int64_t compiledNs, int64_t savedNs,
                   const std::optional<CacheStats>& cache) {
  QStringList parts;
  const int64_t total = std::accumulate(counts.begin(), counts.end(), int64_t{0});
  if (total > 0) parts.push_back(countedText(total, QStringLiteral("node")));
  for (const StatusRow& row : statusTable())
    if (const int64_t count = countOf(counts, row.status); count > 0)
      parts.push_back(countText(count) + u' ' + text(row.name));
  if (compiledNs > 0) parts.push_back(QStringLiteral("compiled ") + durationText(compiledNs));
  if (savedNs > 0) parts.push_back(QStringLiteral("saved ") + durationText(savedNs));
  if (cache)
    parts.push_back(
        QStringLiteral("cache %1 of %2").arg(bytesText(cache->usedBytes()), capText(cache->capBytes)));
  return parts.join(QStringLiteral(" · "));
}

StatusStrip::StatusStrip(JobTracker& jobs, QWidget* parent)
    : QStatusBar(parent), m_jobs(jobs), m_line(new QLabel), m_doing(new QLabel), m_progress(new QProgressBar),
      m_cancel(new QToolButton) {
  m_line->setAccessibleName(tr("Counts"));
  m_line->setObjectName(QStringLiteral("statusLine"));
  m_line->setContentsMargins(8, 0, 0, 0);
  m_line->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
  m_progress->setFixedWidth(120);
  m_progress->setTextVisible(false);
  m_progress->setAccessibleName(tr("Progress"));
  m_cancel->setText(QStringLiteral("✕"));
  m_cancel->setToolTip(tr("Cancel (Esc)"));
  m_cancel->setAccessibleName(tr("Cancel"));
  addWidget(m_line, 1);
  addPermanentWidget(m_doing);
  addPermanentWidget(m_progress);
  addPermanentWidget(m_cancel);
  connect(m_cancel, &QToolButton::clicked, &m_jobs, &JobTracker::cancelShown);
  connect(&m_jobs, &JobTracker::changed, this, &StatusStrip::showJobs);
  showJobs();
}

void StatusStrip::setLine(const QString& line) {
  m_line->setText(line);
  m_line->setToolTip(line);
}

void StatusStrip::showJobs() {
  const std::vector<JobInfo> jobs = m_jobs.jobs();
  const auto shown =
      std::ranges::find_if(jobs, [](const JobInfo& job) { return !job.spec.quiet && job.running; });
  const bool any = shown != jobs.end();
  for (QWidget* widget : std::initializer_list<QWidget*>{m_doing, m_progress, m_cancel})
    widget->setVisible(any);
  if (!any) return;
  m_doing->setText(shown->progress.text.isEmpty() ? shown->spec.title : shown->progress.text);
  if (shown->progress.total > 0) {
    // A bar counts to int: thousandths are fine enough.
    m_progress->setRange(0, 1000);
    m_progress->setValue(static_cast<int>(shown->progress.done * 1000 / shown->progress.total));
  } else {
    m_progress->setRange(0, 0);
  }
}

} // namespace nodewise::ui
