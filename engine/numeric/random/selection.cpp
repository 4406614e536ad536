#include "numeric/random/selection.h"

#include "numeric/random/bit_generator.h"

#include <algorithm>
#include <numeric>
#include <unordered_set>

namespace nodewise {

namespace {

using UpTo = uint64_t (*)(RngState& rng, uint64_t greatest);

/// Fisher and Yates' shuffle from the last position down to `first` (inclusive). NumPy permutes with one
/// generator of indices and chooses with the other.
void shuffle(UpTo upTo, RngState& rng, std::span<int64_t> items, int64_t first = 1) {
  for (auto i = static_cast<int64_t>(items.size()) - 1; i >= first; --i)
    std::swap(items[static_cast<size_t>(i)], items[upTo(rng, static_cast<uint64_t>(i))]);
}

std::vector<int64_t> upFromZero(int64_t n) {
  std::vector<int64_t> items(static_cast<size_t>(n));
  std::iota(items.begin(), items.end(), int64_t{0});
  return items;
}

/// The last `count` items of a shuffle that stops when they are determined.
std::vector<int64_t> byTailShuffle(const Samplers& samplers, RngState& rng, int64_t population,
                                   int64_t count) {
  std::vector<int64_t> items = upFromZero(population);
  shuffle(samplers.upToByLemire, rng, items, std::max<int64_t>(population - count, 1));
  items.erase(items.begin(), items.end() - count);
  return items;
}

/// R. Floyd's algorithm (Bentley, Communications of the ACM 30, 1987), then a shuffle.
std::vector<int64_t> byFloyd(const Samplers& samplers, RngState& rng, int64_t population, int64_t count) {
  std::vector<int64_t> items;
  items.reserve(static_cast<size_t>(count));
  std::unordered_set<int64_t> taken;
  for (int64_t j = population - count; j < population; ++j) {
    const auto candidate = static_cast<int64_t>(samplers.upToByLemire(rng, static_cast<uint64_t>(j)));
    const int64_t item = taken.insert(candidate).second ? candidate : j;
    if (item == j) taken.insert(j);
    items.push_back(item);
  }
  shuffle(samplers.upToByLemire, rng, items);
  return items;
}

} // namespace

std::vector<int64_t> permutationOf(const Samplers& samplers, RngState& rng, int64_t n) {
  std::vector<int64_t> items = upFromZero(n);
  shuffle(samplers.upToByMask, rng, items);
  return items;
}

std::vector<int64_t> sampleWithoutReplacement(const Samplers& samplers, RngState& rng, int64_t population,
                                              int64_t count) {
  // NumPy's rule for the choice of the algorithm; it decides which numbers are drawn.
  const bool large = population > 10000 && count > population / 50;
  return large ? byTailShuffle(samplers, rng, population, count) : byFloyd(samplers, rng, population, count);
}

std::vector<int64_t> weightedSampleWithoutReplacement(RngState& rng, std::vector<double> p, int64_t count) {
  std::vector<int64_t> found;
  std::vector<bool> taken(p.size(), false);
  std::vector<double> cumulative(p.size());
  while (static_cast<int64_t>(found.size()) < count) {
    std::vector<double> uniform(static_cast<size_t>(count) - found.size());
    for (double& u : uniform) u = nextDouble(rng);
    for (const int64_t k : found) p[static_cast<size_t>(k)] = 0.0;
    std::partial_sum(p.begin(), p.end(), cumulative.begin());
    const double total = cumulative.back();
    for (double& c : cumulative) c /= total;
    // Each number once, where it was drawn first.
    for (const double u : uniform) {
      const auto k = static_cast<size_t>(std::ranges::upper_bound(cumulative, u) - cumulative.begin());
      if (k == p.size() || taken[k]) continue;
      taken[k] = true;
      found.push_back(static_cast<int64_t>(k));
    }
  }
  return found;
}

double compensatedSum(std::span<const double> values) {
  if (values.empty()) return 0.0;
  double sum = values[0], compensation = 0.0;
  for (const double value : values.subspan(1)) {
    const double y = value - compensation, t = sum + y;
    compensation = (t - sum) - y;
    sum = t;
  }
  return sum;
}

} // namespace nodewise
