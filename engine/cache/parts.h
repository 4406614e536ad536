// Parts of stored keys.
#pragma once

#include "cache/connection.h"

namespace nodewise {

/// The node's parts of an entry, in order; the environment's follow them in the key.
Result<std::vector<KeyPart>> readNodeParts(Connection& connection, int64_t entryId);
/// Writes them; text that other entries have is not written again.
Result<void> writeNodeParts(Connection& connection, std::string_view op, std::span<const KeyPart> parts,
                            int64_t entryId);

} // namespace nodewise
