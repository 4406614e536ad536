#include "run_reference.h"

#include "cache/runs.h"

#include <fmt/format.h>

#include <charconv>

namespace nodewise {

namespace {

/// All of `text` as a number; none if it is not one.
std::optional<int64_t> wholeNumber(std::string_view text) {
  int64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size() || number < 0) return {};
  return number;
}

} // namespace

Result<Store> openCache(const CommonOptions& common) {
  NW_TRY(CacheSettings settings, resolveCacheSettings(common.settings.cache));
  Result<Store> opened = Store::open(settings);
  if (!opened) {
    Error error = opened.error();
    error.type = "Environment";
    return error;
  }
  Store store = std::move(*opened);
  for (const std::string& notice : store.takeNotices()) fmt::print(stderr, "nodewise: {}\n", notice);
  return store;
}

Result<RunRecord> findRun(Store& store, const std::string& text) {
  constexpr std::string_view kLast = "last";
  const Error unknown{fmt::format("\"{}\" names no run", text),
                      {},
                      "give a number as `nodewise cache runs` lists them, or last, last~1, ...",
                      "Usage"};
  int64_t id = 0;
  if (text.starts_with(kLast)) {
    const std::string_view back = std::string_view(text).substr(kLast.size());
    const std::optional<int64_t> steps = back.empty()     ? 0
                                         : back[0] == '~' ? wholeNumber(back.substr(1))
                                                          : std::nullopt;
    if (!steps || *steps > 100'000) return unknown;
    NW_TRY(std::vector<RunRow> runs, listRuns(store, *steps + 1));
    if (static_cast<int64_t>(runs.size()) <= *steps)
      return Error{fmt::format("there is no run {}: {} recorded", text, runs.size()),
                   {},
                   "nodewise compile FILE records one",
                   "Usage"};
    id = runs.back().id;
  } else if (const std::optional<int64_t> number = wholeNumber(text)) {
    id = *number;
  } else {
    return unknown;
  }
  Result<RunRecord> record = loadRun(store, id);
  if (record) return record;
  Error error = record.error();
  if (error.what.starts_with("there is no run")) error.type = "Usage";
  return error;
}

Exit exitOf(const Error& error) { return error.type == "Usage" ? Exit::Usage : Exit::NoEnvironment; }

} // namespace nodewise
