// The entries that an action is about, in a temporary table `picked (id)` of the connection.
#pragma once

#include "cache/actions.h"
#include "cache/connection.h"

namespace nodewise {

/// Fills `picked` with the ids of the selection that exist.
Result<void> pick(Connection& connection, const Selection& selection);
/// Leaves only those for which `condition`, an expression over `entry`, holds; gives how many went.
Result<int64_t> keepPicked(Connection& connection, std::string_view condition);
/// Entries, bytes and compile time of what is picked.
Result<ActionReport> reportPicked(Connection& connection);

} // namespace nodewise
