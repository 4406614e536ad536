// The file and its directory: permissions, locks against others who open it, and moving a damaged one aside.
#pragma once

#include "base/result.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace nodewise {

/// Which file a path names at the moment.
struct FileIdentity {
  uint64_t device = 0, inode = 0;
  bool operator==(const FileIdentity&) const = default;
};
std::optional<FileIdentity> fileIdentity(const std::string& path);

/// Makes the directories that are missing (0700) and an empty file (0600) if there is none. Error: a
/// directory has the file's name; it cannot be made.
Result<void> makeCacheFile(const std::string& path);

/// Whether this process may write to the file.
bool mayWrite(const std::string& path);

/// Sentences about permissions by which others could plant code in the cache; empty if all is well.
std::vector<std::string> permissionWarnings(const std::string& path);

/// Renames a damaged database, with its log, to PATH.damaged-1 (or -2, ... -9; then the last is replaced).
/// Gives the new name. Hold the DirectoryLock exclusively.
Result<std::string> moveAside(const std::string& path);

/// Bytes of the database with its log on disk.
int64_t bytesOnDisk(const std::string& path);

/// Held shared while a database is opened and looked at, exclusively while one is made, migrated or moved
/// aside: so nobody opens half of a database, and no two processes make one. It is a lock of the directory
/// itself, needs no file, and ends with the process. Where a file system has no locks, it locks nothing.
class DirectoryLock {
public:
  enum class Kind : uint8_t { Shared, Exclusive };
  /// Waits at most `waitMs`. Held longer by another process: an error if exclusive; if shared, goes on
  /// without.
  static Result<DirectoryLock> take(const std::string& path, Kind kind, int64_t waitMs);
  DirectoryLock(DirectoryLock&& other) noexcept;
  DirectoryLock& operator=(DirectoryLock&&) = delete;
  ~DirectoryLock();

private:
  explicit DirectoryLock(int descriptor) : m_descriptor(descriptor) {}
  int m_descriptor; ///< -1: none
};

} // namespace nodewise
