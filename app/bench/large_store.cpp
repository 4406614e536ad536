#include "large_store.h"

#include "cache/entries.h"
#include "cache/store_state.h"

#include <fmt/format.h>

namespace nodewise::bench {

namespace {

/// An index costs least made last, over all rows at once; a trigger has nothing to count that is not counted
/// at the end.
struct SchemaPart {
  std::string type, name, sql;
};

Result<std::vector<SchemaPart>> partsToLeaveOut(Connection& connection) {
  std::vector<SchemaPart> parts;
  NW_TRY(Query query, connection.prepareOnce("SELECT type, name, sql FROM sqlite_schema WHERE tbl_name = "
                                             "'entry' AND type IN ('index', 'trigger') AND sql IS NOT NULL"));
  for (;;) {
    NW_TRY(const bool row, query.step());
    if (!row) return parts;
    parts.push_back({query.textOr(0), query.textOr(1), query.textOr(2)});
  }
}

constexpr const char* kRows =
    "INSERT INTO entry SELECT NULL, randomblob(32), randomblob(32), 1 + n % 3, randomblob(16), "
    "CASE n % 19 WHEN 0 THEN 'Sum' WHEN 1 THEN 'Dot' WHEN 2 THEN 'Scan' ELSE 'Elemwise' END, "
    "'composite: add, mul, op' || (n * 7919 % 5000), "
    "CASE n % 5 WHEN 0 THEN 'float32' WHEN 1 THEN 'int64' ELSE 'float64' END, "
    "1000 + abs(random() % 9000), 600, 1000000 + abs(random() % 9000000), {0} - n * 7, 1, randomblob(16), "
    "iif(n % 101 = 0, 'invalidated', 'live'), '', n % 997 = 0, abs(random() % 50), n, {0} - n * 3, n + 500 "
    "FROM (WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c WHERE n < {1}) SELECT n FROM c)";

} // namespace

Result<void> fillWithRows(Store& store, int64_t count) {
  return onStore(store, [&](Connection& connection) -> Result<void> {
    NW_TRY(const std::vector<SchemaPart> parts, partsToLeaveOut(connection));
    // Nothing is lost with a file of this measurement's own; a log of half a gigabyte would be slow to read.
    NW_CHECK(connection.execute(
        "PRAGMA journal_mode = MEMORY; PRAGMA synchronous = OFF; PRAGMA cache_size = -400000"));
    NW_TRY(Transaction transaction, Transaction::begin(connection, TransactionKind::Write));
    for (const SchemaPart& part : parts)
      NW_CHECK(connection.execute(fmt::format("DROP {} {}", part.type, part.name)));
    for (const char* cpu : {"znver4", "skylake", "x86-64"})
      NW_CHECK(connection.execute(
          fmt::format("INSERT INTO environment VALUES (NULL, randomblob(32), '2', 'off', 'libmvec', "
                      "'x86_64-pc-linux-gnu', '{}', '+avx2', '19.1.7', '1')",
                      cpu)));
    NW_CHECK(connection.execute(fmt::format(kRows, 1'900'000'000, count)));
    for (const SchemaPart& part : parts) NW_CHECK(connection.execute(part.sql));
    NW_CHECK(transaction.commit());
    return connection.execute("PRAGMA journal_mode = WAL");
  });
}

} // namespace nodewise::bench
