// Sorting contiguous elements of any dtype in NumPy's order: ascending, not-a-number last.
#pragma once

#include "graph/dtype.h"

#include <cstddef>
#include <cstdint>

namespace nodewise {

/// Sorts `n` elements in place. Where `stable`, equal elements that can be told apart (-0 and 0,
/// not-a-numbers of several bit patterns) keep their order.
void sortElements(DType dtype, std::byte* elements, int64_t n, bool stable);

/// order[i] = position of the element that comes i-th. Stable.
void argsortElements(DType dtype, const std::byte* elements, int64_t n, int64_t* order);

/// counts[i] = number of elements of `sorted` (n of them) that come before values[i], or with `right` before
/// or equal. Of a vector that is not sorted: what numpy.searchsorted gives.
void countBefore(DType dtype, const std::byte* sorted, int64_t n, const std::byte* values, int64_t count,
                 bool right, int64_t* counts);

/// Runs of the same value among elements taken in the order given: sets starts[0..k) to the position (in
/// `order`) at which each run begins, and returns k. All not-a-numbers are one value.
int64_t findRuns(DType dtype, const std::byte* elements, const int64_t* order, int64_t n, int64_t* starts);

/// The same two for `n` slices of `length` elements each, in lexicographic order.
void argsortSlices(DType dtype, const std::byte* slices, int64_t n, int64_t length, int64_t* order);
int64_t findSliceRuns(DType dtype, const std::byte* slices, int64_t length, const int64_t* order, int64_t n,
                      int64_t* starts);

} // namespace nodewise
