// Whether a row of `entry` with its row of `object` is what was stored: the one place that decides what may
// be served.
#pragma once

#include "cache/environments.h"
#include "cache/store.h"

namespace nodewise {

/// Columns to select, in the order that readCheckedEntry() takes them, and the tables they come from.
inline constexpr std::string_view kCheckedColumns = "e.id, e.key, e.content, e.environment_id, e.structure, "
                                                    "e.op, e.label, e.dtype, e.object_bytes, e.own_bytes, "
                                                    "e.compile_ns, e.created, e.run_id, e.seal, e.state, "
                                                    "e.state_reason, o.symbol, o.checksum, o.size, o.bytes";
inline constexpr std::string_view kCheckedTables =
    "entry AS e LEFT JOIN object AS o ON o.content = e.content";

struct CheckedEntry {
  int64_t id = 0, created = 0;
  Hash key;
  std::string state, stateReason;
  std::string damage; ///< what is wrong, as a clause ("its object's checksum is wrong"); empty: sound
  std::shared_ptr<const StoredEnvironment> environment;
  StoredObject object; ///< only where sound
};

enum class CheckObject : bool { No, Yes };

/// The present row, read and verified. Error: the database failed, not the row.
Result<CheckedEntry> readCheckedEntry(Connection& connection, EnvironmentCache& environments, Query& row,
                                      CheckObject checkObject);

/// Reads and verifies columns `first` to first + 3: symbol, checksum, size, bytes. Gives what is wrong, or
/// "".
std::string readObject(const Query& row, int first, const Hash& content, StoredObject& object);

} // namespace nodewise
