#include "ui/compare/run_graph.h"

#include "ui/document/open_graph.h"

#include <fmt/format.h>

namespace nodewise::ui {
namespace {

/// What differs between the run's nodes and the file's; empty: they are the same. Keys say nothing: they
/// change with LLVM and with versions of ops too.
std::string difference(const RunRecord& run, const std::vector<NodeInfo>& nodes) {
  for (const RunNode& node : run.nodes) {
    if (node.position < 0 || static_cast<size_t>(node.position) >= nodes.size())
      return fmt::format("{} {} is not in it", node.path, node.op);
    const NodeInfo& info = nodes[static_cast<size_t>(node.position)];
    if (info.path != node.path || info.op != node.op)
      return fmt::format("{} was {}, and is {} now", node.path, node.op, info.op);
    if (info.detail != node.label || info.name != node.name || info.scope != node.scope ||
        info.dtype != node.dtype)
      return fmt::format("{} {} is another one now", node.path, node.op);
  }
  return {};
}

} // namespace

Result<std::shared_ptr<const SceneSource>> graphOfRun(const RunRecord& run, const TextMeasure& measure) {
  if (run.run.file.empty()) return Error{"the run has no graph file", {}, "only its table can be shown", {}};
  SessionSettings settings;
  settings.useCache = false;
  settings.threads = 1;
  if (run.level >= 0) settings.options.optLevel = run.level;
  NW_TRY(std::unique_ptr<Session> session, Session::open(run.run.file, settings));
  if (const std::string why = difference(run, session->nodes()); !why.empty())
    return Error{fmt::format("the file has changed since run {}: {}", run.run.id, why), run.run.file,
                 "only the table can be shown", "Changed"};
  return sceneSourceOf(std::move(session), measure);
}

} // namespace nodewise::ui
