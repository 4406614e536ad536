// The commands of a document: each a job on the session's lane.
#include "ui/document/document.h"

#include "ui/theme/numbers.h"

namespace nodewise::ui {
namespace {

template <class T> struct WithStates {
  Result<T> result;
  std::vector<NodeState> states;
};

std::vector<NodeState> allStates(const Session& session) {
  std::vector<NodeState> states;
  states.reserve(session.nodes().size());
  for (const NodeInfo& info : session.nodes()) states.push_back(session.state(info.index));
  return states;
}

/// What was cancelled is no error: what was done until then stays done.
Message failure(const Error& error, const QString& doing) {
  if (error.type != "Cancelled") return errorMessage(error, doing);
  return {MessageKind::Info,
          Document::tr("%1 was cancelled; what was done stays done").arg(doing),
          {},
          {},
          {},
          QStringLiteral("cancel")};
}

} // namespace

void Document::compile(CompileRequest request, const QString& title) {
  if (!isOpen()) return;
  m_ticker.start();
  m_jobs.start(
      {title, lane(), {}, false},
      [session = m_graph.session, request = std::move(request), changes = m_changes](JobContext& context) {
        const auto progress = [&](const Progress& p) {
          context.report({p.done, p.total, QString::fromStdString(p.text)});
          if (p.node < 0) return;
          const std::lock_guard lock(changes->mutex);
          changes->nodes.push_back(p.node);
        };
        auto result = session->compile(request, progress, context.stop());
        return WithStates<CompileSummary>{std::move(result), allStates(*session)};
      },
      [this](WithStates<CompileSummary> done) {
        m_ticker.stop();
        {
          const std::lock_guard lock(m_changes->mutex);
          m_changes->nodes.clear();
        }
        m_graph.states = std::move(done.states);
        if (done.result.ok()) {
          m_summary = std::move(done.result).value();
          for (const std::string& warning : m_summary->warnings)
            Q_EMIT message(
                {MessageKind::Warning, QString::fromStdString(warning), {}, {}, {}, QStringLiteral("cache")});
        } else {
          Q_EMIT message(failure(done.result.error(), tr("Compiling")));
        }
        Q_EMIT statesChanged();
        Q_EMIT compiled();
      });
}

void Document::run(size_t caseIndex) {
  if (!isOpen() || caseIndex >= session().file().cases.size()) return;
  m_ticker.start();
  m_jobs.start(
      {tr("Running case %1").arg(caseIndex + 1), lane(), {}, false},
      [session = m_graph.session, caseIndex](JobContext& context) {
        auto result = session->run(session->file().cases[caseIndex].inputs, 1, true, context.stop());
        return WithStates<RunResult>{std::move(result), allStates(*session)};
      },
      [this, caseIndex](WithStates<RunResult> done) {
        m_ticker.stop();
        m_graph.states = std::move(done.states);
        if (done.result.ok())
          Q_EMIT message(
              {MessageKind::Info,
               tr("Case %1 ran in %2: %3")
                   .arg(caseIndex + 1)
                   .arg(durationText(done.result->wallNs),
                        countedText(static_cast<int64_t>(done.result->outputs.size()), tr("output"))),
               {},
               {},
               {},
               QStringLiteral("run")});
        else
          Q_EMIT message(failure(done.result.error(), tr("Running")));
        Q_EMIT statesChanged();
      });
}

void Document::explain(NodeIndex node) {
  if (!isOpen()) return;
  m_jobs.start(
      {tr("Explaining"), inspectLane(), QStringLiteral("explain"), true},
      [session = m_graph.session, node](JobContext&) { return session->explain(node); },
      [this, node](const Result<Explanation>& explanation) { Q_EMIT explained(node, explanation); });
}

void Document::requestCode(NodeIndex node) {
  if (!isOpen()) return;
  m_jobs.start(
      {tr("Making IR and assembly"), inspectLane(), QStringLiteral("code"), true},
      [session = m_graph.session, node](JobContext&) { return session->code(node); },
      [this, node](const Result<NodeCode>& code) { Q_EMIT coded(node, code); });
}

void Document::lookAgain(std::vector<NodeIndex> nodes) {
  if (!isOpen() || nodes.empty()) return;
  using Answers = std::vector<std::pair<NodeIndex, LookupAnswer>>;
  m_jobs.start(
      {tr("Looking nodes up"), inspectLane(), {}, true},
      [session = m_graph.session, nodes = std::move(nodes)](JobContext& context) {
        Answers answers;
        for (const NodeIndex n : nodes) {
          if (context.stopped()) break;
          if (auto e = session->explain(n); e.ok()) answers.emplace_back(n, std::move(e).value().answer);
        }
        return answers;
      },
      [this](const Answers& answers) {
        for (const auto& [n, answer] : answers) {
          NodeState& state = m_graph.states[static_cast<size_t>(n)];
          state.outcome = answer.outcome;
          state.reason = answer.reason;
          state.changedPart = answer.changedPart;
          state.oldValue = answer.oldValue;
          state.newValue = answer.newValue;
          state.nearest = answer.nearest;
          state.nearestCreatedUnix = answer.nearestCreatedUnix;
        }
        Q_EMIT statesChanged();
      });
}

} // namespace nodewise::ui
