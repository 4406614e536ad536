#include "numeric/sorting.h"

#include "numeric/scratch.h"
#include "numeric/sort_key.h"

#include <algorithm>
#include <array>
#include <numeric>

namespace nodewise {
namespace {

// Below this many elements comparing is faster than counting digits (measured with other contents at each
// call: of a short vector that is sorted again and again, a processor learns the outcome of every
// comparison).
constexpr int64_t kRadixFrom = 128;

/// Least significant digit first, eight bits a digit; digits that are the same in all elements cost nothing.
/// `keyOf` gives an element's unsigned key.
template <class T, class KeyOf> void radixSort(T* elements, T* spare, int64_t n, KeyOf keyOf) {
  using Key = decltype(keyOf(elements[0]));
  constexpr size_t digits = sizeof(Key);
  std::array<std::array<int64_t, 256>, digits> counts{};
  for (int64_t i = 0; i < n; ++i) {
    const Key key = keyOf(elements[i]);
    for (size_t d = 0; d < digits; ++d) ++counts[d][static_cast<uint8_t>(key >> (8 * d))];
  }
  T* from = elements;
  T* to = spare;
  for (size_t d = 0; d < digits; ++d) {
    auto& next = counts[d];
    if (next[static_cast<uint8_t>(keyOf(from[0]) >> (8 * d))] == n) continue;
    std::exclusive_scan(next.begin(), next.end(), next.begin(), int64_t{0});
    for (int64_t i = 0; i < n; ++i) to[next[static_cast<uint8_t>(keyOf(from[i]) >> (8 * d))]++] = from[i];
    std::swap(from, to);
  }
  if (from != elements) std::copy(from, from + n, elements);
}

/// A key with the position it came from.
template <class Key, class Position> struct Keyed {
  Key key;
  Position position;
};

template <class Position, class T> void argsortKeyed(const T* elements, int64_t n, int64_t* order) {
  using Item = Keyed<SortKey<T>, Position>;
  Scratch scratch;
  Item* items = scratch.take<Item>(2 * n);
  for (int64_t i = 0; i < n; ++i) items[i] = {sortKey(elements[i]), static_cast<Position>(i)};
  if constexpr (isComplexType<T>) {
    std::stable_sort(items, items + n, [](const Item& a, const Item& b) { return a.key < b.key; });
  } else if (n < kRadixFrom) {
    std::stable_sort(items, items + n, [](const Item& a, const Item& b) { return a.key < b.key; });
  } else {
    radixSort(items, items + n, n, [](const Item& item) { return item.key; });
  }
  for (int64_t i = 0; i < n; ++i) order[i] = static_cast<int64_t>(items[i].position);
}

} // namespace

void sortElements(DType dtype, std::byte* elements, int64_t n, bool stable) {
  if (n < 2) return;
  withType(dtype, [&]<class T>(std::type_identity<T>) {
    T* first = reinterpret_cast<T*>(elements);
    const auto before = [](T a, T b) { return sortKey(a) < sortKey(b); };
    if constexpr (!isComplexType<T>) {
      if (n >= kRadixFrom) {
        Scratch scratch;
        return radixSort(first, scratch.take<T>(n), n, [](T x) { return sortKey(x); });
      }
      // Equal integers cannot be told apart.
      if constexpr (std::is_integral_v<T>) return std::sort(first, first + n);
    }
    if constexpr (std::is_floating_point_v<T>)
      if (!stable) return std::sort(first, std::partition(first, first + n, [](T x) { return x == x; }));
    std::stable_sort(first, first + n, before);
  });
}

void argsortElements(DType dtype, const std::byte* elements, int64_t n, int64_t* order) {
  withType(dtype, [&]<class T>(std::type_identity<T>) {
    const T* first = reinterpret_cast<const T*>(elements);
    if (n <= INT64_C(0xFFFFFFFF))
      argsortKeyed<uint32_t>(first, n, order);
    else
      argsortKeyed<uint64_t>(first, n, order);
  });
}

void countBefore(DType dtype, const std::byte* sorted, int64_t n, const std::byte* values, int64_t count,
                 bool right, int64_t* counts) {
  withType(dtype, [&]<class T>(std::type_identity<T>) {
    const T* first = reinterpret_cast<const T*>(sorted);
    if (count == 0) return;
    int64_t low = 0, high = n;
    auto last = sortKey(reinterpret_cast<const T*>(values)[0]);
    for (int64_t i = 0; i < count; ++i) {
      const auto key = sortKey(reinterpret_cast<const T*>(values)[i]);
      // The search goes on from the last value's place: of a vector that is not sorted, only this order of
      // steps finds the places that NumPy finds.
      if (last < key)
        high = n;
      else {
        low = 0;
        high = std::min(high + 1, n);
      }
      last = key;
      while (low < high) {
        const int64_t middle = low + (high - low) / 2;
        const auto there = sortKey(first[middle]);
        if (right ? !(key < there) : there < key)
          low = middle + 1;
        else
          high = middle;
      }
      counts[i] = low;
    }
  });
}

int64_t findRuns(DType dtype, const std::byte* elements, const int64_t* order, int64_t n, int64_t* starts) {
  return findSliceRuns(dtype, elements, 1, order, n, starts);
}

void argsortSlices(DType dtype, const std::byte* slices, int64_t n, int64_t length, int64_t* order) {
  std::iota(order, order + n, int64_t{0});
  withType(dtype, [&]<class T>(std::type_identity<T>) {
    const T* first = reinterpret_cast<const T*>(slices);
    std::stable_sort(order, order + n, [&](int64_t a, int64_t b) {
      const T *x = first + a * length, *y = first + b * length;
      for (int64_t i = 0; i < length; ++i) {
        const auto left = sortKey(x[i]), right = sortKey(y[i]);
        if (left < right) return true;
        if (right < left) return false;
      }
      return false;
    });
  });
}

int64_t findSliceRuns(DType dtype, const std::byte* slices, int64_t length, const int64_t* order, int64_t n,
                      int64_t* starts) {
  return withType(dtype, [&]<class T>(std::type_identity<T>) {
    const T* first = reinterpret_cast<const T*>(slices);
    const auto same = [&](int64_t a, int64_t b) {
      return std::equal(first + a * length, first + (a + 1) * length, first + b * length,
                        [](T x, T y) { return sameValue(sortKey(x), sortKey(y)); });
    };
    int64_t runs = 0;
    for (int64_t i = 0; i < n; ++i)
      if (i == 0 || !same(order[i - 1], order[i])) starts[runs++] = i;
    return runs;
  });
}

} // namespace nodewise
