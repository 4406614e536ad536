// Where the cache is and how much it keeps. Every value knows where it came from.
#pragma once

#include "base/result.h"

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace nodewise {

/// Where a setting's value came from; a later one wins.
enum class Origin : uint8_t { Default, Database, Environment, CommandLine };
std::string_view originName(Origin origin); ///< "default", "database", "environment", "command line"

template <class T> struct Setting {
  T value{};
  Origin origin = Origin::Default;
  /// Takes a value unless the present one comes from a stronger origin.
  void set(T newValue, Origin from) {
    if (from >= origin) *this = {std::move(newValue), from};
  }
};

struct CacheSettings {
  Setting<std::string> file;                   ///< path, or ":memory:"
  Setting<int64_t> capBytes{int64_t{1} << 30}; ///< size cap
  Setting<int64_t> ageDays{0};                 ///< entries unused for longer are deleted; 0: no age cap
  Setting<int64_t> keepRuns{200};              ///< runs, with their lookups
  Setting<int64_t> busyMs{5000};               ///< how long to wait for another process's write
};

/// What the command line gives; an absent value is not set.
struct CacheOptions {
  std::optional<std::string> file, cap, age,
      runs; ///< "--cache FILE", "--cache-size 2G", "--cache-age 30d", ...
};

using Environment = std::function<const char*(const char*)>; ///< getenv, or a test's

/// Default, then NODEWISE_CACHE, NODEWISE_CACHE_SIZE, NODEWISE_CACHE_AGE, NODEWISE_CACHE_RUNS, then the
/// command line; values kept in the database are added when it is opened. Errors name the variable or option
/// and what was expected.
Result<CacheSettings> resolveCacheSettings(const CacheOptions& options = {},
                                           const Environment& environment = {});

/// $XDG_CACHE_HOME/nodewise/cache.db, or ~/.cache/nodewise/cache.db.
std::string defaultCacheFile(const Environment& environment = {});

/// Sets one by its name in the database: "size cap", "age cap", "runs kept". Error: no such setting, not a
/// value of it.
Result<void> setByName(CacheSettings& settings, std::string_view name, std::string_view value, Origin origin);

/// For `cache stats`, the window's page, and the names used in the database's table `setting`.
struct SettingRow {
  std::string name, value; ///< "size cap", "1 GiB"
  Origin origin;
};
std::vector<SettingRow> settingRows(const CacheSettings& settings);

/// "10k", "5 MB", "1GiB" to bytes: units::byteUnit() has the rule, for filters too.
Result<int64_t> parseBytes(std::string_view text);
/// "30d", "12h", "90m", "2w" to seconds.
Result<int64_t> parseAge(std::string_view text);

} // namespace nodewise
