#include "cache/actions.h"
#include "cache/operations.h"
#include "cache/policy.h"
#include "cache/store_state.h"
#include "cache/totals.h"
#include "cache/words.h"

#include "base/units.h"
#include <fmt/format.h>
#include <map>

namespace nodewise {

namespace {

constexpr int64_t kDay = 86400;

Result<void> pickUnused(Connection& connection, int64_t seconds) {
  NW_TRY(Query query,
         connection.prepare("INSERT OR IGNORE INTO picked SELECT id FROM entry WHERE state IS 'live' AND "
                            "pinned IS NOT 1 AND used < ?"));
  return query.bind(nowUnix() - seconds).run();
}

/// Bytes of live entries that are not picked, each content once.
Result<int64_t> liveBytes(Connection& connection) {
  static const std::string sql = fmt::format(
      "SELECT ifnull((SELECT sum({}) FROM entry WHERE state IS 'live' AND id NOT IN (SELECT id FROM "
      "picked)), 0) "
      "+ ifnull((SELECT sum(bytes) FROM (SELECT max({}) AS bytes FROM entry WHERE state IS 'live' AND id NOT "
      "IN (SELECT id FROM picked) GROUP BY content)), 0)",
      soundNumber("own_bytes"), soundNumber("object_bytes"));
  NW_TRY(Query query, connection.prepare(sql));
  NW_TRY(const bool row, query.step());
  return row ? query.integerOr(0) : 0;
}

struct Evictable {
  int64_t id, ownBytes, objectBytes;
  Hash content;
  int64_t keys; ///< live entries of the same content that are not picked yet
};

/// Adds entries in the order of eviction until the rest fits.
Result<void> pickBeyond(Connection& connection, int64_t cap) {
  NW_TRY(int64_t bytes, liveBytes(connection));
  std::vector<int64_t> ids;
  std::map<Hash, int64_t> picked; // of contents with several keys
  if (bytes > cap) {
    static const std::string sql = fmt::format(
        "SELECT id, {}, {}, content, (SELECT count(*) FROM entry AS other WHERE "
        "other.content = entry.content AND other.state IS 'live' AND other.id NOT IN (SELECT id FROM "
        "picked)) FROM entry WHERE state = 'live' AND pinned = 0 AND id NOT IN (SELECT id FROM picked) "
        "ORDER BY priority, id",
        soundNumber("own_bytes"), soundNumber("object_bytes"));
    NW_TRY(Query query, connection.prepare(sql));
    while (bytes > cap) {
      NW_TRY(const bool row, query.step());
      if (!row) break;
      const Evictable entry{query.integerOr(0), query.integerOr(1), query.integerOr(2),
                            query.hash(3).value_or(Hash{}), query.integerOr(4, 1)};
      ids.push_back(entry.id);
      bytes -= entry.ownBytes;
      if (entry.keys <= 1 || ++picked[entry.content] == entry.keys) bytes -= entry.objectBytes;
    }
  }
  for (const int64_t id : ids) {
    NW_TRY(Query add, connection.prepare("INSERT OR IGNORE INTO picked VALUES (?)"));
    NW_CHECK(add.bind(id).run());
  }
  return {};
}

/// Entries from the future were made while a clock was wrong: from now on they age like others.
Result<void> dateFuture(Connection& connection) {
  NW_TRY(Query query, connection.prepare("UPDATE entry SET used = ?1 WHERE used > ?1 + 86400"));
  return query.bind(nowUnix()).run();
}

Result<int64_t> lastAgeCheck(Connection& connection) {
  NW_TRY(Query query,
         connection.prepare("SELECT CAST(value AS INTEGER) FROM meta WHERE name = 'age checked'"));
  NW_TRY(const bool row, query.step());
  return row ? query.integerOr(0) : 0;
}

} // namespace

Result<ActionReport> prune(Store& store, const PruneLimits& limits, DryRun dryRun) {
  return onStore(store, [&](Connection& connection) -> Result<ActionReport> {
    const CacheSettings& settings = store.settings();
    const auto kind = dryRun == DryRun::Yes ? TransactionKind::Read : TransactionKind::Write;
    NW_TRY(Transaction transaction, Transaction::begin(connection, kind));
    NW_CHECK(pick(connection, Selection{}));
    const int64_t unused = limits.unusedSeconds.value_or(settings.ageDays.value * kDay);
    if (unused > 0) NW_CHECK(pickUnused(connection, unused));
    NW_CHECK(pickBeyond(connection, limits.toBytes.value_or(settings.capBytes.value)));
    NW_TRY(ActionReport report, reportPicked(connection));
    report.summary =
        fmt::format("{}pruned {}, {}; compiling them again costs {} (recorded)",
                    dryRun == DryRun::Yes ? "would have " : "", units::counted(report.entries, "entry"),
                    units::bytes(report.bytes), units::duration(report.compileNs));
    if (dryRun == DryRun::Yes || report.entries == 0) return report;
    NW_TRY(report.operation, changePicked(connection, "prune", "deleted", ""));
    NW_CHECK(transaction.commit());
    return report;
  });
}

Result<int64_t> applyAgeCap(Store& store) {
  const int64_t days = store.settings().ageDays.value;
  if (days <= 0) return int64_t{0};
  return onStore(store, [&](Connection& connection) -> Result<int64_t> {
    const int64_t now = nowUnix();
    NW_TRY(const int64_t last, lastAgeCheck(connection));
    if (last <= now && now - last < kDay) return int64_t{0};
    NW_TRY(Transaction transaction, Transaction::begin(connection, TransactionKind::Write));
    NW_CHECK(dateFuture(connection));
    NW_CHECK(pick(connection, Selection{}));
    NW_CHECK(pickUnused(connection, days * kDay));
    NW_TRY(const ActionReport report, reportPicked(connection));
    if (report.entries > 0) NW_CHECK(changePicked(connection, "age cap", "deleted", ""));
    NW_TRY(Query mark, connection.prepare("INSERT OR REPLACE INTO meta VALUES ('age checked', ?)"));
    const std::string stamp = std::to_string(now);
    NW_CHECK(mark.bind(stamp).run());
    NW_CHECK(transaction.commit());
    return report.entries;
  });
}

} // namespace nodewise
