// The store: compiled nodes, how they came about, runs and lookups, in one SQLite file.
//
// The cache can never make a result wrong or a program fail: every function gives a Result, an entry that is
// damaged or foreign is reported as such and replaced, and a database that cannot be used at all is an error
// the session shows once and works without.
//
// This header has the plain structs and the open store. What is done with it is one header a job:
//
//   lookup.h   keys to objects, with reasons        entries.h  storing
//   list.h     rows, filtered and paged             show.h     one entry with all that belongs to it
//   runs.h     runs and lookups, hit counters       stats.h    totals
//   actions.h  invalidate, delete, restore, pin     policy.h   caps and eviction
//   doctor.h   check and repair                     bundle.h   export and import
//   audit.h    over-specific keys                   filter.h   the query language
//   layouts.h  pictures of graphs
#pragma once

#include "base/result.h"
#include "cache/key.h"
#include "cache/settings.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

namespace nodewise {

/// Every lookup has exactly one.
enum class Outcome : uint8_t { Hit, Miss, Stale, Uncacheable, Failed, LookupError };
struct OutcomeRow {
  Outcome outcome;
  char letter;           ///< H M S U ! ?
  std::string_view name; ///< "hit", ...
  std::string_view doc;
};
std::span<const OutcomeRow> outcomeTable();
const OutcomeRow& outcomeRow(Outcome outcome);

/// Wall times of one compile, nanoseconds; 0 where a phase did not happen.
struct Phases {
  int64_t lookup = 0, build = 0, optimise = 0, emit = 0, link = 0, store = 0;
  int64_t compile() const { return build + optimise + emit; }
  int64_t total() const { return lookup + build + optimise + emit + link + store; }
  bool operator==(const Phases&) const = default;
};

/// What the store gives back on a hit.
struct StoredObject {
  Hash content;
  std::string symbol; ///< function name in the object
  std::vector<std::byte> object;
  int64_t compileNs = 0; ///< recorded cost of making it (what the hit saved)
  int64_t hits = 0;      ///< of its entry, before this one
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
  std::string stateReason;                               ///< why it is not live; empty if it is
  int optLevel = 0;
  int64_t objectBytes = 0, compileNs = 0, hits = 0, lastUse = 0; ///< lastUse: use counter, not a time
  int64_t ownBytes = 0; ///< recipe, IR and key text, which are the entry's alone (objects may be shared)
  int64_t createdUnix = 0, usedUnix = 0;
  bool pinned = false;
};

/// Why a lookup came out as it did.
struct LookupRow {
  int64_t runId = 0;
  std::string nodePath, op;
  Hash key;
  Outcome outcome = Outcome::Miss;
  std::string reason;                          ///< one sentence
  std::string changedPart, oldValue, newValue; ///< empty where nothing was comparable
  std::optional<Hash> nearest;
  int64_t nearestCreatedUnix = 0;
  std::string storeResult; ///< "", "stored", "not stored: disk full", ...
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
  int64_t entries = 0, contents = 0, objectBytes = 0, fileBytes = 0,
          capBytes = 0; ///< entries: of every state
  int64_t invalidated = 0, deleted = 0, pinned = 0, hits = 0, compileNs = 0;
  int64_t quarantined = 0;
  int64_t freeBytes = 0; ///< pages of the file that new entries fill before it grows
  int64_t ownBytes = 0;  ///< recipes, IR, key text; objectBytes + ownBytes is what the cap limits
  int64_t usedBytes() const { return objectBytes + ownBytes; }
};

class Connection;

/// An open database. Not thread safe and cheap to open (some 0.3 ms): one a thread.
///
/// It mends itself: a file that SQLite calls damaged is moved aside (cache.db.damaged-1, ...) and kept, a
/// fresh one is made, and notices() says so; a file that was deleted or replaced while open is opened again.
class Store {
public:
  /// Makes the directory (0700), the file (0600) and the schema where absent; migrates an older schema.
  /// Errors: a newer schema, another program's database, a directory in its place, no permission, disk full,
  /// locked too long. A file that may only be read is opened so: see readOnly().
  static Result<Store> open(const CacheSettings& settings);
  Store(Store&&) noexcept;
  Store& operator=(Store&&) noexcept;
  ~Store();

  /// With the values from the database.
  const CacheSettings& settings() const;
  /// Keeps a value in the database ("size cap", "age cap", "runs kept"), for every process that does not give
  /// its own.
  Result<void> keepSetting(std::string_view name, std::string_view value);
  bool readOnly() const;
  /// What a person should be told, once: moved-aside files, permissions that let others write, read-only
  /// files. Empties the list.
  std::vector<std::string> takeNotices();
  /// A number that changes when anyone, in any process, writes: for refreshing views. Costs some
  /// microseconds.
  Result<int64_t> version();
  /// Long work of this store (doctor, vacuum, listing) stops with an error "cancelled" once `stop` is
  /// requested.
  void setStop(std::stop_token stop);

  /// For the functions of this folder.
  struct State;
  State& state() { return *m_state; }

private:
  explicit Store(std::unique_ptr<State> state);
  std::unique_ptr<State> m_state;
};

/// Changes nothing but says what would happen, in the numbers that the real thing then gives.
enum class DryRun : bool { No, Yes };

} // namespace nodewise
