// Indexing by tensors, NumPy's rule: what such a list of indices reads, and where the elements are.
#pragma once

#include "numeric/gather.h"
#include "numeric/scratch.h"
#include "numeric/strided.h"
#include "ops/index_list.h"

#include <array>

namespace nodewise {

/// What is known of a node's indices before it runs. The axes that are read are, in this order: slices
/// *before* the index tensors, the axes B of the index tensors broadcast together, slices *after* them. Where
/// a slice stands between two index tensors, B comes first and all slices are after it.
struct AdvancedIndices {
  IndexList list;
  int before = 0, broadcast = 0, after = 0; ///< ranks of the three
  int vectors = 0;                          ///< number of index tensors
  uint64_t valueBits = 0; ///< inputs whose values decide what is read: parts of slices, masks

  int rank() const { return before + broadcast + after; }
};

/// Reads and checks params.idx_list and the index inputs; x is input 0, of `xRank` axes.
Result<AdvancedIndices> readAdvancedIndices(const NodeView& node, size_t firstIndex);
/// The indices of a node whose input k is a vector of integers that indexes axis 0.
Result<AdvancedIndices> rowIndices(const NodeView& node, size_t k);

/// A number of axes with the strides of one array.
struct AxisGroup {
  int rank = 0;
  int64_t shape[kMaxRank];
  int64_t strides[kMaxRank];
};

/// One index tensor, broadcast to B. (No member has a default: see AxisIndices.)
struct PlacedIndices {
  AxisIndices axis;   ///< its `step` is not used; of a mask only data: the offsets of its true elements
  int32_t axisNumber; ///< of x, for messages
  bool isMask;
  int64_t strides[kMaxRank]; ///< over B, bytes
};

/// What a list of indices means for the arrays of one call.
struct Selection {
  std::byte* origin = nullptr;        ///< of x, moved by the starts of slices
  AxisGroup before, broadcast, after; ///< strides of `broadcast` are not set
  int vectors = 0;
  PlacedIndices placed[kMaxRank];
  Scratch scratch; ///< offsets of masks

  Selection() {}
  int64_t places() const; ///< elements of B
  /// Lengths of the axes that are read.
  void readShape(int64_t* shape) const;
};

/// Resolves slices, broadcasts the index tensors and (unless `shapeOnly`) finds the true elements of masks.
int32_t resolveSelection(const AdvancedIndices& indices, Array* const* in, const Array& x, bool shapeOnly,
                         Selection& selection, Context& context);

/// Removes axes of length 1 and joins neighbours that all operands walk as one; returns the new rank.
/// `strides[k]` are operand k's.
int mergeAxes(int rank, int64_t* shape, int64_t* const* strides, int operands);

} // namespace nodewise
