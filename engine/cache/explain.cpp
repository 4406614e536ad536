#include "cache/explain.h"

#include "base/units.h"
#include "cache/inner_words.h"
#include "cache/nearest.h"
#include "cache/words.h"

#include <algorithm>
#include <fmt/format.h>

namespace nodewise {

namespace {

/// "input 0: was float64, now float32", and where more differs "(also output 0 and constants)".
std::string differenceWords(std::span<const PartDiff> diffs) {
  std::string words = fmt::format("{}: {}", diffs[0].name, changeWords(diffs[0]));
  if (diffs.size() == 1) return words;
  constexpr size_t kNamed = 4;
  std::string names;
  for (size_t k = 1; k < std::min(diffs.size(), kNamed); ++k) {
    const bool last = k + 1 == diffs.size();
    names += (k == 1 ? "" : last ? " and " : ", ") + diffs[k].name;
  }
  if (diffs.size() > kNamed) names += fmt::format(" and {} more", diffs.size() - kNamed);
  return words + fmt::format(" (also {})", names);
}

void explainFrom(const NearEntry& near, const Key& key, int64_t now, LookupAnswer& answer) {
  std::vector<PartDiff> diffs = diffParts(near.parts, key.parts);
  if (diffs.empty()) { // only the order differs, which no reader would see
    answer.reason = "the key has the parts of an entry in another order";
    return;
  }
  // What the node itself changed comes first: it is the reason even where the toolchain changed too.
  std::ranges::stable_partition(diffs, [](const PartDiff& diff) { return !isStalePart(diff.name); });
  answer.outcome = isStalePart(diffs.front().name) ? Outcome::Stale : Outcome::Miss;
  answer.changedPart = diffs.front().name;
  answer.oldValue = diffs.front().oldValue;
  answer.newValue = diffs.front().newValue;
  answer.nearest = near.key;
  answer.nearestCreatedUnix = near.created;
  answer.reason = fmt::format("{}; nearest entry {}, {} old", differenceWords(diffs), near.key.shortHex(),
                              units::age(std::max<int64_t>(0, now - near.created)));
}

} // namespace

Result<void> explainMisses(Connection& connection, EnvironmentCache& environments,
                           std::span<const UnexplainedMiss> misses) {
  if (misses.empty()) return {};
  NearestFinder finder(connection, environments);
  const int64_t now = nowUnix();
  for (const UnexplainedMiss& miss : misses) {
    NW_TRY(const std::optional<NearEntry> near, finder.nearest(*miss.key));
    if (near)
      explainFrom(*near, *miss.key, now, *miss.answer);
    else
      miss.answer->reason = "nothing comparable is in the cache";
  }
  return {};
}

} // namespace nodewise
