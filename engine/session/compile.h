// Keys, lookups, compiles, links and stores of one session's nodes: the path of a node from step 3 to step 6.
#pragma once

#include "session/engine.h"
#include "session/session.h"

#include "ops/graph_plan.h"

#include <functional>
#include <span>

namespace nodewise {

/// A kernel node that takes part in a compile.
struct CompileItem {
  NodeIndex index = 0;
  const NodeInfo* info = nullptr;
  PlannedNode* planned = nullptr;
};

struct CompileContext {
  Engine& engine;
  KeyEnvironment environment;
  const SessionSettings& settings;
  RunRow run; ///< file, command and graph hash filled in
};

/// Key of a lowered kernel.
Key nodeKey(const Lowered& lowered, const KeyEnvironment& environment);
/// Its hash alone, for all nodes of a large graph: `environmentBytes` are canonicalBytes(environmentParts()).
Hash nodeKeyHash(const Lowered& lowered, std::string_view environmentBytes);

/// Blocking. `report` is called with each node's state as it is known, on any thread.
Result<CompileSummary> compileItems(const CompileContext& context, std::span<const CompileItem> items,
                                    bool ignoreCache,
                                    const std::function<void(const CompileItem&, const NodeState&)>& report,
                                    const ProgressFn& progress, std::stop_token stop);

} // namespace nodewise
