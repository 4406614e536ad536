#include "cache/settings.h"

#include "base/units.h"

#include <array>
#include <charconv>
#include <cstdlib>
#include <fmt/format.h>
#include <limits>
#include <unistd.h>

namespace nodewise {

namespace {

constexpr int64_t kDay = 86400;

struct AgeUnit {
  std::string_view name;
  int64_t seconds;
};
constexpr AgeUnit kAgeUnits[] = {{"s", 1},    {"m", 60},       {"h", 3600},
                                 {"d", kDay}, {"w", 7 * kDay}, {"y", 365 * kDay}};

std::optional<int64_t> ageUnit(std::string_view unit) {
  for (const AgeUnit& row : kAgeUnits) {
    if (unit.size() == 1 && (unit[0] | 0x20) == row.name[0]) return row.seconds;
  }
  return std::nullopt;
}

/// A number and its unit, of the size that `sizeOf` gives it.
Result<int64_t> parseWithUnit(std::string_view text, std::optional<int64_t> (*sizeOf)(std::string_view),
                              std::string_view expected) {
  const Error error{fmt::format("'{}' is not {}", text, expected), "", "", ""};
  double number = 0;
  const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (code != std::errc() || !(number >= 0)) return error;
  std::string unit(text.substr(static_cast<size_t>(end - text.data())));
  std::erase(unit, ' ');
  const std::optional<int64_t> size = sizeOf(unit);
  if (!size) return error;
  const double value = number * static_cast<double>(*size);
  if (value >= 9e18) return error;
  return static_cast<int64_t>(value);
}

const char* getEnvironment(const char* name) { return std::getenv(name); }

std::string variable(const Environment& environment, const char* name) {
  const char* value = environment ? environment(name) : getEnvironment(name);
  return value ? value : "";
}

Result<void> setAge(CacheSettings& settings, std::string_view text, Origin origin) {
  if (text == "off" || text == "0") {
    settings.ageDays.set(0, origin);
    return {};
  }
  NW_TRY(const int64_t seconds, parseAge(text));
  settings.ageDays.set((seconds + kDay - 1) / kDay, origin);
  return {};
}

Result<void> setCap(CacheSettings& settings, std::string_view text, Origin origin) {
  NW_TRY(const int64_t bytes, parseBytes(text));
  settings.capBytes.set(bytes, origin);
  return {};
}

Result<void> setRuns(CacheSettings& settings, std::string_view text, Origin origin) {
  int64_t runs = 0;
  const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), runs);
  if (code != std::errc() || end != text.data() + text.size() || runs < 1) {
    return Error{fmt::format("'{}' is not a number of runs (1 or more)", text), "", "", ""};
  }
  settings.keepRuns.set(runs, origin);
  return {};
}

std::string capText(const CacheSettings& settings) { return units::cap(settings.capBytes.value); }

std::string ageText(const CacheSettings& settings) {
  return settings.ageDays.value == 0 ? "off" : fmt::format("{}d", settings.ageDays.value);
}

/// One setting that is a number: its names in the database, the environment and on the command line.
struct SettingSource {
  std::string_view name;
  const char* variable;
  std::string_view option;
  std::optional<std::string> CacheOptions::*given;
  Result<void> (*set)(CacheSettings&, std::string_view, Origin);
  std::string (*text)(const CacheSettings&);
  Origin (*origin)(const CacheSettings&);
};

constexpr std::array<SettingSource, 3> kSources{{
    {"size cap", "NODEWISE_CACHE_SIZE", "--cache-size", &CacheOptions::cap, setCap, capText,
     [](const CacheSettings& s) { return s.capBytes.origin; }},
    {"age cap", "NODEWISE_CACHE_AGE", "--cache-age", &CacheOptions::age, setAge, ageText,
     [](const CacheSettings& s) { return s.ageDays.origin; }},
    {"runs kept", "NODEWISE_CACHE_RUNS", "--cache-runs", &CacheOptions::runs, setRuns,
     [](const CacheSettings& s) { return std::to_string(s.keepRuns.value); },
     [](const CacheSettings& s) { return s.keepRuns.origin; }},
}};

} // namespace

std::string_view originName(Origin origin) {
  constexpr std::array<std::string_view, 4> names{"default", "database", "environment", "command line"};
  return names[static_cast<size_t>(origin)];
}

Result<int64_t> parseBytes(std::string_view text) {
  return parseWithUnit(text, units::byteUnit, "a size (such as 500M, 2G or 1GiB)");
}

Result<int64_t> parseAge(std::string_view text) {
  return parseWithUnit(text, ageUnit, "an age (such as 12h, 30d or 4w)");
}

std::string defaultCacheFile(const Environment& environment) {
  // The standard says that a relative XDG_CACHE_HOME is to be ignored.
  const std::string cacheHome = variable(environment, "XDG_CACHE_HOME");
  if (cacheHome.starts_with('/')) return cacheHome + "/nodewise/cache.db";
  const std::string home = variable(environment, "HOME");
  if (!home.empty()) return home + "/.cache/nodewise/cache.db";
  return fmt::format("/tmp/nodewise-{}/cache.db", ::geteuid());
}

Result<void> setByName(CacheSettings& settings, std::string_view name, std::string_view value,
                       Origin origin) {
  for (const SettingSource& source : kSources) {
    if (source.name == name) return source.set(settings, value, origin);
  }
  return Error{fmt::format("no setting is named '{}'", name), "",
               "\"size cap\", \"age cap\" and \"runs kept\" are", ""};
}

Result<CacheSettings> resolveCacheSettings(const CacheOptions& options, const Environment& environment) {
  CacheSettings settings;
  settings.file.value = defaultCacheFile(environment);
  if (const std::string file = variable(environment, "NODEWISE_CACHE"); !file.empty()) {
    settings.file.set(file, Origin::Environment);
  }
  if (options.file) settings.file.set(*options.file, Origin::CommandLine);
  for (const SettingSource& source : kSources) {
    if (const std::string value = variable(environment, source.variable); !value.empty()) {
      const auto set = source.set(settings, value, Origin::Environment);
      if (!set.ok()) return within(source.variable, set.error());
    }
    if (const auto& value = options.*source.given) {
      const auto set = source.set(settings, *value, Origin::CommandLine);
      if (!set.ok()) return within(std::string(source.option), set.error());
    }
  }
  return settings;
}

std::vector<SettingRow> settingRows(const CacheSettings& settings) {
  std::vector<SettingRow> rows{{"file", settings.file.value, settings.file.origin}};
  for (const SettingSource& source : kSources) {
    rows.push_back({std::string(source.name), source.text(settings), source.origin(settings)});
  }
  return rows;
}

} // namespace nodewise
