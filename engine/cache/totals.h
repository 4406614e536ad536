// The row of totals, and what it must equal.
#pragma once

#include "cache/connection.h"

namespace nodewise {

/// Columns of `total` but the use counter.
struct Totals {
  int64_t entries = 0, ownBytes = 0, compileNs = 0, hits = 0;
  int64_t invalidated = 0, deleted = 0, quarantined = 0, pinned = 0;
  int64_t contents = 0, objectBytes = 0;
  bool readable = true; ///< every column was there and a number
  /// No total is negative.
  bool sound() const;
  bool operator==(const Totals&) const = default;
};

/// SQL for a number that may be damaged: what no writer of ours can have written (not an integer from 0 to
/// 2^44) counts as 0, as in the triggers, so that sums neither fail nor go wrong.
std::string soundNumber(std::string_view column);

Result<Totals> readTotals(Connection& connection);
/// Reads every entry and object row (not the objects).
Result<Totals> countTotals(Connection& connection);
Result<void> writeTotals(Connection& connection, const Totals& totals);

} // namespace nodewise
