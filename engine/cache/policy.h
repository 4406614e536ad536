// How much is kept, and what goes first.
//
// The size cap limits what entries hold: objects, recipes, IR and key text. When a store would go over it,
// room is made in this order: deleted, quarantined, invalidated entries, then live ones by priority, lowest
// first; pinned ones never.
//
//   priority = use counter at last use + nanoseconds of compiling saved per byte (at most 4,096)
//
// The use counter goes up by one for every batch of hits or stores that is recorded, so it is the same on any
// clock. An entry that costs k ns a byte to make again may stay unused k batches longer than one that costs
// nothing: the cheapest to rebuild and the longest unused go first. This is the GreedyDual-Size rule of Cao
// and Irani (1997) with the use counter as its inflation value.
#pragma once

#include "cache/store.h"

namespace nodewise {

/// The second term of the priority.
int64_t rebuildWeight(int64_t compileNs, int64_t bytes);

/// Entries in the order in which the size cap would drop them, the first to go first; pinned ones are left
/// out.
Result<std::vector<EntryRow>> evictionOrder(Store& store, int64_t limit);

/// Applies the age cap of the settings, at most once a day by the clock. Entries from the future (a clock was
/// wrong) are dated now; what is too old becomes deleted, which undo() takes back, so that a clock that
/// jumped ahead loses nothing.
Result<int64_t> applyAgeCap(Store& store);

} // namespace nodewise
