#include "cache/open.h"

#include <filesystem>
#include <fmt/format.h>

namespace nodewise {

namespace {

constexpr std::string_view kMemory = ":memory:";
/// A check reads all of the file, and who waits for the cache waits for it.
constexpr int64_t kMostChecked = int64_t{256} << 20;
constexpr uintmax_t kLeastDatabase = 512; ///< bytes of SQLite's smallest page

/// 8 MB of pages a connection. Losing the last commits to a power cut is no loss to a cache (synchronous =
/// NORMAL keeps the file sound), wiping dropped pages is no gain. Files are never mapped: a file cut short
/// while mapped is a signal.
constexpr const char* kPragmas =
    "PRAGMA synchronous = NORMAL; PRAGMA secure_delete = OFF; PRAGMA cell_size_check = ON;"
    "PRAGMA mmap_size = 0; PRAGMA cache_size = -8000; PRAGMA temp_store = MEMORY;"
    "PRAGMA journal_size_limit = 16777216";

std::string movedAsideNotice(const std::string& path, const std::string& target) {
  return fmt::format("the cache {} was damaged; it was moved to {} and a fresh one was made "
                     "(`nodewise cache import {}` brings back what can still be read)",
                     path, target, target);
}

Result<void> prepareConnection(Connection& connection) {
  // Others may have the file open when the last of us closes it: the log stays, so that nobody removes the
  // log of a database that has taken this one's place.
  connection.keepLog(true);
  return connection.execute(kPragmas);
}

/// Bundles have no log; one that is used as a cache gets it.
Result<void> useLog(Connection& connection) {
  NW_TRY(Query query, connection.prepareOnce("PRAGMA journal_mode"));
  NW_TRY(const bool row, query.step());
  if (row && query.text(0) == "wal") return {};
  query.reset();
  return connection.execute("PRAGMA journal_mode = WAL");
}

Result<std::unique_ptr<Connection>> connect(const std::string& path, int64_t busyMs) {
  auto connection = Connection::open(path, OpenMode::ReadWrite, busyMs);
  if (!connection.ok()) return connection;
  const auto prepared = prepareConnection(**connection);
  // What is damaged shows, and is dealt with, when the schema is looked at.
  if (!prepared.ok() && (*connection)->fault() != Fault::Damaged) return prepared.error();
  return connection;
}

/// A log cannot be made beside a file in a directory that may not be written: then what is in the file itself
/// is read.
Result<std::unique_ptr<Connection>> connectReadOnly(const std::string& path, int64_t busyMs) {
  for (const OpenMode mode : {OpenMode::ReadOnly, OpenMode::Immutable}) {
    auto connection = Connection::open(path, mode, busyMs);
    if (connection.ok() && schemaVersion(**connection).ok()) return connection;
    if (mode == OpenMode::Immutable) return connection;
  }
  return Error{"cannot be opened", path, "", ""};
}

Error unusable(SchemaState state, const std::string& path, Connection& connection, int newest) {
  const auto version = schemaVersion(connection);
  switch (state) {
  case SchemaState::Newer:
    return {fmt::format("the cache was made by a newer Nodewise (schema {}; this one knows {})",
                        version.ok() ? *version : 0, newest),
            path, "use the newer Nodewise, or another file with --cache FILE", ""};
  case SchemaState::Foreign:
    return {"is the SQLite database of another program", path, "name another file with --cache FILE", ""};
  case SchemaState::Older:
    return {fmt::format("the cache has an older schema ({}; this Nodewise needs {}) and may not be written",
                        version.ok() ? *version : 0, newest),
            path, "give yourself write permission, or use --cache FILE", ""};
  case SchemaState::Empty:
    return {"is empty and may not be written", path, "use --cache FILE", ""};
  default:
    return {"the cache file is damaged and may not be written", path, "use --cache FILE", ""};
  }
}

Result<OpenedDatabase> openReadOnly(const std::string& path, int64_t busyMs,
                                    std::span<const Migration> migrations) {
  NW_TRY(auto connection, connectReadOnly(path, busyMs));
  NW_TRY(const SchemaState state, examineSchema(*connection, migrations));
  if (state != SchemaState::Current) return unusable(state, path, *connection, migrations.back().version);
  OpenedDatabase opened{std::move(connection), fileIdentity(path), permissionWarnings(path)};
  opened.notices.push_back(fmt::format("the cache {} can only be read: nothing new is stored", path));
  return opened;
}

/// One look with the lock of `kind` held. None: what has to be done needs the exclusive lock.
Result<std::optional<OpenedDatabase>> tryOpen(const std::string& path, int64_t busyMs,
                                              std::span<const Migration> migrations,
                                              DirectoryLock::Kind kind) {
  NW_TRY(const DirectoryLock lock, DirectoryLock::take(path, kind, busyMs));
  const bool mayChange = kind == DirectoryLock::Kind::Exclusive;
  std::vector<std::string> notices;
  for (int attempt = 0; attempt < 2; ++attempt) {
    NW_CHECK(makeCacheFile(path));
    auto connection = connect(path, busyMs);
    if (!connection.ok() || ((*connection)->isReadOnly() && !mayWrite(path))) {
      // A busy or a damaged file is not one that may only be read; what it is shows when it is read.
      auto opened = openReadOnly(path, busyMs, migrations);
      if (opened.ok()) return std::optional(std::move(*opened));
      return connection.ok() ? opened.error() : connection.error();
    }
    const auto examined = examineSchema(**connection, migrations);
    if (!examined.ok()) {
      // A file that may be written in a directory that may not: there can be no log.
      const Fault fault = (*connection)->fault();
      if (fault != Fault::CannotOpen && fault != Fault::ReadOnly) return examined.error();
      NW_TRY(auto opened, openReadOnly(path, busyMs, migrations));
      return std::optional(std::move(opened));
    }
    SchemaState state = *examined;
    // SQLite takes a file of a few bytes for a new one, and would write over it.
    std::error_code unknown;
    const auto size = std::filesystem::file_size(path, unknown);
    if (state == SchemaState::Empty && !unknown && size > 0 && size < kLeastDatabase)
      state = SchemaState::Damaged;
    // The file may be written, but its header says that it must not be: a value no version of ours has
    // written.
    if (state == SchemaState::Current && (*connection)->isReadOnly()) state = SchemaState::Damaged;
    if (state == SchemaState::Newer || state == SchemaState::Foreign) {
      return unusable(state, path, **connection, migrations.back().version);
    }
    if (state != SchemaState::Current && !mayChange) return std::optional<OpenedDatabase>();
    if (state == SchemaState::Damaged) {
      connection->reset();
      NW_TRY(const std::string target, moveAside(path));
      notices.push_back(movedAsideNotice(path, target));
      continue;
    }
    if (state != SchemaState::Current) NW_CHECK(migrateSchema(**connection, migrations));
    NW_CHECK(useLog(**connection));
    OpenedDatabase opened{std::move(*connection), fileIdentity(path), std::move(notices)};
    for (std::string& warning : permissionWarnings(path)) opened.notices.push_back(std::move(warning));
    return std::optional(std::move(opened));
  }
  return Error{"the cache file is damaged, and so is the fresh one", path, "use --cache FILE on another disk",
               ""};
}

Result<OpenedDatabase> openInMemory(int64_t busyMs, std::span<const Migration> migrations) {
  NW_TRY(auto connection, connect(std::string(kMemory), busyMs));
  NW_CHECK(migrateSchema(*connection, migrations));
  return OpenedDatabase{std::move(connection), std::nullopt, {}};
}

} // namespace

Result<OpenedDatabase> openDatabase(const std::string& path, int64_t busyMs,
                                    std::span<const Migration> migrations) {
  if (path == kMemory) return openInMemory(busyMs, migrations);
  for (const auto kind : {DirectoryLock::Kind::Shared, DirectoryLock::Kind::Exclusive}) {
    NW_TRY(auto opened, tryOpen(path, busyMs, migrations, kind));
    if (opened) return std::move(*opened);
  }
  return Error{"cannot be opened", path, "", ""};
}

Result<std::unique_ptr<Connection>> openForReading(const std::string& path, int64_t busyMs) {
  if (!fileIdentity(path)) return Error{"no such file", path, "", ""};
  NW_TRY(auto connection, connectReadOnly(path, busyMs));
  NW_TRY(const SchemaState state, examineSchema(*connection, schemaMigrations()));
  if (state == SchemaState::Current) return connection;
  if (state == SchemaState::Newer) {
    return unusable(state, path, *connection, schemaMigrations().back().version);
  }
  return Error{"is not a cache of this Nodewise, or a damaged one", path, "", ""};
}

bool isSoundAnew(const std::string& path, int64_t busyMs) {
  if (bytesOnDisk(path) > kMostChecked) return false;
  const auto connection = connect(path, busyMs);
  if (!connection.ok()) return false;
  const auto state = examineSchema(**connection, schemaMigrations());
  if (!state.ok() || *state != SchemaState::Current) return false;
  auto check = (*connection)->prepareOnce("PRAGMA quick_check(1)");
  if (!check.ok()) return false;
  const auto row = check->step();
  return row.ok() && *row && check->text(0) == "ok";
}

Result<std::string> retireDamaged(const std::string& path, const std::optional<FileIdentity>& wasOpen,
                                  int64_t waitMs) {
  NW_TRY(const DirectoryLock lock, DirectoryLock::take(path, DirectoryLock::Kind::Exclusive, waitMs));
  if (!wasOpen || fileIdentity(path) != wasOpen) return std::string();
  NW_TRY(const std::string target, moveAside(path));
  return movedAsideNotice(path, target);
}

} // namespace nodewise
