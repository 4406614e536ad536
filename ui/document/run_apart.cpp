#include "ui/document/run_apart.h"

#include "graph/generate.h"
#include "session/guarded_run.h"

namespace nodewise::ui {

Result<RunResult> runApart(Session& session, const RunProgram& program, size_t caseIndex,
                           const std::stop_token& stop) {
  const GraphFile& file = session.file();
  if (program.path.empty()) {
    if (caseIndex < file.cases.size()) return session.run(file.cases[caseIndex].inputs, 1, true, stop);
    NW_TRY(const std::vector<Data> inputs, exampleInputs(file.graph));
    return session.run(inputs, 1, true, stop);
  }
  GuardedOptions options;
  options.program = program.path;
  options.timeout = program.timeout;
  options.caseIndex = static_cast<int>(caseIndex);
  NW_TRY(const GuardedResult ended, runGuarded(session, options, {}, stop));
  if (ended.died()) {
    const std::string where =
        ended.failedNode ? session.nodes()[static_cast<size_t>(*ended.failedNode)].path : "";
    return Error{"the run was ended: " + ended.failure, where,
                 ended.failedNode ? "the node is failed and its entry quarantined; compile it again" : "",
                 "Crashed"};
  }
  RunResult result;
  result.outputs.resize(ended.outputs);
  result.wallNs = ended.wallNs;
  return result;
}

} // namespace nodewise::ui
