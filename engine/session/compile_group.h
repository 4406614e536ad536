// What a compile knows of all nodes of one key, and the rows that this becomes.
#pragma once

#include "cache/entries.h"
#include "cache/lookup.h"
#include "cache/runs.h"
#include "session/compile.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace nodewise {

/// All nodes of one key: they are looked up, compiled and stored once.
struct CompileGroup {
  Key key;
  std::vector<const CompileItem*> items;
  LookupAnswer answer;
  Phases phases, starts;
  int worker = -1;
  Hash content;
  std::string symbol;
  std::vector<std::byte> object; ///< to be linked; empty once it is, or if somebody else's is
  std::shared_ptr<const MadeContent> made;
  bool compiledHere = false; ///< went through LLVM for this group
  bool store = false;
  std::string storeResult;
  std::optional<Error> failure;
  KernelFn kernel = nullptr;

  bool hit() const { return answer.outcome == Outcome::Hit && kernel; }
  Outcome outcome() const { return failure ? Outcome::Failed : answer.outcome; }
};

/// The state of one of the group's nodes. Phases are those of the `first` alone: equal nodes are made once.
NodeState nodeState(const CompileGroup& group, bool first);

/// What is stored of a group that was made. What another one made cost what it cost there.
NewEntry newEntry(const CompileGroup& group, int64_t runId);

/// The lookup of a node as it is recorded with its run.
LookupRow lookupRow(const CompileItem& item, const Hash& key, const NodeState& state);

/// A run's row with what came out.
RunRow summedUp(RunRow run, const CompileSummary& summary);

} // namespace nodewise
