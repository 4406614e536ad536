// Layouts of drawn graphs, by a hash of what was laid out. What the bytes mean is the drawer's; here they are
// kept, checked and dropped.
#pragma once

#include "cache/connection.h"
#include "cache/store.h"

#include <span>

namespace nodewise {

/// More layouts, or more bytes of them together, are not kept: those unused the longest go. A larger one than
/// `kMostLayoutBytes` is not kept at all.
inline constexpr int64_t kMostLayouts = 200;
inline constexpr size_t kMostLayoutBytes = size_t{1} << 20;
inline constexpr int64_t kMostBytesOfLayouts = int64_t{32} << 20;

struct KeptLayout {
  Hash of; ///< what was laid out
  std::vector<std::byte> bytes;
};

/// The bytes that were kept; none: there are none, or they are damaged.
Result<std::optional<std::vector<std::byte>>> loadLayout(Store& store, const Hash& of);

/// Keeps what was made, notes what was used, and drops what is too much, in one transaction. Gives how many
/// of `made` are kept. Nothing is changed where the file may only be read.
Result<int64_t> saveLayouts(Store& store, std::span<const KeptLayout> made, std::span<const Hash> used = {});

/// Drops what is too much; how many went.
Result<int64_t> trimLayouts(Connection& connection);

/// Rows that loadLayout() would not take, by id.
Result<std::vector<int64_t>> damagedLayouts(Connection& connection);

} // namespace nodewise
