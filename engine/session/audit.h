// Audit: is every key sound? A hit emits no IR, so the IR of every entry is emitted anew from its recipe and
// its content key compared with the stored one.
#pragma once

#include "cache/audit.h"
#include "session/engine.h"

#include <functional>
#include <stop_token>

namespace nodewise {

struct UnsoundKey {
  EntryRow entry;
  Hash contentNow;    ///< what the same key would give today
  std::string reason; ///< "the same key gives different code", "its recipe no longer lowers: ..."
};

struct AuditReport {
  int64_t entries = 0; ///< live entries looked at
  int64_t foreign = 0; ///< made for another toolchain or target: their IR cannot be made here
  std::vector<UnsoundKey> unsound;
  std::vector<SharedContent> overSpecific;
  int64_t keys = 0, contents = 0;
};

Result<AuditReport> audit(Engine& engine, const CacheOptions& cache,
                          const std::function<void(int64_t done, int64_t total)>& progress,
                          std::stop_token stop);

} // namespace nodewise
