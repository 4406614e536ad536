// From a path to a usable connection, whatever is found there.
#pragma once

#include "cache/cache_file.h"
#include "cache/connection.h"
#include "cache/schema.h"
#include "cache/settings.h"

namespace nodewise {

struct OpenedDatabase {
  std::unique_ptr<Connection> connection;
  std::optional<FileIdentity> identity; ///< none: ":memory:"
  std::vector<std::string> notices;     ///< moved aside, read only, permissions
};

/// Makes what is missing, migrates what is older, moves aside what is damaged. Errors as in Store::open().
Result<OpenedDatabase> openDatabase(const std::string& path, int64_t busyMs,
                                    std::span<const Migration> migrations = schemaMigrations());

/// Opens what is there for reading only and changes nothing: bundles. Error: not a current cache database.
Result<std::unique_ptr<Connection>> openForReading(const std::string& path, int64_t busyMs);

/// Whether a file that has read as damaged is sound when it is opened again: another program may have taken
/// the log away under an open connection (closing any descriptor of a file ends the locks of its process).
/// Large files are not looked at, and count as damaged.
bool isSoundAnew(const std::string& path, int64_t busyMs);

/// After a damaged page was met in an open database: moves the file aside, if it is still the one that was
/// open, and gives a sentence about it (empty: somebody else had done it).
Result<std::string> retireDamaged(const std::string& path, const std::optional<FileIdentity>& wasOpen,
                                  int64_t waitMs);

} // namespace nodewise
