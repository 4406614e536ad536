// One entry with all that belongs to it.
#pragma once

#include "cache/store.h"

namespace nodewise {

struct EntryDetail {
  EntryRow row;
  std::vector<KeyPart> parts; ///< node's parts, then the environment's
  KeyEnvironment environment;
  Phases phases; ///< of the compile that made it
  std::string symbol, recipe, ir;
  int64_t runId = 0;               ///< that made it
  std::vector<std::string> damage; ///< what of it is damaged, a sentence each; empty is sound
};

/// Errors: no such entry.
Result<EntryDetail> showEntry(Store& store, int64_t id);
Result<EntryDetail> showEntry(Store& store, const Hash& key);
/// Entries whose key begins with these hex digits, at most `limit`.
Result<std::vector<EntryRow>> findEntries(Store& store, std::string_view keyPrefix, int64_t limit = 10);
/// The object of an entry, verified (for disassembly). Errors: damaged, gone.
Result<StoredObject> entryObject(Store& store, int64_t id);

} // namespace nodewise
