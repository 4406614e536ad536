#include "cache/schema.h"

namespace nodewise {

namespace {

constexpr int64_t kApplicationId = 0x4e6f4477; // "NoDw", at byte 68 of the file: see file(1)

/// Checksum of all tables, indexes, views and triggers, so that a damaged schema is seen before use.
Result<std::string> schemaChecksum(Connection& connection) {
  NW_TRY(Query query,
         connection.prepare("SELECT type, name, tbl_name, sql FROM sqlite_schema WHERE sql IS NOT NULL AND "
                            "name NOT LIKE 'sqlite_%' ORDER BY type, name"));
  std::string all;
  for (;;) {
    NW_TRY(const bool row, query.step());
    if (!row) break;
    for (int column = 0; column < 4; ++column) {
      all += query.text(column).value_or("?");
      all += '\n';
    }
  }
  return hashBytes(all).hex();
}

/// The checksum that these migrations lead to, found by applying them.
Result<std::string> expectedChecksum(std::span<const Migration> migrations) {
  NW_TRY(const auto memory, Connection::open(":memory:", OpenMode::ReadWrite, 0));
  for (const Migration& migration : migrations) NW_CHECK(memory->execute(std::string(migration.sql)));
  return schemaChecksum(*memory);
}

Result<std::string> recordedChecksum(Connection& connection) {
  NW_TRY(Query query, connection.prepare("SELECT value FROM meta WHERE name = 'schema'"));
  NW_TRY(const bool row, query.step());
  return row ? query.textOr(0) : std::string();
}

Result<SchemaState> examine(Connection& connection, std::span<const Migration> migrations) {
  const int64_t newest = migrations.empty() ? 0 : migrations.back().version;
  NW_TRY(const int64_t tables, connection.queryInteger("SELECT count(*) FROM sqlite_schema"));
  NW_TRY(const int64_t application, connection.queryInteger("PRAGMA application_id"));
  NW_TRY(const int64_t version, schemaVersion(connection));
  if (tables == 0) return SchemaState::Empty;
  NW_TRY(const std::string checksum, schemaChecksum(connection));
  if (application != kApplicationId || version != newest) {
    // Our very tables under another number: it is the number that is damaged.
    NW_TRY(const std::string expected, expectedChecksum(migrations));
    if (checksum == expected) return SchemaState::Damaged;
  }
  if (application != kApplicationId) return SchemaState::Foreign;
  if (version > newest) return SchemaState::Newer;
  const auto recorded = recordedChecksum(connection);
  // No table `meta`: not what we made, whatever SQLite calls the error.
  if (!recorded.ok() && connection.fault() != Fault::Other) return recorded.error();
  if (!recorded.ok() || *recorded != checksum) return SchemaState::Damaged;
  return version < newest ? SchemaState::Older : SchemaState::Current;
}

} // namespace

Result<int64_t> schemaVersion(Connection& connection) {
  return connection.queryInteger("PRAGMA user_version");
}

Result<SchemaState> examineSchema(Connection& connection, std::span<const Migration> migrations) {
  connection.clearFault();
  Result<SchemaState> state = examine(connection, migrations);
  if (!state.ok() && connection.fault() == Fault::Damaged) return SchemaState::Damaged;
  return state;
}

Result<void> migrateSchema(Connection& connection, std::span<const Migration> migrations) {
  NW_TRY(const int64_t tables, connection.queryInteger("SELECT count(*) FROM sqlite_schema"));
  if (tables == 0) {
    // Only an empty file takes these. Space of dropped entries is reused; `vacuum` gives it back.
    NW_CHECK(connection.execute("PRAGMA auto_vacuum = NONE"));
    NW_CHECK(connection.execute("PRAGMA journal_mode = WAL"));
  }
  NW_TRY(Transaction transaction, Transaction::begin(connection, TransactionKind::Write));
  NW_TRY(const int64_t version, schemaVersion(connection));
  for (const Migration& migration : migrations) {
    if (migration.version <= version) continue;
    NW_CHECK(connection.execute(std::string(migration.sql)));
    NW_CHECK(connection.execute("PRAGMA user_version = " + std::to_string(migration.version)));
  }
  NW_CHECK(connection.execute("PRAGMA application_id = " + std::to_string(kApplicationId)));
  NW_TRY(const std::string checksum, schemaChecksum(connection));
  NW_TRY(Query record, connection.prepare("INSERT OR REPLACE INTO meta VALUES ('schema', ?)"));
  NW_CHECK(record.bind(checksum).run());
  return transaction.commit();
}

} // namespace nodewise
