// The commands of a document: each a job on the session's lane.
#include "ui/document/document.h"

#include "cache/show.h"
#include "ui/document/run_apart.h"
#include "ui/models/node_name.h"
#include "ui/theme/numbers.h"
#include "ui/theme/text.h"

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

Result<std::vector<KeyPart>> partsOf(const Session& session, const Hash& key) {
  NW_TRY(CacheSettings settings, resolveCacheSettings(session.settings().cache));
  NW_TRY(Store store, Store::open(settings));
  NW_TRY(EntryDetail entry, showEntry(store, key));
  return std::move(entry.parts);
}

/// A node that missed was stored since, and its key would now only be compared with itself: what it missed by
/// is the difference from the entry that was nearest then.
Result<Explanation> explainWithNearest(Session& session, NodeIndex node) {
  NW_TRY(Explanation explanation, session.explain(node));
  const NodeState state = session.state(node);
  const bool missed = state.outcome && *state.outcome != Outcome::Hit && state.nearest;
  if (!missed || explanation.answer.outcome != Outcome::Hit) return explanation;
  if (auto parts = partsOf(session, *state.nearest); parts.ok()) {
    explanation.answer.nearest = state.nearest;
    explanation.answer.nearestCreatedUnix = state.nearestCreatedUnix;
    explanation.nearestParts = std::move(parts).value();
    explanation.differences = diffParts(explanation.nearestParts, explanation.key.parts);
  }
  return explanation;
}

/// What was cancelled is no error: what was done until then stays done.
Message failure(const Error& error, const QString& doing, const QString& topic) {
  if (error.type != "Cancelled") {
    Message said = errorMessage(error, doing);
    said.topic = topic;
    return said;
  }
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
          Q_EMIT message(failure(done.result.error(), tr("Compiling"), QStringLiteral("compile")));
        }
        Q_EMIT statesChanged();
        Q_EMIT compiled();
      });
}

namespace {

/// "Ran in 12 µs on its first recorded case: 5 outputs, all as recorded".
Message ranMessage(const RunEnd& end) {
  Message message;
  message.kind = end.differences.empty() ? MessageKind::Info : MessageKind::Warning;
  message.topic = QStringLiteral("run");
  if (!end.raised.empty()) {
    message.text =
        Document::tr("Ran its first recorded case, which raises as recorded: %1").arg(text(end.raised));
    return message;
  }
  const QString outputs = countedText(static_cast<int64_t>(end.outputs), Document::tr("output"));
  if (!end.recorded) {
    message.text = Document::tr("Ran in %1 on made-up inputs: %2").arg(durationText(end.wallNs), outputs);
    message.remedy =
        Document::tr("to run your own inputs and compare results, record them in the file's cases");
    return message;
  }
  QString compared = Document::tr("all as recorded");
  if (!end.differences.empty()) {
    compared = Document::tr("not as recorded: %1").arg(text(end.differences.front()));
    if (end.differences.size() > 1)
      compared += Document::tr(" (and %1 more)").arg(end.differences.size() - 1);
  }
  message.text = Document::tr("Ran in %1 on its first recorded case: %2, %3")
                     .arg(durationText(end.wallNs), outputs, compared);
  return message;
}

} // namespace

void Document::run() {
  if (!isOpen()) return;
  m_ticker.start();
  m_jobs.start(
      {tr("Running"), lane(), {}, false},
      [session = m_graph.session, program = m_runProgram](JobContext& context) {
        auto end = runApart(*session, program, 0, context.stop());
        return WithStates<RunEnd>{std::move(end), allStates(*session)};
      },
      [this](WithStates<RunEnd> done) {
        m_ticker.stop();
        m_graph.states = std::move(done.states);
        showEnd(done.result);
        Q_EMIT statesChanged();
        Q_EMIT ran();
      });
}

void Document::showEnd(const Result<RunEnd>& end) {
  if (!end.ok()) {
    Q_EMIT message(failure(end.error(), tr("Running"), QStringLiteral("run")));
    return;
  }
  if (end->failure.empty()) {
    Q_EMIT message(ranMessage(*end));
    return;
  }
  Message said{
      MessageKind::Error,   tr("The run was ended: %1").arg(text(end->failure)), text(end->remedy), {}, {},
      QStringLiteral("run")};
  if (const auto node = end->failedNode ? end->failedNode : end->lastNode) {
    const QString name = nodeName(nodes()[static_cast<size_t>(*node)]);
    if (end->failedNode) said.text = tr("The run was ended at %1: %2").arg(name, text(end->failure));
    said.actionText = tr("Go to the node");
    said.action = [this, node = *node] { Q_EMIT nodeWanted(node); };
  }
  Q_EMIT message(said);
}

void Document::explain(NodeIndex node) {
  if (!isOpen()) return;
  m_jobs.start(
      {tr("Explaining"), inspectLane(), QStringLiteral("explain"), true},
      [session = m_graph.session, node](JobContext&) { return explainWithNearest(*session, node); },
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
