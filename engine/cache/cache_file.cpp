#include "cache/cache_file.h"

#include <cerrno>
#include <chrono>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <thread>
#include <unistd.h>
#include <utility>

namespace nodewise {

namespace {

namespace fs = std::filesystem;

std::string directoryOf(const std::string& path) {
  const fs::path parent = fs::path(path).parent_path();
  return parent.empty() ? "." : parent.string();
}

Error systemError(const std::string& path, std::string_view what, int code) {
  return {fmt::format("{}: {}", what, std::strerror(code)), path,
          "check the permissions, or name another file with --cache FILE", ""};
}

/// mkdir -p, but what is made here is for its owner alone.
Result<void> makeDirectories(const std::string& directory) {
  struct stat info {};
  if (::stat(directory.c_str(), &info) == 0) {
    if (S_ISDIR(info.st_mode)) return {};
    return Error{"is not a directory", directory, "name another file with --cache FILE", ""};
  }
  const std::string parent = directoryOf(directory);
  if (parent != directory && parent != ".") NW_CHECK(makeDirectories(parent));
  if (::mkdir(directory.c_str(), 0700) != 0 && errno != EEXIST) {
    return systemError(directory, "cannot make the cache directory", errno);
  }
  return {};
}

void renameIfThere(const std::string& from, const std::string& to) { ::rename(from.c_str(), to.c_str()); }

int64_t fileBytes(const std::string& path) {
  struct stat info {};
  return ::stat(path.c_str(), &info) == 0 ? static_cast<int64_t>(info.st_size) : 0;
}

} // namespace

std::optional<FileIdentity> fileIdentity(const std::string& path) {
  struct stat info {};
  if (::stat(path.c_str(), &info) != 0) return std::nullopt;
  return FileIdentity{info.st_dev, info.st_ino};
}

Result<void> makeCacheFile(const std::string& path) {
  struct stat info {};
  if (::stat(path.c_str(), &info) == 0) {
    if (S_ISREG(info.st_mode)) return {};
    return Error{S_ISDIR(info.st_mode) ? "is a directory; a cache file was expected"
                                       : "is not a regular file",
                 path, "remove it, or name another file with --cache FILE", ""};
  }
  NW_CHECK(makeDirectories(directoryOf(path)));
  const int descriptor = ::open(path.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
  if (descriptor >= 0)
    ::close(descriptor); // nobody holds an SQLite lock on it yet, which a close would end
  else if (errno != EEXIST)
    return systemError(path, "cannot make the cache file", errno);
  return {};
}

bool mayWrite(const std::string& path) { return ::access(path.c_str(), W_OK) == 0; }

std::vector<std::string> permissionWarnings(const std::string& path) {
  std::vector<std::string> warnings;
  const auto check = [&](const std::string& name, std::string_view what, std::string_view mode) {
    struct stat info {};
    if (::stat(name.c_str(), &info) != 0) return;
    const bool sticky =
        S_ISDIR(info.st_mode) && (info.st_mode & S_ISVTX); // as /tmp: others cannot replace files
    if ((info.st_mode & (S_IWGRP | S_IWOTH)) && !sticky) {
      warnings.push_back(
          fmt::format("others may write to the cache's {} {}, and so have code run as you (chmod {} {})",
                      what, name, mode, name));
    }
    if (info.st_uid != ::geteuid() && info.st_uid != 0) {
      warnings.push_back(
          fmt::format("the cache's {} {} belongs to another user, who can have code run as you", what, name));
    }
  };
  check(directoryOf(path), "directory", "go-w");
  check(path, "file", "go-w");
  return warnings;
}

Result<std::string> moveAside(const std::string& path) {
  std::string target;
  for (int number = 1; number <= 9; ++number) {
    target = fmt::format("{}.damaged-{}", path, number);
    if (!fileIdentity(target)) break;
  }
  // The database first: whoever comes now finds none and waits for the lock; a log alone means nothing.
  if (::rename(path.c_str(), target.c_str()) != 0)
    return systemError(path, "cannot move the damaged cache aside", errno);
  renameIfThere(path + "-wal", target + "-wal");
  renameIfThere(path + "-shm", target + "-shm");
  return target;
}

int64_t bytesOnDisk(const std::string& path) { return fileBytes(path) + fileBytes(path + "-wal"); }

Result<DirectoryLock> DirectoryLock::take(const std::string& path, Kind kind, int64_t waitMs) {
  const int descriptor = ::open(directoryOf(path).c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (descriptor < 0) return DirectoryLock(-1);
  const int operation = (kind == Kind::Shared ? LOCK_SH : LOCK_EX) | LOCK_NB;
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::milliseconds(waitMs);
  while (::flock(descriptor, operation) != 0) {
    if (errno != EWOULDBLOCK && errno != EINTR) break; // no locks here
    if (std::chrono::steady_clock::now() > deadline) {
      ::close(descriptor);
      if (kind == Kind::Shared) return DirectoryLock(-1); // looking without a lock beats not looking
      return Error{"the cache is being made or repaired by another process", path, "try again", ""};
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  return DirectoryLock(descriptor);
}

DirectoryLock::DirectoryLock(DirectoryLock&& other) noexcept
    : m_descriptor(std::exchange(other.m_descriptor, -1)) {}

DirectoryLock::~DirectoryLock() {
  if (m_descriptor >= 0) ::close(m_descriptor);
}

} // namespace nodewise
