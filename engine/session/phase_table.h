// The phases of a compile, in the order in which they happen, by their names on the screen.
#pragma once

#include "cache/store.h"

#include <array>
#include <string_view>

namespace nodewise {

struct PhaseRow {
  std::string_view name, doc;
  int64_t Phases::*time;
  bool onWorker; ///< done by a compile worker; else by the session's own thread, for many nodes at once
};
inline constexpr std::array<PhaseRow, 6> kPhaseTable{{
    {"lookup", "Asking the cache, and checking what it gave.", &Phases::lookup, false},
    {"build", "Writing LLVM IR.", &Phases::build, true},
    {"optimise", "LLVM's passes over the IR.", &Phases::optimise, true},
    {"emit", "From IR to machine code.", &Phases::emit, true},
    {"link", "From object code to an address.", &Phases::link, false},
    {"store", "Writing the entry to the cache.", &Phases::store, false},
}};

/// Adds the times of one node, or run, to a sum.
inline void addPhases(Phases& sum, const Phases& phases) {
  for (const PhaseRow& row : kPhaseTable) sum.*row.time += phases.*row.time;
}

} // namespace nodewise
