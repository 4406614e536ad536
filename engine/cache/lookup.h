// Keys to objects, with a reason for everything that is not a hit.
#pragma once

#include "cache/store.h"

#include <span>

namespace nodewise {

/// Whether misses are explained (nearest entry, what differs). Costs nothing on hits.
enum class Explain : bool { No, Yes };

/// One answer a key, in order; many keys are one query. An object is given back only if the entry's and the
/// object's checksums, its size and its symbol are right and its target runs on `host`.
///
/// hit: found. stale: the nearest entry is of the same node and differs in versions, options, target or
/// toolchain only, or the entry itself was invalidated. miss: all else; the reason says whether nothing was
/// comparable, which part differs, or that the entry was damaged (it is quarantined then), foreign or
/// deleted.
///
/// Hits are not counted here but by recordRun() or countHits(). Error: the database cannot be read; every key
/// is then a lookup error.
Result<std::vector<LookupAnswer>> lookupKeys(Store& store, std::span<const Key* const> keys,
                                             const TargetSpec& host, Explain explain = Explain::Yes);
Result<LookupAnswer> lookupKey(Store& store, const Key& key, const TargetSpec& host,
                               Explain explain = Explain::Yes);

/// The object of a content key, verified; none if there is none or it is damaged.
Result<std::optional<StoredObject>> findContent(Store& store, const Hash& content);

/// Why code made for `entry` cannot run on `host`, as a sentence; empty if it can. Features must be a subset.
std::string foreignReason(const TargetSpec& entry, const TargetSpec& host);

} // namespace nodewise
