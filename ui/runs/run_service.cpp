#include "ui/runs/run_service.h"

#include "base/file.h"
#include "cache/runs.h"
#include "ui/document/shell_word.h"
#include "ui/theme/text.h"

namespace nodewise::ui {
namespace {

constexpr int64_t kListed = 1000;

Result<std::shared_ptr<const ShownRun>> readRun(Store& store, int64_t runId) {
  auto shown = std::make_shared<ShownRun>();
  NW_TRY(shown->record, loadRun(store, runId));
  NW_TRY(const std::optional<RunRow> cold, coldRunOf(store, shown->record.run));
  shown->rates = hitRates(shown->record, cold);
  NW_TRY(const std::vector<LevelCost> costs, levelCosts(store, structuresOf(shown->record)));
  shown->breakEven = breakEven(shown->record, costs);
  return std::shared_ptr<const ShownRun>(std::move(shown));
}

bool sameRuns(const std::vector<RunRow>& a, const std::vector<RunRow>& b) {
  return std::ranges::equal(a, b, [](const RunRow& x, const RunRow& y) {
    return x.id == y.id && x.wallNs == y.wallNs && x.nodes == y.nodes;
  });
}

} // namespace

RunService::RunService(JobTracker& jobs, CacheSettings settings, QObject* parent)
    : QObject(parent), m_jobs(jobs), m_settings(std::move(settings)) {}

template <class Work, class Done> void RunService::withStore(JobSpec spec, Work work, Done done) {
  using R = decltype(work(std::declval<Store&>()));
  m_jobs.start(
      std::move(spec),
      [holder = m_holder, settings = m_settings, work = std::move(work)](JobContext& context) -> R {
        if (!holder->store) {
          NW_TRY(Store store, Store::open(settings));
          holder->store.emplace(std::move(store));
        }
        holder->store->setStop(context.stop());
        R result = work(*holder->store);
        holder->store->setStop({});
        return result;
      },
      std::move(done));
}

void RunService::refresh() {
  withStore(
      {tr("Reading the runs"), lane(), QStringLiteral("runs"), true},
      [](Store& store) { return listRuns(store, kListed); },
      [this](Result<std::vector<RunRow>> runs) {
        if (!runs.ok() || sameRuns(*runs, m_runs)) return; // the cache's own view says what is wrong with it
        m_runs = std::move(*runs);
        Q_EMIT listed();
      });
}

void RunService::show(int64_t runId) {
  m_wanted = runId;
  withStore(
      {tr("Reading run %1").arg(runId), lane(), QStringLiteral("run"), true},
      [runId](Store& store) { return readRun(store, runId); },
      [this, runId](Result<std::shared_ptr<const ShownRun>> run) {
        if (m_wanted != runId) return;
        if (!run.ok()) {
          Q_EMIT message(errorMessage(run.error(), tr("The run")));
          return;
        }
        m_current = std::move(*run);
        Q_EMIT shown();
      });
}

void RunService::showAgain() {
  if (m_current) show(m_current->record.run.id);
}

void RunService::showNone() {
  m_wanted = 0;
  if (!m_current) return;
  m_current.reset();
  Q_EMIT shown();
}

void RunService::compare(int64_t before, int64_t after) {
  using Compared = std::shared_ptr<const ComparedRuns>;
  m_compared = {before, after};
  withStore(
      {tr("Comparing runs %1 and %2").arg(before).arg(after), lane(), QStringLiteral("compare"), false},
      [before, after](Store& store) -> Result<Compared> {
        auto runs = std::make_shared<ComparedRuns>();
        NW_TRY(runs->before, loadRun(store, before));
        NW_TRY(runs->after, loadRun(store, after));
        runs->diff = diffRuns(runs->before, runs->after);
        return Compared(std::move(runs));
      },
      [this](const Result<Compared>& runs) {
        if (runs.ok())
          Q_EMIT compared(*runs);
        else
          Q_EMIT message(errorMessage(runs.error(), tr("Comparing")));
      });
  Q_EMIT done(QStringLiteral("nodewise diff %1 %2").arg(before).arg(after));
}

void RunService::exportTo(int64_t runId, ExportFormat format, const QString& path) {
  withStore(
      {tr("Exporting run %1").arg(runId), lane(), {}, false},
      [runId, format, file = path.toStdString()](Store& store) -> Result<bool> {
        NW_TRY(const RunRecord record, loadRun(store, runId));
        NW_CHECK(writeFile(file, exportRun(record, format)));
        return true;
      },
      [this, path](const Result<bool>& done) {
        if (done.ok())
          Q_EMIT message({MessageKind::Info, tr("Wrote %1").arg(path), {}, {}, {}, QStringLiteral("export")});
        else
          Q_EMIT message(errorMessage(done.error(), tr("Exporting")));
      });
  const std::string_view name = exportFormats()[static_cast<size_t>(format)].name;
  Q_EMIT done(
      QStringLiteral("nodewise export %1 --format %2 -o %3").arg(runId).arg(text(name), shellWord(path)));
}

} // namespace nodewise::ui
