#include "numeric/sparse_structure.h"

#include <algorithm>
#include <cstring>
#include <numeric>

namespace nodewise {

bool isCanonical(const SparseView& a) {
  for (int64_t m = 0; m < a.major; ++m)
    for (int32_t k = a.start[m] + 1; k < a.start[m + 1]; ++k)
      if (a.index[k - 1] >= a.index[k]) return false;
  return true;
}

SparseStructure otherFormat(const SparseView& a) {
  const auto stored = static_cast<size_t>(a.stored());
  SparseStructure other{a.minor, a.major, std::vector<int32_t>(static_cast<size_t>(a.minor) + 1),
                        std::vector<int32_t>(stored), std::vector<int32_t>(stored)};
  for (size_t k = 0; k < stored; ++k) ++other.start[static_cast<size_t>(a.index[k]) + 1];
  std::partial_sum(other.start.begin(), other.start.end(), other.start.begin());
  std::vector<int32_t> next(other.start.begin(), other.start.end() - 1);
  for (int64_t m = 0; m < a.major; ++m)
    for (int32_t k = a.start[m]; k < a.start[m + 1]; ++k) {
      const auto place = static_cast<size_t>(next[static_cast<size_t>(a.index[k])]++);
      other.index[place] = static_cast<int32_t>(m);
      other.source[place] = k;
    }
  return other;
}

SparseStructure sortedIndices(const SparseView& a) {
  const auto stored = static_cast<size_t>(a.stored());
  SparseStructure sorted{a.major, a.minor, std::vector<int32_t>(a.start, a.start + a.major + 1),
                         std::vector<int32_t>(stored), std::vector<int32_t>(stored)};
  std::iota(sorted.source.begin(), sorted.source.end(), 0);
  for (int64_t m = 0; m < a.major; ++m)
    std::stable_sort(sorted.source.begin() + a.start[m], sorted.source.begin() + a.start[m + 1],
                     [&a](int32_t x, int32_t y) { return a.index[x] < a.index[y]; });
  for (size_t k = 0; k < stored; ++k) sorted.index[k] = a.index[sorted.source[k]];
  return sorted;
}

SparseStructure keepStored(const SparseView& a, const std::vector<bool>& keep) {
  SparseStructure kept{a.major, a.minor, {0}, {}, {}};
  for (int64_t m = 0; m < a.major; ++m) {
    for (int32_t k = a.start[m]; k < a.start[m + 1]; ++k) {
      if (!keep[static_cast<size_t>(k)]) continue;
      kept.index.push_back(a.index[k]);
      kept.source.push_back(k);
    }
    kept.start.push_back(static_cast<int32_t>(kept.index.size()));
  }
  return kept;
}

SparseStructure takeRanges(const SparseView& a, IndexRange major, IndexRange minor) {
  SparseStructure taken{major.count, minor.count, {0}, {}, {}};
  for (int64_t i = 0; i < major.count; ++i) {
    const int64_t m = major.start + i * major.step;
    for (int32_t k = a.start[m]; k < a.start[m + 1]; ++k) {
      const int64_t distance = a.index[k] - minor.start;
      if (distance % minor.step != 0) continue;
      const int64_t place = distance / minor.step;
      if (place < 0 || place >= minor.count) continue;
      taken.index.push_back(static_cast<int32_t>(place));
      taken.source.push_back(k);
    }
    taken.start.push_back(static_cast<int32_t>(taken.index.size()));
  }
  return taken;
}

bool takeMajor(const SparseView& a, const std::vector<int64_t>& which, SparseStructure& taken) {
  taken = {static_cast<int64_t>(which.size()), a.minor, {0}, {}, {}};
  int64_t stored = 0;
  for (const int64_t m : which) {
    stored += a.start[m + 1] - a.start[m];
    if (stored > INT32_MAX) return false;
    taken.index.insert(taken.index.end(), a.index + a.start[m], a.index + a.start[m + 1]);
    for (int32_t k = a.start[m]; k < a.start[m + 1]; ++k) taken.source.push_back(k);
    taken.start.push_back(static_cast<int32_t>(stored));
  }
  return true;
}

void gatherElements(const std::byte* from, const std::vector<int32_t>& source, int64_t size, std::byte* to) {
  for (const int32_t k : source) {
    std::memcpy(to, from + k * size, static_cast<size_t>(size));
    to += size;
  }
}

} // namespace nodewise
