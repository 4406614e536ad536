// Storing what was compiled.
#pragma once

#include "cache/store.h"

#include <span>

namespace nodewise {

enum class Stored : uint8_t {
  New,      ///< key and object are new
  Shared,   ///< a new key of a content that is stored already
  Already,  ///< another writer was first, with the same content
  Replaced, ///< the key had an entry that was not live, damaged, or of another content
  No        ///< not stored; the text says why
};
struct StoreResult {
  Stored stored = Stored::No;
  std::string text; ///< for LookupRow::storeResult: "stored", "not stored: disk full", ...
  bool ok() const { return stored != Stored::No; }
};

/// Stores entries, each whole or not at all (entry, key parts, object, phases), some hundreds in a
/// transaction. Makes room first where the size cap asks for it. Refused: an object that does not contain its
/// symbol; an empty object whose content is not stored; an entry larger than the cap. Never fails as a whole:
/// what could not be stored says so.
std::vector<StoreResult> storeEntries(Store& store, std::span<const NewEntry> entries);
StoreResult storeEntry(Store& store, const NewEntry& entry);

} // namespace nodewise
