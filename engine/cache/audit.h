// Lost hits: keys that differ although the code is the same. (Unsound keys, the same key for different code,
// need the IR made again: that is the session's.)
#pragma once

#include "cache/store.h"

namespace nodewise {

struct SharedContent {
  Hash content;
  int64_t objectBytes = 0;
  std::vector<EntryRow> entries;      ///< two or more, live
  std::vector<std::string> partNames; ///< in which their keys differ: parts that the code does not depend on
  std::vector<PartDiff> examples;     ///< one for each name: the first entry against another
};

/// Contents with more than one live key, most keys first.
Result<std::vector<SharedContent>> overSpecificKeys(Store& store, int64_t limit = 100);

} // namespace nodewise
