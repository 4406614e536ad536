#include "cache/lookup.h"

#include "cache/entry_check.h"
#include "cache/explain.h"
#include "cache/hash_map.h"
#include "cache/store_state.h"

#include <fmt/format.h>

namespace nodewise {

namespace {

/// Keys in one query. More bring nothing: the cost is in the rows.
constexpr size_t kChunk = 32;

constexpr int kHitsColumn = 20; ///< after kCheckedColumns

std::string lookupSql() {
  std::string sql =
      fmt::format("SELECT {}, e.hits FROM {} WHERE e.key IN (?", kCheckedColumns, kCheckedTables);
  for (size_t k = 1; k < kChunk; ++k) sql += ",?";
  return sql + ")";
}

struct Damaged {
  int64_t id;
  std::string damage;
};

/// What one row means for its key.
LookupAnswer answerFor(CheckedEntry entry, const TargetSpec& host, std::vector<Damaged>& damaged) {
  LookupAnswer answer;
  answer.nearest = entry.key;
  answer.nearestCreatedUnix = entry.created;
  const bool known = entry.state == "quarantined"; // damaged or not, it has its reason
  if (!entry.damage.empty() && !known) {
    damaged.push_back({entry.id, entry.damage});
    answer.reason = fmt::format("the entry was damaged and will be replaced: {}", entry.damage);
    return answer;
  }
  const std::string because = entry.stateReason.empty() ? "" : ": " + entry.stateReason;
  if (entry.state == "deleted") {
    answer.reason = "the entry was deleted (`restore` brings it back)";
  } else if (known) {
    answer.reason = "the entry is quarantined" + because;
  } else if (const std::string foreign = foreignReason(entry.environment->values.target, host);
             !foreign.empty()) {
    answer.reason = "the entry is foreign: " + foreign;
  } else if (entry.state == "invalidated") {
    answer.outcome = Outcome::Stale;
    answer.reason = "the entry was invalidated" + because;
  } else {
    answer.outcome = Outcome::Hit;
    answer.object = std::move(entry.object);
  }
  return answer;
}

struct Lookup {
  std::vector<LookupAnswer> answers;
  std::vector<Damaged> damaged;
};

Result<Lookup> lookUp(Store::State& state, Connection& connection, std::span<const Key* const> keys,
                      const TargetSpec& host, Explain explain) {
  static const std::string sql = lookupSql();
  Lookup lookup;
  lookup.answers.resize(keys.size());
  HashMap<size_t> first; // equal keys are asked for once
  std::vector<size_t> distinct;
  for (size_t k = 0; k < keys.size(); ++k) {
    if (first.try_emplace(keys[k]->hash, k).second) distinct.push_back(k);
  }
  std::vector<bool> found(keys.size());
  NW_TRY(Transaction transaction, Transaction::begin(connection, TransactionKind::Read));
  for (size_t begin = 0; begin < distinct.size(); begin += kChunk) {
    NW_TRY(Query query, connection.prepare(sql));
    const size_t end = std::min(begin + kChunk, distinct.size());
    for (size_t k = begin; k < end; ++k)
      query.bindOne(static_cast<int>(k - begin) + 1, keys[distinct[k]]->hash);
    for (;;) {
      NW_TRY(const bool row, query.step());
      if (!row) break;
      NW_TRY(CheckedEntry entry, readCheckedEntry(connection, state.environments, query, CheckObject::Yes));
      const auto place = first.find(entry.key);
      if (place == first.end()) continue;
      found[place->second] = true;
      entry.object.hits = query.integerOr(kHitsColumn);
      lookup.answers[place->second] = answerFor(std::move(entry), host, lookup.damaged);
    }
  }
  if (explain == Explain::Yes) {
    std::vector<UnexplainedMiss> misses;
    for (const size_t k : distinct) {
      if (!found[k]) misses.push_back({keys[k], &lookup.answers[k]});
    }
    NW_CHECK(explainMisses(connection, state.environments, misses));
  }
  for (size_t k = 0; k < keys.size(); ++k) {
    const size_t original = first.find(keys[k]->hash)->second;
    if (original != k) lookup.answers[k] = lookup.answers[original];
  }
  NW_CHECK(transaction.commit());
  return lookup;
}

/// So that lists show what lookups found. That this fails (read only, locked) changes no answer.
void quarantineDamaged(Connection& connection, std::span<const Damaged> damaged) {
  if (damaged.empty() || connection.isReadOnly()) return;
  auto transaction = Transaction::begin(connection, TransactionKind::Write);
  if (!transaction.ok()) return;
  for (const Damaged& entry : damaged) {
    auto query = connection.prepare("UPDATE entry SET state = 'quarantined', state_reason = ? WHERE id = ?");
    if (!query.ok() || !query->bind(entry.damage, entry.id).run().ok()) return;
  }
  (void)transaction->commit().ok();
}

} // namespace

Result<std::vector<LookupAnswer>> lookupKeys(Store& store, std::span<const Key* const> keys,
                                             const TargetSpec& host, Explain explain) {
  NW_TRY(Lookup lookup, onStore(store, [&](Connection& connection) {
           return lookUp(store.state(), connection, keys, host, explain);
         }));
  if (!lookup.damaged.empty()) {
    (void)onStore(store, [&](Connection& connection) -> Result<void> {
      quarantineDamaged(connection, lookup.damaged);
      return {};
    }).ok();
  }
  return std::move(lookup.answers);
}

Result<LookupAnswer> lookupKey(Store& store, const Key& key, const TargetSpec& host, Explain explain) {
  const Key* keys[] = {&key};
  NW_TRY(std::vector<LookupAnswer> answers, lookupKeys(store, keys, host, explain));
  return std::move(answers.front());
}

Result<std::optional<StoredObject>> findContent(Store& store, const Hash& content) {
  return onStore(store, [&](Connection& connection) -> Result<std::optional<StoredObject>> {
    NW_TRY(Query query,
           connection.prepare("SELECT symbol, checksum, size, bytes FROM object WHERE content = ?"));
    NW_TRY(const bool row, query.bind(content).step());
    StoredObject object;
    if (!row || !readObject(query, 0, content, object).empty()) return std::optional<StoredObject>();
    return std::optional(std::move(object));
  });
}

} // namespace nodewise
