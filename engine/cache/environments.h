// The parts that all keys of one compile share: options, target, toolchain. A row each, told apart by hash.
#pragma once

#include "cache/connection.h"

#include <span>
#include <unordered_map>

namespace nodewise {

struct StoredEnvironment {
  Hash hash;
  std::vector<KeyPart> parts; ///< as environmentParts() names them; empty for keys that have none
  KeyEnvironment values;
};

/// Rows that were read and found sound; null for damaged ones. Rows never change, so they are read once.
using EnvironmentCache = std::unordered_map<int64_t, std::shared_ptr<const StoredEnvironment>>;

/// A key's parts are the node's, then the environment's, if they end in exactly the names of
/// environmentParts().
struct SplitParts {
  std::span<const KeyPart> node, environment;
};
SplitParts splitParts(std::span<const KeyPart> parts);

/// Null: there is no such row, or its hash is wrong.
Result<std::shared_ptr<const StoredEnvironment>> loadEnvironment(Connection& connection,
                                                                 EnvironmentCache& cache, int64_t id);
/// The row of these parts, made if there is none; a damaged one is set right.
Result<int64_t> environmentId(Connection& connection, std::span<const KeyPart> parts);

} // namespace nodewise
