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

/// What is true of the node that ended a run, and what to do.
std::string remedyOf(const Session& session, const GuardedResult& ended) {
  if (!ended.failedNode) return "give it more time, or look at its nodes one by one";
  const NodeInfo& info = session.nodes()[static_cast<size_t>(*ended.failedNode)];
  if (info.kind == NodeKind::Kernel)
    return ended.quarantined ? "the node is failed and its entry is quarantined; compile it again"
                             : "the node is failed, and had no entry in the cache; compile it again";
  return "the node is failed; it runs library code, which has no entry in the cache: look at its inputs";
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
  RunEnd end;
  if (ended.died()) end.remedy = remedyOf(session, ended);
  end.wallNs = ended.wallNs;
  end.outputs = ended.outputs;
  end.recorded = caseIndex < session.file().cases.size();
  end.raised = std::move(ended.raised);
  end.differences = std::move(ended.differences);
  end.failure = std::move(ended.failure);
  end.failedNode = ended.failedNode;
  end.lastNode = ended.lastNode;
  return end;
}

} // namespace nodewise::ui
