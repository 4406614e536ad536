#include "ui/jobs/job_tracker.h"

#include <QTimer>

#include <algorithm>

namespace nodewise::ui {
namespace {

// Deep graphs (thousands of chained nodes) are walked by recursion in places; a worker's usual 8 MB may be
// small.
constexpr unsigned kStackBytes = 64u << 20;
constexpr int kWorkers = 6;
constexpr int kProgressMs = 33;

} // namespace

struct JobTracker::Job {
  uint64_t id = 0;
  JobSpec spec;
  ErasedWork work;
  JobContext context;
  bool running = false, dropped = false;
};

void JobContext::report(JobProgress progress) {
  const std::lock_guard lock(m_mutex);
  m_progress = std::move(progress);
}

JobTracker::JobTracker(QObject* parent) : QObject(parent) {
  m_pool.setStackSize(kStackBytes);
  m_pool.setMaxThreadCount(kWorkers);
  auto* ticker = new QTimer(this);
  ticker->setInterval(kProgressMs);
  connect(ticker, &QTimer::timeout, this, [this] {
    if (std::ranges::any_of(m_jobs, [](const auto& job) { return !job->spec.quiet; })) Q_EMIT changed();
  });
  ticker->start();
}

JobTracker::~JobTracker() {
  for (const auto& job : m_jobs) {
    job->dropped = true;
    job->context.m_stop.request_stop();
  }
  m_pool.waitForDone();
}

uint64_t JobTracker::startErased(JobSpec spec, ErasedWork work) {
  if (!spec.slot.isEmpty()) {
    for (const auto& older : m_jobs) {
      if (older->spec.slot != spec.slot) continue;
      older->dropped = true;
      older->context.m_stop.request_stop();
    }
    std::erase_if(m_jobs, [](const auto& job) { return job->dropped && !job->running; });
  }
  auto job = std::make_shared<Job>();
  job->id = m_nextId++;
  job->spec = std::move(spec);
  job->work = std::move(work);
  m_jobs.push_back(job);
  startNext(job->spec.lane);
  Q_EMIT changed();
  return job->id;
}

void JobTracker::startNext(const QString& lane) {
  const auto inLane = [&](const auto& job) { return job->spec.lane == lane; };
  if (std::ranges::any_of(m_jobs, [&](const auto& job) { return inLane(job) && job->running; })) return;
  const auto next = std::ranges::find_if(m_jobs, inLane);
  if (next != m_jobs.end()) launch(*next);
}

void JobTracker::launch(const std::shared_ptr<Job>& job) {
  job->running = true;
  m_pool.start([this, job] {
    Delivery deliver = job->work(job->context);
    QMetaObject::invokeMethod(
        this, [this, job, deliver = std::move(deliver)] { finish(job, deliver); }, Qt::QueuedConnection);
  });
}

void JobTracker::finish(const std::shared_ptr<Job>& job, const Delivery& deliver) {
  std::erase(m_jobs, job);
  startNext(job->spec.lane);
  Q_EMIT changed();
  if (!job->dropped) deliver();
}

void JobTracker::cancel(uint64_t id) {
  for (const auto& job : m_jobs)
    if (job->id == id) job->context.m_stop.request_stop();
}

void JobTracker::cancelShown() {
  for (const auto& job : m_jobs)
    if (!job->spec.quiet) job->context.m_stop.request_stop();
}

void JobTracker::dropLane(const QString& lane) {
  for (const auto& job : m_jobs) {
    if (job->spec.lane != lane) continue;
    job->dropped = true;
    job->context.m_stop.request_stop();
  }
  std::erase_if(m_jobs, [](const auto& job) { return job->dropped && !job->running; });
  Q_EMIT changed();
}

std::vector<JobInfo> JobTracker::jobs() const {
  std::vector<JobInfo> infos;
  for (const auto& job : m_jobs) {
    const std::lock_guard lock(job->context.m_mutex);
    infos.push_back({job->id, job->spec, job->context.m_progress, job->running});
  }
  return infos;
}

bool JobTracker::busy(const QString& lane) const {
  return std::ranges::any_of(
      m_jobs, [&](const auto& job) { return job->spec.lane == lane && !job->dropped && !job->spec.quiet; });
}

} // namespace nodewise::ui
