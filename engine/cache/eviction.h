// Making room under the size cap; policy.h has the rule.
#pragma once

#include "cache/connection.h"

namespace nodewise {

/// Bytes that entries hold now, from the totals. A total that cannot be right (damage) is counted anew first.
Result<int64_t> usedBytes(Connection& connection);

/// How many bytes are about to be stored.
struct Room {
  int64_t needed = 0; ///< by the entry that is stored now
  int64_t ahead = 0;  ///< by those that follow it in the same transaction
};

/// Drops as many entries, in the order of eviction, as it takes for what is needed to fit under `cap`, and
/// for what is ahead too, if that can be had: picking a hundred victims at once takes hardly longer than
/// picking one. Entries from id `keepFrom` on stay. Give it the write transaction of the store. Gives the
/// bytes that are held then. None: what is needed would not fit even so, and nothing was dropped.
Result<std::optional<int64_t>> makeRoom(Connection& connection, int64_t cap, Room room, int64_t keepFrom);

/// The use counter after one more batch.
Result<int64_t> nextUse(Connection& connection);

} // namespace nodewise
