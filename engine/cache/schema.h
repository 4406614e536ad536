// The tables: made, brought up to date, recognised.
#pragma once

#include "cache/connection.h"

#include <span>
#include <string_view>

namespace nodewise {

/// Takes the schema from version - 1 to version.
struct Migration {
  int version;
  std::string_view sql;
};

/// The files of resources/schema/, in order.
std::span<const Migration> schemaMigrations();

/// What a database file turns out to be.
enum class SchemaState : uint8_t {
  Empty,   ///< no tables: a new file
  Current, ///< ready
  Older,   ///< ours, needs migrations
  Newer,   ///< ours, made by a later version
  Foreign, ///< another program's
  Damaged  ///< not a database, or its tables are not what they were made as
};
/// Error: it could not be found out (locked, no permission).
Result<SchemaState> examineSchema(Connection& connection, std::span<const Migration> migrations);

/// Applies the migrations that are missing, all in one transaction. Call it with the write to the file to
/// yourself (see DirectoryLock): a new file is also switched to write-ahead logging, which cannot be done in
/// a transaction.
Result<void> migrateSchema(Connection& connection, std::span<const Migration> migrations);

/// "PRAGMA user_version".
Result<int64_t> schemaVersion(Connection& connection);

} // namespace nodewise
