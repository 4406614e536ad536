#include "ui/document/run_apart.h"

#include "graph/generate.h"
#include "session/compare.h"
#include "session/guarded_run.h"

namespace nodewise::ui {

namespace {

/// In this process, as tests do it.
Result<RunEnd> runHere(Session& session, size_t caseIndex, const std::stop_token& stop) {
  const GraphFile& file = session.file();
  RunEnd end;
  end.recorded = caseIndex < file.cases.size();
  if (!end.recorded) {
    NW_TRY(const std::vector<Data> inputs, exampleInputs(file.graph));
    NW_TRY(const RunResult result, session.run(inputs, 1, true, stop));
    end.wallNs = result.wallNs;
    end.outputs = result.outputs.size();
    return end;
  }
  const Case& recorded = file.cases[caseIndex];
  const Result<RunResult> result = session.run(recorded.inputs, 1, true, stop);
  if (!result && result.error().type == recorded.raisesType) {
    end.raised = result.error().text();
    return end;
  }
  if (!result) return result.error();
  end.wallNs = result->wallNs;
  end.outputs = result->outputs.size();
  if (!recorded.raisesType.empty()) end.differences.push_back("expected " + recorded.raisesType);
  for (size_t k = 0; k < recorded.outputs.size(); ++k)
    if (const std::string why = difference(result->outputs[k], recorded.outputs[k], recorded); !why.empty())
      end.differences.push_back("output " + std::to_string(k) + ": " + why);
  return end;
}

} // namespace

Result<RunEnd> runApart(Session& session, const RunProgram& program, size_t caseIndex,
                        const std::stop_token& stop) {
  if (program.path.empty()) return runHere(session, caseIndex, stop);
  GuardedOptions options;
  options.program = program.path;
  options.timeout = program.timeout;
  options.caseIndex = static_cast<int>(caseIndex);
  NW_TRY(GuardedResult ended, runGuarded(session, options, {}, stop));
  if (ended.died()) {
    const std::string where =
        ended.failedNode ? session.nodes()[static_cast<size_t>(*ended.failedNode)].path : "";
    return Error{"the run was ended: " + ended.failure, where,
                 ended.failedNode ? "the node is failed and its entry quarantined; compile it again" : "",
                 "Crashed"};
  }
  return RunEnd{ended.wallNs, ended.outputs, caseIndex < session.file().cases.size(), std::move(ended.raised),
                std::move(ended.differences)};
}

} // namespace nodewise::ui
