#include "ui/stats/stats_service.h"

#include "cache/policy.h"

namespace nodewise::ui {
namespace {

constexpr int64_t kEvictions = 200;

using Picture = std::shared_ptr<const CachePicture>;

Result<Picture> readPicture(const CacheSettings& settings, EntryColumn groupBy, std::stop_token stop) {
  NW_TRY(Store store, Store::open(settings));
  store.setStop(std::move(stop));
  auto picture = std::make_shared<CachePicture>();
  NW_TRY(picture->stats, cacheStats(store));
  NW_TRY(picture->days, statsByDay(store));
  NW_TRY(picture->groups, groupEntries(store, Filter{}, groupBy));
  NW_TRY(picture->evictions, evictionOrder(store, kEvictions));
  picture->settings = settingRows(store.settings());
  picture->file = store.settings().file.value;
  return Picture(std::move(picture));
}

} // namespace

StatsService::StatsService(JobTracker& jobs, CacheSettings settings, QObject* parent)
    : QObject(parent), m_jobs(jobs), m_settings(std::move(settings)) {}

void StatsService::request(EntryColumn groupBy) {
  m_jobs.start(
      {tr("Reading statistics"), QStringLiteral("statistics"), QStringLiteral("statistics"), true},
      [settings = m_settings, groupBy](JobContext& context) {
        return readPicture(settings, groupBy, context.stop());
      },
      [this](const Result<Picture>& picture) {
        if (picture.ok())
          Q_EMIT ready(*picture);
        else
          Q_EMIT failed(picture.error());
      });
}

} // namespace nodewise::ui
