// How long the program takes to start, over an empty one that links the same libraries.
#include "measure.h"
#include "rows.h"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <fmt/format.h>

extern char** environ; // NOLINT(readability-redundant-declaration): POSIX has it in no header

namespace nodewise::bench {

namespace {

/// Runs a program to its end, its output thrown away. False: it could not be run, or failed.
bool runs(std::vector<std::string> words) {
  std::vector<char*> arguments;
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  ::posix_spawn_file_actions_init(&actions);
  ::posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
  pid_t child = 0;
  const bool started = ::posix_spawn(&child, arguments[0], &actions, nullptr, arguments.data(), environ) == 0;
  ::posix_spawn_file_actions_destroy(&actions);
  int status = 0;
  return started && ::waitpid(child, &status, 0) == child && status == 0;
}

} // namespace

Result<std::vector<BenchRow>> startRows() {
  std::error_code error;
  const std::filesystem::path self = std::filesystem::read_symlink("/proc/self/exe", error);
  const std::string empty = (self.parent_path() / "nodewise_empty").string();
  if (!runs({empty}))
    return Error{"the empty program cannot be run", empty, "run the program from where it was built", {}};
  const std::filesystem::path cache =
      std::filesystem::temp_directory_path() / fmt::format("nodewise-bench-start-{}.db", ::getpid());
  const std::vector<std::string> list{self.string(), "cache", "list", "--cache", cache.string()};
  std::vector<BenchRow> rows;
  const bool usable = runs(list); // makes the cache
  const Pair version = inTurn(
      20, 1,
      [&] {
        runs({self.string(), "--version"});
      },
      [&] { runs({empty}); });
  const Pair listing = inTurn(
      20, 1, [&] { runs(list); }, [&] { runs({empty}); });
  for (const char* end : {"", "-wal", "-shm"}) std::filesystem::remove(cache.string() + end, error);
  if (!usable) return Error{"nodewise cache list failed", self.string(), {}, {}};
  const std::string note = "over an empty program that links the same libraries";
  rows.push_back({"--version", (version.a - version.b) / 1e6, "ms", 5.0, {}, note});
  rows.push_back({"cache list", (listing.a - listing.b) / 1e6, "ms", 20.0, {}, note + ", of an empty cache"});
  return rows;
}

} // namespace nodewise::bench
