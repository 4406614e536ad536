// The `idx_list` of the indexing ops: which axes are indexed by what.
#pragma once

#include "base/result.h"
#include "codegen/abi.h"
#include "ops/op.h"

#include <vector>

namespace nodewise {

/// One entry: an index, or a slice. The numbers are positions in the node's inputs; -1 stands for null.
struct IndexEntry {
  bool isSlice = false;
  int32_t index = -1;
  int32_t start = -1, stop = -1, step = -1;
};

using IndexList = std::vector<IndexEntry>;

/// Reads params.idx_list. Positions are at least `firstIndex` (x, and y where there is one, come first).
/// Parts of slices are checked to be integer scalars.
Result<IndexList> readIndexList(const NodeView& node, size_t firstIndex);

/// Bits of Lowered::shapeFromValues for the parts of slices.
uint64_t sliceBits(const IndexList& list);

/// Where a slice starts, how far apart its elements are, and how many they are.
struct ResolvedSlice {
  int64_t start, step, length;
};

/// Python's rule for a slice of an axis of `length` elements; false (after context.fail) for step 0.
bool resolveSlice(const IndexEntry& entry, Array* const* in, int64_t length, ResolvedSlice& slice,
                  Context& context);

/// x[list] where every entry is a slice or a single integer: sets view's shape, strides and data. IndexError
/// for an index that is out of bounds.
int32_t viewIndexed(const IndexList& list, Array* const* in, const Array& x, Array& view, Context& context);

} // namespace nodewise
