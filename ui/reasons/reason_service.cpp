#include "ui/reasons/reason_service.h"

#include "cache/run_history.h"
#include "cache/show.h"
#include "session/run_of_graph.h"

#include <QDateTime>

namespace nodewise::ui {
namespace {

struct Causes {
  std::vector<CascadeItem> items;
  bool recorded = false;
};

Result<Causes> findCauses(Session& session, const CacheSettings& settings, int64_t runId,
                          std::stop_token stop) {
  if (runId > 0) {
    NW_TRY(Store store, Store::open(settings));
    NW_TRY(const RunRecord record, loadRun(store, runId));
    if (isRunOf(record, session.nodes())) {
      NW_TRY(const std::vector<ExplainedNode> explained, explainRun(store, record));
      return Causes{cascade(session.nodes(), explained), true};
    }
  }
  NW_TRY(const std::vector<ExplainedNode> explained, explainNodes(session, {}, stop));
  return Causes{cascade(session.nodes(), explained), false};
}

Result<KeySide> sideOf(Store& store, const Hash& key, const QString& from) {
  NW_TRY(const EntryDetail detail, showEntry(store, key));
  return KeySide{from.isEmpty() ? ReasonService::tr("entry %1").arg(QString::fromStdString(key.shortHex()))
                                : from,
                 detail.parts};
}

Result<KeySide> entrySide(const CacheSettings& settings, const std::string& prefix) {
  NW_TRY(Store store, Store::open(settings));
  NW_TRY(const std::vector<EntryRow> found, findEntries(store, prefix, 2));
  if (found.empty())
    return Error{"no entry whose key begins with " + prefix, {}, "the Cache page lists keys", {}};
  if (found.size() > 1) return Error{"several entries begin with " + prefix, {}, "give more digits", {}};
  return sideOf(store, found[0].key, {});
}

Result<KeySide> runSide(const CacheSettings& settings, int64_t runId, const std::string& path) {
  NW_TRY(Store store, Store::open(settings));
  NW_TRY(const RunRecord record, loadRun(store, runId));
  const auto node = std::ranges::find(record.nodes, path, &RunNode::path);
  if (node == record.nodes.end() || !node->key)
    return Error{
        "run " + std::to_string(runId) + " has no key of " + path, {}, "choose a run of this graph", {}};
  return sideOf(store, *node->key, ReasonService::tr("run %1").arg(runId));
}

} // namespace

ReasonService::ReasonService(JobTracker& jobs, Document& document, CacheSettings settings, QObject* parent)
    : QObject(parent), m_jobs(jobs), m_document(document), m_settings(std::move(settings)) {}

void ReasonService::requestCauses(int64_t runId) {
  const std::shared_ptr<Session> session = m_document.sharedSession();
  if (!session) return;
  m_jobs.start(
      {tr("Looking for root causes"), Document::inspectLane(), QStringLiteral("causes"), true},
      [session, settings = m_settings, runId](JobContext& context) {
        return findCauses(*session, settings, runId, context.stop());
      },
      [this](const Result<Causes>& causes) {
        if (causes.ok())
          Q_EMIT causesReady(causes->items, causes->recorded);
        else
          Q_EMIT failed(causes.error());
      });
}

void ReasonService::requestWhatIf(const Pretend& pretend) {
  const std::shared_ptr<Session> session = m_document.sharedSession();
  if (!session) return;
  using Answer = std::shared_ptr<const WhatIf>;
  m_jobs.start(
      {tr("Looking up what would miss"), Document::inspectLane(), QStringLiteral("what if"), false},
      [session, pretend](JobContext& context) -> Result<Answer> {
        NW_TRY(WhatIf result, whatIf(*session, pretend, context.stop()));
        return Answer(std::make_shared<const WhatIf>(std::move(result)));
      },
      [this](const Result<Answer>& answer) {
        if (answer.ok())
          Q_EMIT whatIfReady(*answer);
        else
          Q_EMIT failed(answer.error());
      });
}

void ReasonService::requestAudit() {
  using Answer = std::shared_ptr<const AuditReport>;
  m_jobs.start(
      {tr("Auditing the cache"), QStringLiteral("audit"), QStringLiteral("audit"), false},
      [engine = m_document.engine(),
       cache = m_document.settings().cache](JobContext& context) -> Result<Answer> {
        const auto progress = [&](int64_t done, int64_t total) {
          context.report({done, total, ReasonService::tr("Emitting entries anew")});
        };
        NW_TRY(AuditReport report, audit(*engine, cache, progress, context.stop()));
        return Answer(std::make_shared<const AuditReport>(std::move(report)));
      },
      [this](const Result<Answer>& answer) {
        if (answer.ok())
          Q_EMIT auditReady(*answer);
        else
          Q_EMIT failed(answer.error());
      });
}

void ReasonService::requestEntry(const QString& keyPrefix) {
  m_jobs.start(
      {tr("Reading a key"), Document::inspectLane(), QStringLiteral("key"), true},
      [settings = m_settings, prefix = keyPrefix.trimmed().toStdString()](JobContext&) {
        return entrySide(settings, prefix);
      },
      [this](const Result<KeySide>& key) {
        if (key.ok())
          Q_EMIT keyReady(*key);
        else
          Q_EMIT failed(key.error());
      });
}

void ReasonService::requestRunKey(int64_t runId, const QString& path) {
  m_jobs.start(
      {tr("Reading a key"), Document::inspectLane(), QStringLiteral("key"), true},
      [settings = m_settings, runId, path = path.toStdString()](JobContext&) {
        return runSide(settings, runId, path);
      },
      [this](const Result<KeySide>& key) {
        if (key.ok())
          Q_EMIT keyReady(*key);
        else
          Q_EMIT failed(key.error());
      });
}

} // namespace nodewise::ui
