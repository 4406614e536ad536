// Sessions as JSON, for --json.
#pragma once

#include "session/session.h"

#include <nlohmann/json.hpp>

namespace nodewise {

nlohmann::json phasesJson(const Phases& phases);
/// A node with what is known of it.
nlohmann::json nodeJson(const NodeInfo& info, const NodeState& state);
nlohmann::json compileJson(const Session& session, const CompileSummary& summary);
nlohmann::json explanationJson(const NodeInfo& info, const Explanation& explanation);

} // namespace nodewise
