// The store: compiled nodes, how they came about, runs and lookups, in one SQLite file.
//
// The cache can never make a result wrong or a program fail: every function gives a Result, an entry that is damaged
// or foreign is reported as such and replaced, and a database that cannot be used at all is an error the session
// shows once and works without.
#pragma once

#include "base/result.h"
#include "cache/key.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace nodewise {

/// Every lookup has exactly one.
enum class Outcome : uint8_t { Hit, Miss, Stale, Uncacheable, Failed, LookupError };
struct OutcomeRow {
  Outcome outcome;
  char letter;            ///< H M S U ! ?
  std::string_view name;  ///< "hit", ...
  std::string_view doc;
};
std::span<const OutcomeRow> outcomeTable();
const OutcomeRow& outcomeRow(Outcome outcome);

/// Wall times of one compile, nanoseconds; 0 where a phase did not happen.
struct Phases {
  int64_t lookup = 0, build = 0, optimise = 0, emit = 0, link = 0, store = 0;
  int64_t compile() const { return build + optimise + emit; }
  int64_t total() const { return lookup + build + optimise + emit + link + store; }
};

/// What the store gives back on a hit.
struct StoredObject {
  Hash content;
  std::string symbol;           ///< function name in the object
  std::vector<std::byte> object;
  int64_t compileNs = 0;        ///< recorded cost of making it (what the hit saved)
};

/// A new entry, written in one transaction.
struct NewEntry {
  Key key;
  Hash content;
  std::string symbol;
  std::vector<std::byte> object; ///< empty: an object of this content is stored already
  std::string op;                ///< "Elemwise"
  std::string label;             ///< quiet line: "composite: exp, mul, add"
  std::string dtype;             ///< of output 0
  std::string recipe;            ///< one-node graph file: all that is needed to compile it again
  std::string ir;                ///< unoptimised IR; may be empty
  Phases phases;
  int64_t runId = 0;
};

/// One row of the entry table; never holds the object.
struct EntryRow {
  int64_t id = 0;
  Hash key, content;
  std::string op, label, dtype, cpu, llvmVersion, state; ///< state: live, invalidated, deleted, quarantined
  int optLevel = 0;
  int64_t objectBytes = 0, compileNs = 0, hits = 0, lastUse = 0; ///< lastUse: use counter, not a time
  int64_t createdUnix = 0;
  bool pinned = false;
};

/// Why a lookup came out as it did.
struct LookupRow {
  int64_t runId = 0;
  std::string nodePath, op;
  Hash key;
  Outcome outcome = Outcome::Miss;
  std::string reason;                       ///< one sentence
  std::string changedPart, oldValue, newValue; ///< empty where nothing was comparable
  std::optional<Hash> nearest;
  int64_t nearestCreatedUnix = 0;
  std::string storeResult;                  ///< "", "stored", "not stored: disk full", ...
  Phases phases;
};

struct LookupAnswer {
  Outcome outcome = Outcome::Miss;
  std::string reason;
  std::string changedPart, oldValue, newValue;
  std::optional<Hash> nearest;
  int64_t nearestCreatedUnix = 0;
  std::optional<StoredObject> object; ///< on a hit
};

struct RunRow {
  int64_t id = 0;
  std::string file, command, graphHash;
  int64_t startedUnix = 0, wallNs = 0;
  int64_t nodes = 0, hits = 0, misses = 0, stale = 0, failed = 0;
  int64_t compileNs = 0, savedNs = 0;
};

struct CacheStats {
  int64_t entries = 0, contents = 0, objectBytes = 0, fileBytes = 0, capBytes = 0;
  int64_t invalidated = 0, deleted = 0, pinned = 0, hits = 0, compileNs = 0;
};

} // namespace nodewise
