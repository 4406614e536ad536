#include "cache/run_history.h"

#include "cache/runs.h"
#include "cache/store_state.h"

#include <algorithm>
#include <map>
#include <set>

namespace nodewise {

namespace {

Result<void> forget(Connection& connection, std::string_view table, int64_t runId) {
  NW_TRY(Query query, connection.prepare("DELETE FROM " + std::string(table) + " WHERE run_id = ?"));
  return query.bind(runId).run();
}

Result<void> writeNode(Connection& connection, int64_t runId, const RunNode& node) {
  NW_TRY(Query query, connection.prepare("INSERT OR REPLACE INTO run_node VALUES "
                                         "(?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)"));
  const std::optional<Bytes> structure =
      node.structure ? std::optional(asBytes(*node.structure)) : std::nullopt;
  const Phases& at = node.starts;
  return query
      .bind(runId, node.position, node.path, node.op, node.label, node.name, node.scope, node.kind,
            node.dtype, structure, node.recordedNs, node.objectBytes, node.worker, at.lookup, at.build,
            at.optimise, at.emit, at.link, at.store)
      .run();
}

std::optional<Seal> sealAt(const Query& query, int column) {
  const std::optional<Bytes> bytes = query.blob(column);
  Seal seal{};
  if (!bytes || bytes->size() != seal.size()) return {};
  std::ranges::transform(*bytes, seal.begin(), [](std::byte b) { return static_cast<uint8_t>(b); });
  return seal;
}

/// Times are sums on the screen: a damaged one must not overflow them.
int64_t time(const Query& query, int column) {
  constexpr int64_t kMonth = int64_t{30} * 86400 * 1'000'000'000;
  return std::clamp<int64_t>(query.integerOr(column), 0, kMonth);
}

Result<std::vector<RunNode>> readNodes(Connection& connection, int64_t runId) {
  NW_TRY(Query query,
         connection.prepare(
             "SELECT position, node, op, label, name, scope, kind, dtype, structure, recorded_ns, "
             "object_bytes, worker, lookup_at, build_at, optimise_at, emit_at, link_at, store_at, "
             "calls, ns FROM run_node LEFT JOIN run_time USING (run_id, position) "
             "WHERE run_id = ? ORDER BY position"));
  query.bind(runId);
  std::vector<RunNode> nodes;
  for (;;) {
    NW_TRY(const bool row, query.step());
    if (!row) return nodes;
    RunNode node;
    node.position = query.integerOr(0);
    node.path = query.textOr(1);
    node.op = query.textOr(2);
    node.label = query.textOr(3);
    node.name = query.textOr(4);
    node.scope = query.textOr(5);
    node.kind = query.textOr(6);
    node.dtype = query.textOr(7);
    node.structure = sealAt(query, 8);
    node.recordedNs = time(query, 9);
    node.objectBytes = time(query, 10);
    node.worker = static_cast<int>(std::clamp<int64_t>(query.integerOr(11, -1), -1, 4096));
    node.starts = {time(query, 12), time(query, 13), time(query, 14),
                   time(query, 15), time(query, 16), time(query, 17)};
    node.calls = time(query, 18);
    node.runNs = time(query, 19);
    nodes.push_back(std::move(node));
  }
}

void addLookup(RunNode& node, const LookupRow& lookup) {
  node.key = lookup.key;
  node.outcome = lookup.outcome;
  node.reason = lookup.reason;
  node.changedPart = lookup.changedPart;
  node.oldValue = lookup.oldValue;
  node.newValue = lookup.newValue;
  node.nearest = lookup.nearest;
  node.nearestCreatedUnix = lookup.nearestCreatedUnix;
  node.phases = lookup.phases;
}

/// What an entry of a key says, for runs whose nodes were not recorded.
Result<void> addEntry(Connection& connection, RunNode& node) {
  NW_TRY(Query query,
         connection.prepare(
             "SELECT label, dtype, structure, compile_ns, object_bytes FROM entry WHERE key = ?"));
  NW_TRY(const bool row, query.bind(*node.key).step());
  if (!row) return {};
  node.label = query.textOr(0);
  node.dtype = query.textOr(1);
  node.structure = sealAt(query, 2);
  node.recordedNs = time(query, 3);
  node.objectBytes = time(query, 4);
  return {};
}

Result<void> readEnvironment(Connection& connection, RunRecord& record) {
  NW_TRY(Query query, connection.prepare("SELECT level, workers, cpu, llvm_version FROM run_environment "
                                         "WHERE run_id = ?"));
  NW_TRY(const bool row, query.bind(record.run.id).step());
  if (!row) return {};
  record.level = static_cast<int>(std::clamp<int64_t>(query.integerOr(0, -1), -1, 3));
  record.workers = static_cast<int>(std::clamp<int64_t>(query.integerOr(1), 0, 4096));
  record.cpu = query.textOr(2);
  record.llvmVersion = query.textOr(3);
  return {};
}

} // namespace

std::vector<int64_t> savedTimes(const RunRecord& record) {
  std::vector<int64_t> saved(record.nodes.size(), 0);
  std::set<Hash> seen;
  for (size_t n = 0; n < record.nodes.size(); ++n) {
    const RunNode& node = record.nodes[n];
    if (node.outcome != Outcome::Hit) continue;
    if (node.key && !seen.insert(*node.key).second) continue;
    saved[n] = node.recordedNs;
  }
  return saved;
}

Result<void> recordRunNodes(Store& store, const RunRecord& record) {
  return onStore(store, [&](Connection& connection) -> Result<void> {
    NW_TRY(Transaction transaction, Transaction::begin(connection, TransactionKind::Write));
    NW_CHECK(forget(connection, "run_node", record.run.id));
    {
      NW_TRY(Query query,
             connection.prepare("INSERT OR REPLACE INTO run_environment VALUES (?, ?, ?, ?, ?)"));
      NW_CHECK(query.bind(record.run.id, record.level, record.workers, record.cpu, record.llvmVersion).run());
    }
    for (const RunNode& node : record.nodes) NW_CHECK(writeNode(connection, record.run.id, node));
    return transaction.commit();
  });
}

Result<void> recordRunTimes(Store& store, int64_t runId, std::span<const RunTime> times) {
  return onStore(store, [&](Connection& connection) -> Result<void> {
    NW_TRY(Transaction transaction, Transaction::begin(connection, TransactionKind::Write));
    NW_CHECK(forget(connection, "run_time", runId));
    for (const RunTime& time : times) {
      NW_TRY(Query query, connection.prepare("INSERT OR REPLACE INTO run_time VALUES (?, ?, ?, ?)"));
      NW_CHECK(query.bind(runId, time.position, time.calls, time.ns).run());
    }
    return transaction.commit();
  });
}

Result<RunRecord> loadRun(Store& store, int64_t runId) {
  RunRecord record;
  NW_TRY(record.run, showRun(store, runId));
  NW_TRY(std::vector<LookupRow> lookups, runLookups(store, runId));
  return onStore(store, [&](Connection& connection) -> Result<RunRecord> {
    NW_CHECK(readEnvironment(connection, record));
    NW_TRY(record.nodes, readNodes(connection, runId));
    record.timed = !record.nodes.empty();
    std::map<std::string_view, size_t> byPath;
    for (size_t n = 0; n < record.nodes.size(); ++n) byPath.emplace(record.nodes[n].path, n);
    std::vector<RunNode> others; // with a lookup alone
    for (const LookupRow& lookup : lookups) {
      if (const auto at = byPath.find(lookup.nodePath); at != byPath.end()) {
        addLookup(record.nodes[at->second], lookup);
        continue;
      }
      RunNode node;
      node.position = static_cast<int64_t>(record.nodes.size() + others.size());
      node.path = lookup.nodePath;
      node.op = lookup.op;
      addLookup(node, lookup);
      NW_CHECK(addEntry(connection, node));
      others.push_back(std::move(node));
    }
    std::ranges::move(others, std::back_inserter(record.nodes));
    return std::move(record);
  });
}

Result<std::optional<RunRow>> coldRunOf(Store& store, const RunRow& run) {
  return onStore(store, [&](Connection& connection) -> Result<std::optional<RunRow>> {
    int64_t id = 0;
    {
      NW_TRY(Query query,
             connection.prepare(
                 "SELECT id FROM run WHERE graph_hash = ? AND hits = 0 AND failed = 0 AND nodes = ? "
                 "AND misses + stale = nodes AND nodes > 0 ORDER BY id DESC LIMIT 1"));
      NW_TRY(const bool row, query.bind(run.graphHash, run.nodes).step());
      if (!row || run.graphHash.empty()) return std::optional<RunRow>();
      id = query.integerOr(0);
    }
    NW_TRY(RunRow cold, showRun(store, id));
    return std::optional(std::move(cold));
  });
}

Result<std::vector<LevelCost>> levelCosts(Store& store, std::span<const Seal> structures) {
  return onStore(store, [&](Connection& connection) -> Result<std::vector<LevelCost>> {
    // One pass over what is kept of runs: some hundred thousand rows at most, and no index to keep up to
    // date.
    std::map<std::pair<Seal, int>, LevelCost> costs;
    std::vector<Seal> wanted(structures.begin(), structures.end());
    std::ranges::sort(wanted);
    NW_TRY(Query query, connection.prepare(
                            "SELECT structure, level, recorded_ns, calls, ns FROM run_node "
                            "JOIN run_environment USING (run_id) LEFT JOIN run_time USING (run_id, position) "
                            "WHERE structure IS NOT NULL ORDER BY run_id"));
    for (;;) {
      NW_TRY(const bool row, query.step());
      if (!row) break;
      const std::optional<Seal> structure = sealAt(query, 0);
      const int64_t level = query.integerOr(1, -1);
      if (!structure || level < 0 || level > 3 || !std::ranges::binary_search(wanted, *structure)) continue;
      LevelCost& cost = costs[{*structure, static_cast<int>(level)}];
      cost.structure = *structure;
      cost.level = static_cast<int>(level);
      if (const int64_t compile = time(query, 2); compile > 0) cost.compileNs = compile;
      cost.calls += time(query, 3);
      cost.runNs += time(query, 4);
    }
    std::vector<LevelCost> all;
    for (auto& [key, cost] : costs) all.push_back(cost);
    return all;
  });
}

} // namespace nodewise
