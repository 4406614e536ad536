// What can be done with entries that only the cache has: the graph they came from may be closed, changed or
// gone. An entry keeps all that its code depends on (its recipe, options, target), so its IR and machine code
// can be shown, and it can be compiled again or checked, from the database alone.
#pragma once

#include "cache/actions.h"
#include "cache/show.h"
#include "session/engine.h"
#include "session/session.h"

#include <functional>
#include <span>
#include <stop_token>

namespace nodewise {

/// Whether this engine makes code for the same target with the same toolchain, so that its code can be
/// compared.
bool isMadeFor(const Engine& engine, const KeyEnvironment& environment);

struct EntryCode {
  NodeCode code;    ///< under the entry's own options, for its own target
  std::string note; ///< one sentence where it may differ from what is stored; else empty
};
/// IR before and after optimisation, and assembly. Errors: the recipe is damaged, or no longer gives a
/// kernel.
Result<EntryCode> entryCode(const EntryDetail& entry, const Engine& engine);

/// The entries that work on a selection is about: those that are named, or the live ones that match.
Result<std::vector<int64_t>> entriesToWorkOn(Store& store, const Selection& selection);
/// What that work would be about, before it is done: `done` is "compiled again" or "compiled and compared".
Result<ActionReport> previewWork(Store& store, const Selection& selection, std::string_view done);

struct EntryProblem {
  EntryRow entry;
  std::string reason; ///< one sentence
};
struct EntriesReport {
  int64_t entries = 0;   ///< done
  int64_t foreign = 0;   ///< of them, left alone: made for another target or toolchain
  int64_t compileNs = 0; ///< what compiling took now
  int64_t revived = 0;   ///< of them, not served before and live again: undo(operation) takes it back
  int64_t replaced = 0;  ///< of them, stored in place of damage or of other code
  int64_t operation = 0; ///< 0: none was revived
  std::vector<Hash> keys;
  std::vector<EntryProblem> problems;
  std::string summary; ///< "compiled 3 entries again in 14 ms"
};
using EntriesProgress = std::function<void(int64_t done, int64_t total, const std::string& what)>;

/// Compiles entries anew, each under its own key. One whose code is what is stored stays as it is, or, where
/// it was not served any more (invalidated, say), becomes live again; other code, or damage, is replaced. An
/// entry that fails is a problem and stops nothing. Errors: the cache cannot be opened; cancelled.
Result<EntriesReport> compileEntries(Engine& engine, const CacheOptions& cache, std::span<const int64_t> ids,
                                     const EntriesProgress& progress, std::stop_token stop);
/// Compiles entries anew, stores nothing, and compares with what is stored: IR by its content key, machine
/// code byte by byte. Errors as above.
Result<EntriesReport> verifyEntries(Engine& engine, const CacheOptions& cache, std::span<const int64_t> ids,
                                    const EntriesProgress& progress, std::stop_token stop);

} // namespace nodewise
