#include "session_json.h"

namespace nodewise {

using nlohmann::json;

json phasesJson(const Phases& p) {
  return {{"lookup", p.lookup}, {"build", p.build}, {"optimise", p.optimise},
          {"emit", p.emit},     {"link", p.link},   {"store", p.store}};
}

json nodeJson(const NodeInfo& info, const NodeState& state) {
  json out{{"path", info.path}, {"op", info.op}, {"kind", nodeKindName(info.kind)}};
  if (!info.detail.empty()) out["detail"] = info.detail;
  if (!info.scope.empty()) out["scope"] = info.scope;
  if (!info.origin.empty()) out["origin"] = info.origin;
  if (!info.reason.empty()) out["reason"] = info.reason;
  if (info.kind == NodeKind::Kernel) out["key"] = info.key.hex();
  if (state.outcome) {
    out["outcome"] = outcomeRow(*state.outcome).name;
    out["reason"] = state.reason;
    out["ns"] = phasesJson(state.phases);
    out["recorded compile ns"] = state.recordedCompileNs;
    out["object bytes"] = state.objectBytes;
    if (!state.changedPart.empty())
      out["changed"] = {{"part", state.changedPart}, {"was", state.oldValue}, {"now", state.newValue}};
    if (state.nearest) out["nearest"] = state.nearest->hex();
    if (!state.storeResult.empty()) out["store"] = state.storeResult;
  }
  if (state.runCalls > 0) out["run"] = {{"calls", state.runCalls}, {"ns", state.runNs}};
  return out;
}

json compileJson(const Session& session, const CompileSummary& s) {
  json nodes = json::array();
  for (const NodeInfo& info : session.nodes()) nodes.push_back(nodeJson(info, session.state(info.index)));
  return {
      {"version", 1},
      {"file", session.file().path},
      {"run", s.runId},
      {"nodes", std::move(nodes)},
      {"outcomes",
       {{"hit", s.hits},
        {"miss", s.misses},
        {"stale", s.stale},
        {"uncacheable", s.uncacheable},
        {"failed", s.failed},
        {"lookup error", s.lookupErrors}}},
      {"kinds",
       {{"kernel", s.nodes}, {"view", s.views}, {"prebuilt", s.prebuilt}, {"unsupported", s.unsupported}}},
      {"compiled", s.compiled},
      {"shared content", s.shared},
      {"ns", phasesJson(s.phases)},
      {"wall ns", s.wallNs},
      {"saved ns", s.savedNs},
      {"warnings", s.warnings}};
}

json explanationJson(const NodeInfo& info, const Explanation& e) {
  json parts = json::array(), differences = json::array();
  for (const KeyPart& part : e.key.parts) parts.push_back({{"name", part.name}, {"value", part.value}});
  for (const PartDiff& d : e.differences)
    differences.push_back({{"part", d.name}, {"was", d.oldValue}, {"now", d.newValue}});
  json out{{"path", info.path},
           {"op", info.op},
           {"key", e.key.hash.hex()},
           {"outcome", outcomeRow(e.answer.outcome).name},
           {"reason", e.answer.reason},
           {"parts", std::move(parts)},
           {"differences", std::move(differences)}};
  if (e.answer.nearest) out["nearest"] = e.answer.nearest->hex();
  return out;
}

} // namespace nodewise
