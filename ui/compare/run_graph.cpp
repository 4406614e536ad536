#include "ui/compare/run_graph.h"

#include "ui/document/open_graph.h"

#include <fmt/format.h>

namespace nodewise::ui {
namespace {

/// What differs between the run's nodes and the file's; empty: they are the same.
std::string difference(const RunRecord& run, const std::vector<NodeInfo>& nodes) {
  int64_t sameKeys = 0;
  const RunNode* otherKey = nullptr;
  for (const RunNode& node : run.nodes) {
    if (node.position < 0 || static_cast<size_t>(node.position) >= nodes.size())
      return fmt::format("{} {} is not in it", node.path, node.op);
    const NodeInfo& info = nodes[static_cast<size_t>(node.position)];
    if (info.path != node.path || info.op != node.op)
      return fmt::format("{} was {}, and is {} now", node.path, node.op, info.op);
    if (info.detail != node.label || info.name != node.name || info.scope != node.scope)
      return fmt::format("{} {} is another one now", node.path, node.op);
    if (!node.key || info.kind != NodeKind::Kernel) continue;
    if (*node.key == info.key)
      ++sameKeys;
    else
      otherKey = &node;
  }
  // All keys are others on another machine or with another LLVM; some only where nodes are others.
  if (otherKey && sameKeys > 0) return fmt::format("{} {} has another key now", otherKey->path, otherKey->op);
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
