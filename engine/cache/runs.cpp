#include "cache/runs.h"

#include "cache/eviction.h"
#include "cache/policy.h"
#include "cache/store_state.h"
#include "cache/words.h"

#include <algorithm>

namespace nodewise {

namespace {

/// Values of changed parts (inner graphs, constants) can be long; the rows of a run keep what a person reads.
constexpr size_t kValueLength = 2000;
constexpr int64_t kDaysKept = 1000;

/// A run of before `keep` others goes, with its lookups, by the trigger.
Result<void> dropOldRuns(Connection& connection, int64_t keep) {
  NW_TRY(Query query, connection.prepare("DELETE FROM run WHERE id <= (SELECT id FROM run ORDER BY id DESC "
                                         "LIMIT 1 OFFSET ?)"));
  return query.bind(keep).run();
}

/// Adds the run to its day. A damaged number of the day begins anew.
Result<void> countDay(Connection& connection, const RunRow& run) {
  NW_TRY(Query query,
         connection.prepare(
             "INSERT INTO day SELECT date(?1, 'unixepoch'), 1, ?2, ?3, ?4, ?5, entries, own_bytes + "
             "object_bytes FROM total WHERE id = 1 AND date(?1, 'unixepoch') IS NOT NULL "
             "ON CONFLICT (day) DO UPDATE SET runs = CAST(runs AS INTEGER) + 1, "
             "hits = CAST(hits AS INTEGER) + excluded.hits, "
             "lookups = CAST(lookups AS INTEGER) + excluded.lookups, "
             "compile_ns = CAST(compile_ns AS INTEGER) + excluded.compile_ns, "
             "saved_ns = CAST(saved_ns AS INTEGER) + excluded.saved_ns, "
             "entries = excluded.entries, bytes = excluded.bytes"));
  const int64_t started = run.startedUnix != 0 ? run.startedUnix : nowUnix();
  NW_CHECK(
      query
          .bind(started, run.hits, run.hits + run.misses + run.stale + run.failed, run.compileNs, run.savedNs)
          .run());
  NW_TRY(Query old, connection.prepare("DELETE FROM day WHERE day <= (SELECT day FROM day ORDER BY day DESC "
                                       "LIMIT 1 OFFSET ?)"));
  return old.bind(kDaysKept).run();
}

Result<int64_t> writeRun(Connection& connection, const RunRow& run) {
  NW_TRY(Query query,
         connection.prepare("INSERT OR REPLACE INTO run VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"));
  const std::optional<int64_t> id = run.id != 0 ? std::optional(run.id) : std::nullopt;
  const int64_t started = run.startedUnix != 0 ? run.startedUnix : nowUnix();
  NW_CHECK(query
               .bind(id, run.file, run.command, run.graphHash, started, run.wallNs, run.nodes, run.hits,
                     run.misses, run.stale, run.failed, run.compileNs, run.savedNs)
               .run());
  return connection.lastRowId();
}

Result<void> writeLookup(Connection& connection, int64_t runId, const LookupRow& lookup) {
  NW_TRY(Query query,
         connection.prepare(
             "INSERT INTO lookup (run_id, node, op, key, outcome, reason, changed_part, old_value, "
             "new_value, nearest, nearest_created, store_result, lookup_ns, build_ns, optimise_ns, "
             "emit_ns, link_ns, store_ns) VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)"));
  const std::string oldValue = shortened(lookup.oldValue, kValueLength);
  const std::string newValue = shortened(lookup.newValue, kValueLength);
  const Phases& p = lookup.phases;
  return query
      .bind(runId, lookup.nodePath, lookup.op, lookup.key, outcomeRow(lookup.outcome).name, lookup.reason,
            lookup.changedPart, oldValue, newValue, lookup.nearest, lookup.nearestCreatedUnix,
            lookup.storeResult, p.lookup, p.build, p.optimise, p.emit, p.link, p.store)
      .run();
}

/// One hit on one entry. Its own bytes and object bytes give the priority: see policy.h.
Result<void> bumpEntry(Connection& connection, const Hash& key, int64_t hits, int64_t use, int64_t now) {
  int64_t weight = 0;
  {
    NW_TRY(Query query,
           connection.prepare("SELECT compile_ns, object_bytes, own_bytes FROM entry WHERE key = ?"));
    NW_TRY(const bool row, query.bind(key).step());
    if (!row) return {}; // evicted since
    weight = rebuildWeight(query.integerOr(0), query.integerOr(1) + query.integerOr(2));
  }
  NW_TRY(Query query,
         connection.prepare("UPDATE entry SET hits = hits + ?, last_use = ?, used = ?, priority = ? "
                            "WHERE key = ?"));
  return query.bind(hits, use, now, use + weight, key).run();
}

Result<void> bumpEntries(Connection& connection, std::vector<Hash> keys) {
  if (keys.empty()) return {};
  std::ranges::sort(keys);
  NW_TRY(const int64_t use, nextUse(connection));
  const int64_t now = nowUnix();
  for (auto first = keys.begin(); first != keys.end();) {
    const auto last = std::find_if(first, keys.end(), [&](const Hash& key) { return key != *first; });
    NW_CHECK(bumpEntry(connection, *first, last - first, use, now));
    first = last;
  }
  return {};
}

std::string_view kRunColumns =
    "id, file, command, graph_hash, started, wall_ns, nodes, hits, misses, stale, failed, "
    "compile_ns, saved_ns";

RunRow readRun(const Query& query) {
  return {query.integerOr(0), query.textOr(1),    query.textOr(2),     query.textOr(3),
          query.integerOr(4), query.integerOr(5), query.integerOr(6),  query.integerOr(7),
          query.integerOr(8), query.integerOr(9), query.integerOr(10), query.integerOr(11),
          query.integerOr(12)};
}

LookupRow readLookup(const Query& query, int64_t runId) {
  LookupRow row;
  row.runId = runId;
  row.nodePath = query.textOr(0);
  row.op = query.textOr(1);
  row.key = query.hash(2).value_or(Hash{});
  row.outcome = Outcome::LookupError; // where the word is damaged
  for (const OutcomeRow& outcome : outcomeTable()) {
    if (query.text(3) == outcome.name) row.outcome = outcome.outcome;
  }
  row.reason = query.textOr(4);
  row.changedPart = query.textOr(5);
  row.oldValue = query.textOr(6);
  row.newValue = query.textOr(7);
  row.nearest = query.hash(8);
  row.nearestCreatedUnix = query.integerOr(9);
  row.storeResult = query.textOr(10);
  row.phases = {query.integerOr(11), query.integerOr(12), query.integerOr(13),
                query.integerOr(14), query.integerOr(15), query.integerOr(16)};
  return row;
}

} // namespace

Result<int64_t> beginRun(Store& store, const RunRow& run) {
  return onStore(store, [&](Connection& connection) -> Result<int64_t> {
    RunRow fresh{0, run.file, run.command, run.graphHash, run.startedUnix};
    return writeRun(connection, fresh);
  });
}

Result<int64_t> recordRun(Store& store, const RunRow& run, std::span<const LookupRow> lookups) {
  return onStore(store, [&](Connection& connection) -> Result<int64_t> {
    NW_TRY(Transaction transaction, Transaction::begin(connection, TransactionKind::Write));
    NW_TRY(const int64_t id, writeRun(connection, run));
    std::vector<Hash> hits;
    for (const LookupRow& lookup : lookups) {
      NW_CHECK(writeLookup(connection, id, lookup));
      if (lookup.outcome == Outcome::Hit) hits.push_back(lookup.key);
    }
    NW_CHECK(bumpEntries(connection, std::move(hits)));
    NW_CHECK(countDay(connection, run));
    NW_CHECK(dropOldRuns(connection, store.settings().keepRuns.value));
    NW_CHECK(transaction.commit());
    return id;
  });
}

Result<void> countHits(Store& store, std::span<const Hash> keys) {
  return onStore(store, [&](Connection& connection) -> Result<void> {
    NW_TRY(Transaction transaction, Transaction::begin(connection, TransactionKind::Write));
    NW_CHECK(bumpEntries(connection, {keys.begin(), keys.end()}));
    return transaction.commit();
  });
}

Result<std::vector<RunRow>> listRuns(Store& store, int64_t limit, int64_t before) {
  static const std::string sql =
      "SELECT " + std::string(kRunColumns) + " FROM run WHERE ?1 <= 0 OR id < ?1 ORDER BY id DESC LIMIT ?2";
  return onStore(store, [&](Connection& connection) -> Result<std::vector<RunRow>> {
    NW_TRY(Query query, connection.prepare(sql));
    query.bind(before, limit);
    std::vector<RunRow> runs;
    for (;;) {
      NW_TRY(const bool row, query.step());
      if (!row) return runs;
      runs.push_back(readRun(query));
    }
  });
}

Result<RunRow> showRun(Store& store, int64_t runId) {
  static const std::string sql = "SELECT " + std::string(kRunColumns) + " FROM run WHERE id = ?";
  return onStore(store, [&](Connection& connection) -> Result<RunRow> {
    NW_TRY(Query query, connection.prepare(sql));
    NW_TRY(const bool row, query.bind(runId).step());
    if (!row) return Error{"there is no run " + std::to_string(runId), "", "older runs are dropped", ""};
    return readRun(query);
  });
}

Result<std::vector<LookupRow>> runLookups(Store& store, int64_t runId) {
  return onStore(store, [&](Connection& connection) -> Result<std::vector<LookupRow>> {
    NW_TRY(Query query,
           connection.prepare(
               "SELECT node, op, key, outcome, reason, changed_part, old_value, new_value, nearest, "
               "nearest_created, store_result, lookup_ns, build_ns, optimise_ns, emit_ns, link_ns, "
               "store_ns FROM lookup WHERE run_id = ? ORDER BY id"));
    query.bind(runId);
    std::vector<LookupRow> lookups;
    for (;;) {
      NW_TRY(const bool row, query.step());
      if (!row) return lookups;
      lookups.push_back(readLookup(query, runId));
    }
  });
}

} // namespace nodewise
