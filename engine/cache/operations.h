// Changes of state as operations that can be taken back.
#pragma once

#include "cache/picked.h"

namespace nodewise {

/// A new operation that gives all picked entries a state; its id. Call it in a write transaction.
Result<int64_t> changePicked(Connection& connection, std::string_view command, std::string_view state,
                             std::string_view reason);

/// A new operation that pins or unpins what is picked; its id. Likewise.
Result<int64_t> pinPicked(Connection& connection, bool pinned);

/// A new operation that has brought entries in, live, under these keys: undone, they are deleted; its id.
/// Likewise.
Result<int64_t> recordArrived(Connection& connection, std::string_view command, std::span<const Hash> keys);

/// Operations beyond the newest thousand are forgotten, their entries stay as they are.
Result<void> dropOldOperations(Connection& connection);

} // namespace nodewise
