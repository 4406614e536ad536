// What the cache holds and did, for the statistics page.
#pragma once

#include "cache/list.h"
#include "cache/settings.h"
#include "cache/stats.h"
#include "ui/jobs/job_tracker.h"

#include <QObject>

#include <memory>

namespace nodewise::ui {

struct CachePicture {
  CacheStats stats;
  std::vector<DayStats> days;
  std::vector<SettingRow> settings;
  std::vector<EntryGroup> groups;  ///< by the column asked for
  std::vector<EntryRow> evictions; ///< what the size cap would drop first
  std::string file;
};

class StatsService : public QObject {
  Q_OBJECT
public:
  StatsService(JobTracker& jobs, CacheSettings settings, QObject* parent = nullptr);
  void request(EntryColumn groupBy);

Q_SIGNALS:
  void ready(const std::shared_ptr<const nodewise::ui::CachePicture>& picture);
  void failed(const nodewise::Error& error);

private:
  JobTracker& m_jobs;
  CacheSettings m_settings;
};

} // namespace nodewise::ui
