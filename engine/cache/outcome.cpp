#include "cache/store.h"

namespace nodewise {

namespace {

constexpr OutcomeRow kOutcomes[] = {
    {Outcome::Hit, 'H', "hit", "The object was in the cache, whole, and runs on this machine."},
    {Outcome::Miss, 'M', "miss",
     "Nothing comparable was in the cache, or another part of the key changed, or the entry was damaged or "
     "foreign."},
    {Outcome::Stale, 'S', "stale",
     "An entry differs only in a version, a code option, the target or the toolchain, or was invalidated."},
    {Outcome::Uncacheable, 'U', "uncacheable", "The key cannot say all that the code depends on."},
    {Outcome::Failed, '!', "failed", "Compiling or linking failed."},
    {Outcome::LookupError, '?', "lookup error", "The cache could not be asked."},
};

} // namespace

std::span<const OutcomeRow> outcomeTable() { return kOutcomes; }

const OutcomeRow& outcomeRow(Outcome outcome) { return kOutcomes[static_cast<size_t>(outcome)]; }

} // namespace nodewise
