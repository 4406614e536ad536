// Maps by hash.
#pragma once

#include "cache/key.h"

#include <cstring>
#include <unordered_map>

namespace nodewise {

/// The bytes of a hash are as random as they get: the first eight will do.
struct HashOfHash {
  size_t operator()(const Hash& hash) const {
    size_t first;
    std::memcpy(&first, hash.bytes.data(), sizeof first);
    return first;
  }
};

template <class T> using HashMap = std::unordered_map<Hash, T, HashOfHash>;

} // namespace nodewise
