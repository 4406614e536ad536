// Making room under the size cap; policy.h has the rule.
#pragma once

#include "cache/connection.h"

namespace nodewise {

/// Bytes that entries hold now, from the totals. A total that cannot be right (damage) is counted anew first.
Result<int64_t> usedBytes(Connection& connection);

/// Drops as many entries, in the order of eviction, as it takes for `needed` bytes more to fit under `cap`;
/// entries from id `keepFrom` on stay. Give it the write transaction of the store. Gives the bytes that are
/// held then. None: they would not fit even so, and nothing was dropped.
Result<std::optional<int64_t>> makeRoom(Connection& connection, int64_t cap, int64_t needed,
                                        int64_t keepFrom);

/// The use counter after one more batch.
Result<int64_t> nextUse(Connection& connection);

} // namespace nodewise
