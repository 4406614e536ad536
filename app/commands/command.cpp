#include "command.h"

#include "cache/settings.h"

#include <fmt/format.h>

#include <cstdio>

namespace nodewise {

void addCacheOptions(CLI::App& command, CommonOptions& common) {
  command
      .add_option("--cache", common.settings.cache.file,
                  "Cache database (default: NODEWISE_CACHE, or the user's cache directory)")
      ->type_name("FILE");
  command
      .add_option("--cache-size", common.settings.cache.cap,
                  "Size cap, as 500M or 2G (powers of 1000) or 1GiB (of 1024)")
      ->type_name("SIZE");
  command.add_option("--cache-age", common.settings.cache.age, "Delete entries unused for longer, as 30d")
      ->type_name("AGE");
  // A value that is none, or a variable's, is wrong use of the command, not a cache that fails later.
  command.parse_complete_callback([&common] {
    if (const auto settings = resolveCacheSettings(common.settings.cache); !settings)
      throw CLI::ValidationError(settings.error().text());
  });
}

void addCodeOptions(CLI::App& command, CommonOptions& common) {
  command.add_flag("!--no-cache", common.settings.useCache, "Neither look up nor store");
  command.add_option("--level,-O", common.settings.options.optLevel, "Optimisation level, 0 to 3")
      ->check(CLI::Range(0, 3))
      ->type_name("N");
  command.add_flag("--fast-math", common.settings.options.fastMath,
                   "Let rounding differ: reassociate, contract, assume no nan");
  command.add_option("--vector-library", common.settings.options.vectorLibrary, "Vector math library")
      ->check(CLI::IsMember({"libmvec", "none"}))
      ->type_name("NAME");
  command.add_option("--threads", common.settings.threads, "Compile workers (0: one a core)")
      ->check(CLI::Range(0, 1024))
      ->type_name("N");
}

Exit fail(const Error& error, Exit exit) {
  fmt::print(stderr, "nodewise: {}\n", error.text());
  return exit;
}

} // namespace nodewise
