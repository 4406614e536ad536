#include "cache/nearest.h"

#include "cache/parts.h"

#include <algorithm>

namespace nodewise {

namespace {

constexpr int64_t kEntriesOfPart = 2000;      ///< looked at, newest first
constexpr size_t kCandidates = 24;            ///< compared in full
constexpr int64_t kWindow = int64_t{1} << 22; ///< how many ids back from the newest

/// How many parts differ: a part with another value is one, as is one that only one of them has.
int64_t differing(std::span<const int64_t> a, std::span<const int64_t> b) {
  int64_t common = 0;
  for (auto x = a.begin(), y = b.begin(); x != a.end() && y != b.end();) {
    if (*x < *y)
      ++x;
    else if (*y < *x)
      ++y;
    else
      ++common, ++x, ++y;
  }
  return static_cast<int64_t>(std::max(a.size(), b.size())) - common;
}

int64_t differing(std::span<const KeyPart> a, std::span<const KeyPart> b) {
  if (a.size() != b.size()) return static_cast<int64_t>(std::max(a.size(), b.size()));
  int64_t count = 0;
  for (size_t k = 0; k < a.size(); ++k) count += a[k] != b[k];
  return count;
}

} // namespace

NearestFinder::NearestFinder(Connection& connection, EnvironmentCache& environments)
    : m_connection(connection), m_environments(environments) {}

Result<bool> NearestFinder::isEmpty() {
  if (!m_newest) {
    NW_TRY(Query query, m_connection.prepare("SELECT max(id) FROM entry"));
    NW_TRY(const bool row, query.step());
    m_newest = row ? query.integerOr(0) : 0;
  }
  return *m_newest == 0;
}

Result<int64_t> NearestFinder::partId(std::string_view op, const KeyPart& part) {
  const Seal hash = partHash(op, part);
  const auto [known, isNew] = m_partIds.try_emplace(hash, 0);
  if (isNew) {
    NW_TRY(Query query, m_connection.prepare("SELECT id FROM part WHERE hash = ?"));
    query.bindOne(1, asBytes(hash));
    NW_TRY(const bool row, query.step());
    known->second = row ? query.integerOr(0) : 0;
  }
  return known->second;
}

Result<const std::vector<int64_t>*> NearestFinder::entriesWithPart(int64_t part) {
  const auto [list, isNew] = m_entriesWithPart.try_emplace(part);
  if (isNew) {
    NW_TRY(Query query, m_connection.prepare("SELECT entry_id FROM entry_part INDEXED BY entry_part_part "
                                             "WHERE part_id = ? ORDER BY entry_id DESC LIMIT ?"));
    query.bind(part, kEntriesOfPart);
    for (;;) {
      NW_TRY(const bool row, query.step());
      if (!row) break;
      list->second.push_back(query.integerOr(0));
    }
  }
  return &list->second;
}

Result<std::vector<int64_t>> NearestFinder::sameStructure(const Key& key) {
  const Seal structure = structureOf(key.parts);
  NW_TRY(Query query,
         m_connection.prepare("SELECT id FROM entry INDEXED BY entry_structure WHERE structure = ? "
                              "ORDER BY id DESC LIMIT 64"));
  query.bindOne(1, asBytes(structure));
  std::vector<int64_t> ids;
  for (;;) {
    NW_TRY(const bool row, query.step());
    if (!row) return ids;
    ids.push_back(query.integerOr(0));
  }
}

/// The entries that are in most of the lists, newest first among equals.
Result<std::vector<int64_t>> NearestFinder::sharingParts(std::span<const std::vector<int64_t>* const> lists) {
  if (m_shared.empty()) m_shared.resize(static_cast<size_t>(std::min(*m_newest + 1, kWindow)));
  const auto slot = [&](int64_t id) -> uint16_t* {
    const int64_t age = *m_newest - id;
    return age >= 0 && age < static_cast<int64_t>(m_shared.size()) ? &m_shared[static_cast<size_t>(age)]
                                                                   : nullptr;
  };
  uint16_t most = 0;
  for (const auto* list : lists) {
    for (const int64_t id : *list) {
      if (uint16_t* count = slot(id)) most = std::max(most, ++*count);
    }
  }
  std::vector<int64_t> ids;
  for (int wanted = most; wanted > 0 && ids.size() < kCandidates / 2; --wanted) {
    std::vector<int64_t> equals;
    for (const auto* list : lists) {
      for (const int64_t id : *list) {
        const uint16_t* count = slot(id);
        if (count && *count == wanted) equals.push_back(id);
      }
    }
    std::ranges::sort(equals, std::greater());
    const auto repeated = std::ranges::unique(equals);
    equals.erase(repeated.begin(), repeated.end());
    equals.resize(std::min(equals.size(), kCandidates - ids.size()));
    ids.insert(ids.end(), equals.begin(), equals.end());
  }
  for (const auto* list : lists) {
    for (const int64_t id : *list) {
      if (uint16_t* count = slot(id)) *count = 0;
    }
  }
  return ids;
}

Result<const NearestFinder::Candidate*> NearestFinder::candidate(int64_t id) {
  const auto [known, isNew] = m_candidates.try_emplace(id);
  Candidate& candidate = known->second;
  if (!isNew) return &candidate;
  NW_TRY(Query row,
         m_connection.prepare("SELECT key, created, environment_id, state FROM entry WHERE id = ?"));
  NW_TRY(const bool there, row.bind(id).step());
  const auto key = there ? row.hash(0) : std::nullopt;
  const auto state = there ? row.text(3) : std::nullopt;
  if (!key || !state || (*state != "live" && *state != "invalidated")) return &candidate;
  candidate.id = id;
  candidate.created = row.integerOr(1);
  candidate.key = *key;
  NW_TRY(candidate.environment, loadEnvironment(m_connection, m_environments, row.integerOr(2)));
  if (!candidate.environment) return &candidate;
  NW_TRY(Query parts, m_connection.prepare("SELECT part_id FROM entry_part WHERE entry_id = ?"));
  parts.bind(id);
  for (;;) {
    NW_TRY(const bool part, parts.step());
    if (!part) break;
    candidate.parts.push_back(parts.integerOr(0));
  }
  std::ranges::sort(candidate.parts);
  candidate.comparable = true;
  return &candidate;
}

Result<std::optional<NearEntry>> NearestFinder::withParts(const Candidate& candidate) {
  NearEntry entry{candidate.id, candidate.created, candidate.key, {}};
  NW_TRY(entry.parts, readNodeParts(m_connection, candidate.id));
  std::ranges::copy(candidate.environment->parts, std::back_inserter(entry.parts));
  // A reason from damaged parts would be a wrong one.
  if (hashParts(entry.parts) != entry.key) return std::optional<NearEntry>();
  return std::optional(std::move(entry));
}

Result<std::optional<NearEntry>> NearestFinder::nearest(const Key& key) {
  NW_TRY(const bool empty, isEmpty());
  if (empty) return std::optional<NearEntry>();
  const SplitParts split = splitParts(key.parts);
  const std::string_view op = opOf(key.parts);
  std::vector<int64_t> parts;
  int64_t unknown = -1; // parts that no entry has, each its own
  for (const KeyPart& part : split.node) {
    NW_TRY(const int64_t id, partId(op, part));
    parts.push_back(id != 0 ? id : unknown--);
  }
  std::ranges::sort(parts);
  NW_TRY(const std::vector<int64_t> same, sameStructure(key));
  NW_TRY(auto near, best(same, parts, split.environment));
  if (near) return near;
  std::vector<const std::vector<int64_t>*> lists;
  for (const int64_t part : parts) {
    if (part < 0) continue;
    NW_TRY(const std::vector<int64_t>* list, entriesWithPart(part));
    lists.push_back(list);
  }
  NW_TRY(const std::vector<int64_t> sharing, sharingParts(lists));
  return best(sharing, parts, split.environment);
}

Result<std::optional<NearEntry>> NearestFinder::best(std::span<const int64_t> ids,
                                                     std::span<const int64_t> parts,
                                                     std::span<const KeyPart> environment) {
  std::vector<std::pair<int64_t, const Candidate*>> ranked;
  for (const int64_t id : ids) {
    NW_TRY(const Candidate* near, candidate(id));
    if (!near->comparable) continue;
    ranked.emplace_back(differing(parts, near->parts) + differing(environment, near->environment->parts),
                        near);
  }
  std::ranges::stable_sort(ranked, [](const auto& a, const auto& b) {
    return a.first != b.first ? a.first < b.first : a.second->id > b.second->id;
  });
  for (const auto& [distance, near] : ranked) {
    NW_TRY(auto entry, withParts(*near));
    if (entry) return entry;
  }
  return std::optional<NearEntry>();
}

} // namespace nodewise
