#include "cache/entries.h"

#include "base/units.h"
#include "cache/entry_check.h"
#include "cache/eviction.h"
#include "cache/hash_map.h"
#include "cache/parts.h"
#include "cache/policy.h"
#include "cache/seal.h"
#include "cache/store_state.h"
#include "cache/words.h"

#include <algorithm>
#include <fmt/format.h>
#include <limits>

namespace nodewise {

namespace {

/// Entries a transaction: few enough that others wait a few milliseconds, enough that a commit costs nothing.
constexpr size_t kChunk = 200;

/// Room for what follows is made with an entry's own, up to this part of the cap: what follows may turn out
/// to be there already, and nothing much is to go in vain.
constexpr int64_t kAheadPart = 64;

StoreResult notStored(std::string_view why) { return {Stored::No, fmt::format("not stored: {}", why)}; }

/// What can be refused without asking the database.
std::string whyRefused(const NewEntry& entry) {
  if (entry.symbol.empty()) return "it has no symbol";
  const auto asText =
      std::string_view(reinterpret_cast<const char*>(entry.object.data()), entry.object.size());
  if (!entry.object.empty() && asText.find(entry.symbol) == std::string_view::npos) {
    return fmt::format("its object does not contain the symbol {}", entry.symbol);
  }
  return {};
}

int64_t ownBytesOf(const NewEntry& entry, std::span<const KeyPart> nodeParts) {
  size_t bytes = entry.recipe.size() + entry.ir.size();
  for (const KeyPart& part : nodeParts) bytes += part.name.size() + part.value.size();
  return static_cast<int64_t>(bytes);
}

/// Nearly what an entry will hold: without its parts' text, which is little.
int64_t bytesOf(const NewEntry& entry) {
  return static_cast<int64_t>(entry.object.size() + entry.recipe.size() + entry.ir.size());
}

/// Writes the entries of one transaction.
class Writer {
public:
  Writer(Connection& connection, EnvironmentCache& environments, int64_t cap)
      : m_connection(connection), m_environments(environments), m_cap(cap), m_now(nowUnix()) {}

  Result<void> begin() {
    NW_TRY(m_use, nextUse(m_connection));
    NW_TRY(Query query, m_connection.prepare("SELECT ifnull(max(id), 0) + 1 FROM entry"));
    NW_TRY(const bool row, query.step());
    m_firstNew = row ? query.integerOr(0, 1) : 1;
    NW_TRY(m_used, usedBytes(m_connection));
    return {};
  }

  /// `ahead`: bytes that entries after this one will need.
  Result<StoreResult> write(const NewEntry& entry, int64_t ahead);

private:
  struct Old {
    int64_t id = 0;
    bool sameAndSound = false, pinned = false, unsoundKey = false;
  };
  Result<std::optional<Old>> findOld(const NewEntry& entry);
  /// True: the object of this content is stored now and sound. `wasThere`: it had been before.
  Result<bool> writeObject(const NewEntry& entry, int64_t& bytes, bool& wasThere);
  Result<void> writeRow(const NewEntry& entry, std::span<const KeyPart> environment, int64_t objectBytes,
                        int64_t ownBytes, bool pinned);
  Result<void> writeDetails(const NewEntry& entry, int64_t entryId);
  Result<int64_t> environmentOf(std::span<const KeyPart> parts);

  Connection& m_connection;
  EnvironmentCache& m_environments;
  int64_t m_cap, m_now;
  int64_t m_use = 0, m_firstNew = 0;
  int64_t m_used = 0; ///< at least what entries hold: read anew when that seems over the cap
  HashMap<int64_t> m_environmentIds;
};

Result<std::optional<Writer::Old>> Writer::findOld(const NewEntry& entry) {
  static const std::string sql =
      fmt::format("SELECT {}, e.pinned FROM {} WHERE e.key = ?", kCheckedColumns, kCheckedTables);
  NW_TRY(Query query, m_connection.prepare(sql));
  NW_TRY(const bool row, query.bind(entry.key.hash).step());
  if (!row) return std::optional<Old>();
  const bool pinned = query.integerOr(20) == 1;
  NW_TRY(const CheckedEntry stored, readCheckedEntry(m_connection, m_environments, query, CheckObject::Yes));
  const bool live = stored.damage.empty() && stored.state == "live";
  const bool sameContent = live && stored.object.content == entry.content;
  return std::optional(Old{stored.id, sameContent, pinned, live && !sameContent});
}

Result<bool> Writer::writeObject(const NewEntry& entry, int64_t& bytes, bool& wasThere) {
  {
    NW_TRY(Query query,
           m_connection.prepare("SELECT symbol, checksum, size, bytes FROM object WHERE content = ?"));
    NW_TRY(const bool row, query.bind(entry.content).step());
    StoredObject stored;
    wasThere = row && readObject(query, 0, entry.content, stored).empty();
    bytes = static_cast<int64_t>(wasThere ? stored.object.size() : entry.object.size());
  }
  if (wasThere) return true;
  if (entry.object.empty()) return false;
  const Hash checksum = objectChecksum(entry.content, entry.symbol, entry.object);
  NW_TRY(Query query,
         m_connection.prepare(
             "INSERT INTO object (content, symbol, checksum, size, bytes) VALUES (?, ?, ?, ?, ?) "
             "ON CONFLICT (content) DO UPDATE SET symbol = excluded.symbol, checksum = excluded.checksum, "
             "size = excluded.size, bytes = excluded.bytes"));
  NW_CHECK(query.bind(entry.content, entry.symbol, checksum, bytes, Bytes(entry.object)).run());
  return true;
}

Result<int64_t> Writer::environmentOf(std::span<const KeyPart> parts) {
  const Hash hash = hashParts(parts);
  const auto known = m_environmentIds.find(hash);
  if (known != m_environmentIds.end()) return known->second;
  NW_TRY(const int64_t id, environmentId(m_connection, parts));
  m_environmentIds.emplace(hash, id);
  return id;
}

Result<void> Writer::writeRow(const NewEntry& entry, std::span<const KeyPart> environment,
                              int64_t objectBytes, int64_t ownBytes, bool pinned) {
  NW_TRY(const int64_t environmentRow, environmentOf(environment));
  const int64_t compileNs = entry.phases.compile();
  SealedColumns columns{entry.key.hash,
                        entry.content,
                        hashParts(environment),
                        structureOf(entry.key.parts),
                        entry.op,
                        entry.label,
                        entry.dtype,
                        objectBytes,
                        ownBytes,
                        compileNs,
                        m_now,
                        entry.runId};
  const Seal seal = sealOf(columns);
  const int64_t priority = m_use + rebuildWeight(compileNs, objectBytes + ownBytes);
  NW_TRY(
      Query query,
      m_connection.prepare(
          "INSERT INTO entry (key, content, environment_id, structure, op, label, dtype, object_bytes, "
          "own_bytes, "
          "compile_ns, created, run_id, seal, state, state_reason, pinned, hits, last_use, used, priority) "
          "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 'live', '', ?, 0, ?, ?, ?)"));
  return query
      .bind(columns.key, columns.content, environmentRow, asBytes(columns.structure), columns.op,
            columns.label, columns.dtype, objectBytes, ownBytes, compileNs, m_now, entry.runId, asBytes(seal),
            pinned, m_use, m_now, priority)
      .run();
}

Result<void> Writer::writeDetails(const NewEntry& entry, int64_t entryId) {
  const Seal seal = recipeSeal(entry.key.hash, entry.recipe, entry.ir, entry.symbol);
  NW_TRY(Query recipe, m_connection.prepare("INSERT OR REPLACE INTO recipe VALUES (?, ?, ?, ?, ?)"));
  NW_CHECK(recipe.bind(entryId, entry.recipe, entry.ir, entry.symbol, asBytes(seal)).run());
  const Phases& p = entry.phases;
  NW_TRY(Query phase, m_connection.prepare("INSERT OR REPLACE INTO phase VALUES (?, ?, ?, ?, ?, ?, ?)"));
  return phase.bind(entryId, p.lookup, p.build, p.optimise, p.emit, p.link, p.store).run();
}

Result<StoreResult> Writer::write(const NewEntry& entry, int64_t ahead) {
  NW_TRY(const std::optional<Old> old, findOld(entry));
  if (old && old->sameAndSound) return StoreResult{Stored::Already, "already stored"};
  const SplitParts split = splitParts(entry.key.parts);
  const int64_t ownBytes = ownBytesOf(entry, split.node);
  const int64_t needed = ownBytes + static_cast<int64_t>(entry.object.size());
  if (m_used + needed > m_cap) {
    if (needed > m_cap) return notStored(fmt::format("larger than the size cap of {}", units::cap(m_cap)));
    const Room room{needed, std::min(ahead, m_cap / kAheadPart)};
    NW_TRY(const std::optional<int64_t> used, makeRoom(m_connection, m_cap, room, m_firstNew));
    if (!used)
      return notStored(fmt::format("nothing can be dropped under the size cap of {}", units::cap(m_cap)));
    m_used = *used;
  }
  int64_t objectBytes = 0;
  bool wasThere = false;
  NW_TRY(const bool hasObject, writeObject(entry, objectBytes, wasThere));
  if (!hasObject) return notStored("the object of its content is no longer in the cache");
  if (old) {
    // The old row gives up its key first and goes last, so that an object they share is never without an
    // entry.
    NW_TRY(Query yield, m_connection.prepare("UPDATE entry SET key = NULL WHERE id = ?"));
    NW_CHECK(yield.bind(old->id).run());
  }
  NW_CHECK(writeRow(entry, split.environment, objectBytes, ownBytes, old && old->pinned));
  const int64_t entryId = m_connection.lastRowId();
  NW_CHECK(writeNodeParts(m_connection, opOf(entry.key.parts), split.node, entryId));
  NW_CHECK(writeDetails(entry, entryId));
  if (old) {
    NW_TRY(Query remove, m_connection.prepare("DELETE FROM entry WHERE id = ?"));
    NW_CHECK(remove.bind(old->id).run());
  }
  m_used += ownBytes + (wasThere ? 0 : objectBytes);
  if (old && old->unsoundKey) {
    return StoreResult{Stored::Replaced, "stored in place of other code: something is missing from the key"};
  }
  if (old) return StoreResult{Stored::Replaced, "stored anew"};
  return wasThere ? StoreResult{Stored::Shared, "stored, with the code of another key"}
                  : StoreResult{Stored::New, "stored"};
}

/// Stores all of a chunk or, when the database fails, none; an entry that is refused is no failure.
Result<void> storeChunk(Store& store, std::span<const NewEntry> entries, std::span<StoreResult> results) {
  return onStore(store, [&](Connection& connection) -> Result<void> {
    Store::State& state = store.state();
    NW_TRY(Transaction transaction, Transaction::begin(connection, TransactionKind::Write));
    Writer writer(connection, state.environments, state.settings.capBytes.value);
    NW_CHECK(writer.begin());
    int64_t ahead = 0;
    for (const NewEntry& entry : entries) ahead += bytesOf(entry);
    for (size_t k = 0; k < entries.size(); ++k) {
      ahead -= bytesOf(entries[k]);
      if (const std::string why = whyRefused(entries[k]); !why.empty()) {
        results[k] = notStored(why);
        continue;
      }
      NW_TRY(results[k], writer.write(entries[k], ahead));
    }
    return transaction.commit();
  });
}

} // namespace

std::vector<StoreResult> storeEntries(Store& store, std::span<const NewEntry> entries) {
  std::vector<StoreResult> results(entries.size());
  for (size_t begin = 0; begin < entries.size(); begin += kChunk) {
    const size_t count = std::min(kChunk, entries.size() - begin);
    const auto chunk = entries.subspan(begin, count);
    const auto chunkResults = std::span(results).subspan(begin, count);
    const auto stored = storeChunk(store, chunk, chunkResults);
    if (stored.ok()) continue;
    // One bad apple must not spoil the others: each by itself, unless the trouble is the disk's or the
    // lock's.
    const bool alone =
        store.state().connection && store.state().connection->fault() == Fault::Other && count > 1;
    for (size_t k = 0; k < count; ++k) {
      const auto again = alone ? storeChunk(store, chunk.subspan(k, 1), chunkResults.subspan(k, 1)) : stored;
      if (!again.ok()) chunkResults[k] = notStored(again.error().what);
    }
  }
  return results;
}

StoreResult storeEntry(Store& store, const NewEntry& entry) {
  return std::move(storeEntries(store, std::span(&entry, 1)).front());
}

} // namespace nodewise
