// Finding the entries that a key has most parts in common with.
#pragma once

#include "cache/environments.h"
#include "cache/seal.h"

#include <map>

namespace nodewise {

struct NearEntry {
  int64_t id = 0, created = 0;
  Hash key;
  std::vector<KeyPart> parts;
};

/// Remembers what it read, for the many misses of one lookup. Call within one read transaction.
class NearestFinder {
public:
  NearestFinder(Connection& connection, EnvironmentCache& environments);

  /// None: nothing comparable.
  Result<std::optional<NearEntry>> nearest(const Key& key);

private:
  /// What comparing needs of an entry; the text of its parts is read for the winner alone.
  struct Candidate {
    int64_t id = 0, created = 0;
    Hash key;
    std::vector<int64_t> parts; ///< sorted ids
    std::shared_ptr<const StoredEnvironment> environment;
    bool comparable = false;
  };

  Result<bool> isEmpty();
  Result<std::vector<int64_t>> sameStructure(const Key& key);
  Result<std::vector<int64_t>> sharingParts(std::span<const std::vector<int64_t>* const> lists);
  Result<const std::vector<int64_t>*> entriesWithPart(int64_t part);
  Result<int64_t> partId(std::string_view op, const KeyPart& part);
  Result<const Candidate*> candidate(int64_t id);
  Result<std::optional<NearEntry>> best(std::span<const int64_t> ids, std::span<const int64_t> parts,
                                        std::span<const KeyPart> environment);
  Result<std::optional<NearEntry>> withParts(const Candidate& candidate);

  Connection& m_connection;
  EnvironmentCache& m_environments;
  std::optional<int64_t> m_newest;
  std::map<Seal, int64_t> m_partIds;
  std::unordered_map<int64_t, std::vector<int64_t>> m_entriesWithPart;
  std::unordered_map<int64_t, Candidate> m_candidates;
  std::vector<uint16_t> m_shared; ///< parts in common, by how much older than the newest an entry is
};

} // namespace nodewise
