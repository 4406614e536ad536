#include "ui/graph/repeats.h"

#include <algorithm>
#include <unordered_map>
#include <vector>

namespace nodewise::ui {
namespace {

constexpr size_t kWindow = 6;     // elements that are compared at once
constexpr size_t kCandidates = 8; // periods that are tried

/// Distances between a window of elements and the next equal one, most frequent first: the likely periods.
std::vector<size_t> likelyPeriods(std::span<const uint64_t> sequence, size_t least) {
  std::unordered_map<uint64_t, size_t> lastAt;
  std::unordered_map<size_t, size_t> frequency;
  for (size_t k = 0; k + kWindow <= sequence.size(); ++k) {
    uint64_t hash = 0xcbf29ce484222325ULL;
    for (size_t j = 0; j < kWindow; ++j) hash = (hash ^ sequence[k + j]) * 0x100000001b3ULL;
    const auto [at, isNew] = lastAt.try_emplace(hash, k);
    if (isNew) continue;
    ++frequency[k - at->second];
    at->second = k;
  }
  std::vector<std::pair<size_t, size_t>> order; // frequency, distance
  constexpr size_t kLeastPiece = 3;             // one op over and over has no layers
  for (const auto& [distance, times] : frequency)
    if (distance >= kLeastPiece) order.emplace_back(times, distance);
  std::ranges::sort(order, std::greater{});
  std::vector<size_t> periods;
  for (const auto& [times, distance] : order) {
    // Short pieces are taken several at a time.
    const size_t period = distance * ((least + distance - 1) / distance);
    if (std::ranges::find(periods, period) == periods.end()) periods.push_back(period);
    if (periods.size() == kCandidates) break;
  }
  return periods;
}

/// The longest run in which every element equals the one a period later.
Repeat longestRun(std::span<const uint64_t> sequence, size_t period) {
  Repeat best{0, period, 0};
  size_t start = 0;
  for (size_t k = 0; k + period <= sequence.size(); ++k) {
    if (k + period < sequence.size() && sequence[k] == sequence[k + period]) continue;
    const size_t pieces = (k - start) / period + 1;
    if (k > start && pieces > best.count) best = {start, period, pieces};
    start = k + 1;
  }
  return best;
}

} // namespace

std::optional<Repeat> findRepeat(std::span<const uint64_t> sequence, size_t leastPeriod) {
  constexpr size_t kLeastPieces = 3;
  std::optional<Repeat> best;
  for (const size_t period : likelyPeriods(sequence, std::max<size_t>(leastPeriod, 1))) {
    if (period * kLeastPieces > sequence.size()) continue;
    const Repeat run = longestRun(sequence, period);
    if (run.count < kLeastPieces || run.period * run.count * 3 < sequence.size()) continue;
    // Of equal lengths the shorter piece is the one that repeats.
    const size_t length = run.period * run.count, known = best ? best->period * best->count : 0;
    if (length > known + period || (best && length + period >= known && period < best->period)) best = run;
  }
  return best;
}

} // namespace nodewise::ui
