#include "session/compile_group.h"

#include "session/recipe.h"

namespace nodewise {

NodeState nodeState(const CompileGroup& group, bool first) {
  NodeState s;
  s.outcome = group.outcome();
  s.reason = group.failure ? group.failure->text() : group.answer.reason;
  s.changedPart = group.answer.changedPart;
  s.oldValue = group.answer.oldValue;
  s.newValue = group.answer.newValue;
  s.nearest = group.answer.nearest;
  s.nearestCreatedUnix = group.answer.nearestCreatedUnix;
  s.storeResult = group.storeResult;
  if (first) {
    s.phases = group.phases;
    s.starts = group.starts;
    s.worker = group.worker;
  }
  s.recordedCompileNs = group.hit() && group.answer.object ? group.answer.object->compileNs
                        : group.made
                            ? group.phases.build + group.made->phases.optimise + group.made->phases.emit
                            : group.phases.compile();
  s.hits = group.hit() && group.answer.object ? group.answer.object->hits + 1 : 0;
  s.objectBytes = static_cast<int64_t>(group.made ? group.made->object.size() : group.object.size());
  s.linked = group.kernel != nullptr;
  return s;
}

NewEntry newEntry(const CompileGroup& group, int64_t runId) {
  const CompileItem& item = *group.items[0];
  NewEntry entry;
  entry.key = group.key;
  entry.content = group.content;
  entry.symbol = group.made->symbol;
  entry.object = group.made->object;
  entry.op = item.info->op;
  entry.label = item.info->detail;
  entry.dtype = item.info->dtype;
  entry.recipe = makeRecipe(*item.info->graph, item.info->node(), item.planned->destroys);
  entry.phases = group.phases;
  if (!group.compiledHere) {
    entry.phases.optimise = group.made->phases.optimise;
    entry.phases.emit = group.made->phases.emit;
  }
  entry.runId = runId;
  return entry;
}

LookupRow lookupRow(const CompileItem& item, const Hash& key, const NodeState& state) {
  LookupRow row;
  row.nodePath = item.planned->path;
  row.op = item.info->op;
  row.key = key;
  row.outcome = *state.outcome;
  row.reason = state.reason;
  row.changedPart = state.changedPart;
  row.oldValue = state.oldValue;
  row.newValue = state.newValue;
  row.nearest = state.nearest;
  row.nearestCreatedUnix = state.nearestCreatedUnix;
  row.storeResult = state.storeResult;
  row.phases = state.phases;
  return row;
}

RunRow summedUp(RunRow run, const CompileSummary& summary) {
  run.wallNs = summary.wallNs;
  run.nodes = summary.nodes;
  run.hits = summary.hits;
  run.misses = summary.misses;
  run.stale = summary.stale;
  run.failed = summary.failed;
  run.compileNs = summary.phases.compile();
  run.savedNs = summary.savedNs;
  return run;
}

} // namespace nodewise
