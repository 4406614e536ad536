// Where the stored elements of compressed sparse matrices are: rearranging, without looking at values.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace nodewise {

/// Places of the stored elements of a csr matrix (`major` rows of `minor` columns) or of a csc matrix
/// (`major` columns of `minor` rows), in somebody else's memory. Those of row (column) m are [start[m],
/// start[m + 1]); start[0] is 0.
struct SparseView {
  int64_t major = 0, minor = 0;
  const int32_t* start = nullptr; ///< major + 1 numbers, not descending
  const int32_t* index = nullptr; ///< column (row) of each stored element, in any order, maybe repeated

  int64_t stored() const { return start[major]; }
};

/// Places of a matrix made from another: its k-th stored element was the source[k]-th.
struct SparseStructure {
  int64_t major = 0, minor = 0;
  std::vector<int32_t> start, index, source;

  SparseView view() const { return {major, minor, start.data(), index.data()}; }
};

/// Ascending indices in each row (column), none repeated.
bool isCanonical(const SparseView& a);

/// The same matrix with columns and rows exchanged in their part: csr from csc, csc from csr. Indices ascend
/// (equal ones keep their order).
SparseStructure otherFormat(const SparseView& a);

/// Indices ascend in each row (column); equal ones keep their order.
SparseStructure sortedIndices(const SparseView& a);

/// Only the stored elements k with keep[k].
SparseStructure keepStored(const SparseView& a, const std::vector<bool>& keep);

/// A range start, start + step, ... of `count` rows or columns, all of which exist.
struct IndexRange {
  int64_t start = 0, step = 1, count = 0;
};

/// These rows (columns) and of them these columns (rows), as a matrix of their own.
SparseStructure takeRanges(const SparseView& a, IndexRange major, IndexRange minor);

/// The rows (columns) that are listed, in that order; all of them exist. Fails (false) where the result would
/// have more stored elements than int32 counts.
bool takeMajor(const SparseView& a, const std::vector<int64_t>& which, SparseStructure& taken);

/// to[k] = from[source[k]], elements of `size` bytes.
void gatherElements(const std::byte* from, const std::vector<int32_t>& source, int64_t size, std::byte* to);

} // namespace nodewise
