#include "ui/passes/node_service.h"

#include "graph/generate.h"

namespace nodewise::ui {
namespace {

Result<std::vector<Data>> inputsOf(const GraphFile& file, size_t caseIndex) {
  if (caseIndex < file.cases.size()) return file.cases[caseIndex].inputs;
  return exampleInputs(file.graph);
}

} // namespace

NodeService::NodeService(JobTracker& jobs, Document& document, QObject* parent)
    : QObject(parent), m_jobs(jobs), m_document(document) {}

void NodeService::requestPasses(NodeIndex node) {
  const std::shared_ptr<Session> session = m_document.sharedSession();
  if (!session) return;
  using Answer = std::shared_ptr<const NodePasses>;
  m_jobs.start(
      {tr("Recording passes"), Document::inspectLane(), QStringLiteral("passes"), true},
      [session, node](JobContext&) -> Result<Answer> {
        NW_TRY(NodePasses passes, session->passes(node));
        return Answer(std::make_shared<const NodePasses>(std::move(passes)));
      },
      [this, node](const Result<Answer>& answer) {
        if (answer.ok())
          Q_EMIT passesReady(node, *answer);
        else
          Q_EMIT passesFailed(node, answer.error());
      });
}

void NodeService::requestValues(size_t caseIndex) {
  const std::shared_ptr<Session> session = m_document.sharedSession();
  if (!session) return;
  using Answer = std::shared_ptr<const ValueReport>;
  m_jobs.start(
      {tr("Running and looking at values"), Document::lane(), QStringLiteral("values"), false},
      [session, caseIndex](JobContext& context) -> Result<Answer> {
        NW_TRY(const std::vector<Data> inputs, inputsOf(session->file(), caseIndex));
        NW_TRY(ValueReport report, session->values(inputs, context.stop()));
        return Answer(std::make_shared<const ValueReport>(std::move(report)));
      },
      [this](const Result<Answer>& answer) {
        if (answer.ok())
          Q_EMIT valuesReady(*answer);
        else
          Q_EMIT valuesFailed(answer.error());
      });
}

} // namespace nodewise::ui
