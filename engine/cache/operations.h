// Changes of state as operations that can be taken back.
#pragma once

#include "cache/picked.h"

namespace nodewise {

/// A new operation that gives all picked entries a state; its id. Call it in a write transaction.
Result<int64_t> changePicked(Connection& connection, std::string_view command, std::string_view state,
                             std::string_view reason);

/// A new operation that pins or unpins what is picked; its id. Likewise.
Result<int64_t> pinPicked(Connection& connection, bool pinned);

/// Operations beyond the newest thousand are forgotten, their entries stay as they are.
Result<void> dropOldOperations(Connection& connection);

} // namespace nodewise
