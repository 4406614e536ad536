// A cache of very many entries, made in seconds, for measuring lists.
#pragma once

#include "cache/store.h"

namespace nodewise::bench {

/// Fills an empty store with `count` entries of some twenty ops, without objects or recipes: rows that lists
/// read, written past the functions that store.
Result<void> fillWithRows(Store& store, int64_t count);

} // namespace nodewise::bench
