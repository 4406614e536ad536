#include "ops/advanced_index.h"

#include "ops/array_access.h"
#include "ops/params.h"

#include <fmt/format.h>

#include <algorithm>

namespace nodewise {

namespace {

bool isMask(const Type& type) { return type.dtype == DType::Bool; }

/// Axes of x that an entry stands for.
int coveredAxes(const NodeView& node, const IndexEntry& entry) {
  if (entry.isSlice) return 1;
  const Type& type = node.in(static_cast<size_t>(entry.index));
  return isMask(type) ? type.rank() : 1;
}

Result<void> checkIndexTensor(const NodeView& node, size_t k) {
  const Type& type = node.in(k);
  if (type.kind != Kind::Scalar) NW_CHECK(checkTensor(node, k));
  if (isIntegral(type.dtype)) return {};
  return node.error(fmt::format("input {} has to hold integers or bool, but is {}", k, shortText(type)));
}

/// Counts axes and index tensors, once the entries are known to be right.
AdvancedIndices layOut(const NodeView& node, IndexList list) {
  AdvancedIndices indices;
  indices.valueBits = sliceBits(list);
  int axis = 0, sliceRuns = 0, slicesBefore = 0, slices = 0;
  bool inSlices = false;
  for (const IndexEntry& entry : list) {
    axis += coveredAxes(node, entry);
    if (entry.isSlice) {
      ++slices;
      if (indices.vectors == 0)
        ++slicesBefore;
      else
        inSlices = true;
      continue;
    }
    if (inSlices) ++sliceRuns;
    inSlices = false;
    ++indices.vectors;
    const auto k = static_cast<size_t>(entry.index);
    const Type& type = node.in(k);
    indices.broadcast = std::max(indices.broadcast, isMask(type) ? 1 : type.rank());
    if (isMask(type)) indices.valueBits |= valueBit(k);
  }
  const bool broadcastFirst = sliceRuns > 0 || indices.vectors == 0;
  const int whole = node.in(0).rank() - axis;
  indices.before = broadcastFirst ? 0 : slicesBefore;
  indices.after = slices - indices.before + whole;
  indices.list = std::move(list);
  return indices;
}

int32_t failIndex(Context& context, std::string message) {
  return context.fail("IndexError", std::move(message));
}

/// The shape of an index tensor as it takes part in broadcasting.
struct IndexShape {
  const int64_t* lengths;
  int rank;
};

/// Widens B's shape by one index tensor; B's rank is the greatest of all.
int32_t widenBroadcast(AxisGroup& broadcast, const IndexShape& shape, Context& context) {
  for (int axis = 0; axis < shape.rank; ++axis) {
    int64_t& length = broadcast.shape[axis + broadcast.rank - shape.rank];
    if (length == 1)
      length = shape.lengths[axis];
    else if (shape.lengths[axis] != 1 && shape.lengths[axis] != length)
      return failIndex(context,
                       fmt::format("index tensors cannot be broadcast together: one has shape {}, others {}",
                                   shapeText(shape.lengths, shape.rank),
                                   shapeText(broadcast.shape, broadcast.rank)));
  }
  return 0;
}

/// Strides over B of an index tensor with these strides of its own.
void spreadStrides(PlacedIndices& placed, const IndexShape& shape, const int64_t* strides, int rank) {
  std::fill_n(placed.strides, rank, 0);
  for (int axis = 0; axis < shape.rank; ++axis)
    if (shape.lengths[axis] != 1) placed.strides[axis + rank - shape.rank] = strides[axis];
}

int32_t checkMask(const Array& mask, const Array& x, int32_t axis, Context& context) {
  for (int32_t k = 0; k < mask.rank; ++k) {
    if (mask.shape[k] == x.shape[axis + k]) continue;
    return failIndex(
        context, fmt::format("a bool index of shape {} does not match axes {} to {} of an array of shape {}",
                             shapeText(mask), axis, axis + mask.rank - 1, shapeText(x)));
  }
  return 0;
}

void addAxis(AxisGroup& group, int64_t length, int64_t stride) {
  group.shape[group.rank] = length;
  group.strides[group.rank++] = stride;
}

/// What an index tensor contributes to B.
struct Contribution {
  IndexShape shape;
  int64_t maskCount; ///< where `shape` points for a mask, which stands for vectors of this length
};

constexpr int64_t kOffsetStride = sizeof(int64_t);

} // namespace

int64_t Selection::places() const {
  int64_t count = 1;
  for (int axis = 0; axis < broadcast.rank; ++axis) count *= broadcast.shape[axis];
  return count;
}

void Selection::readShape(int64_t* shape) const {
  for (const AxisGroup* group : {&before, &broadcast, &after})
    shape = std::copy_n(group->shape, group->rank, shape);
}

Result<AdvancedIndices> readAdvancedIndices(const NodeView& node, size_t firstIndex) {
  NW_TRY(IndexList list, readIndexList(node, firstIndex));
  int covered = 0;
  if (list.size() > static_cast<size_t>(kMaxRank))
    return node.paramError("idx_list", fmt::format("expected at most {} entries", kMaxRank));
  for (const IndexEntry& entry : list) {
    if (!entry.isSlice) NW_CHECK(checkIndexTensor(node, static_cast<size_t>(entry.index)));
    covered += coveredAxes(node, entry);
  }
  if (covered > node.in(0).rank())
    return node.paramError("idx_list", fmt::format("expected indices for at most the {} axes of x, found {}",
                                                   node.in(0).rank(), covered));
  return layOut(node, std::move(list));
}

Result<AdvancedIndices> rowIndices(const NodeView& node, size_t k) {
  NW_CHECK(checkIndexVector(node, k));
  if (isMask(node.in(k)))
    return node.error(fmt::format("input {} has to be a vector of integers, but is bool", k));
  if (node.in(0).rank() < 1) return node.error("input 0 has to have rank 1 or more");
  IndexEntry entry;
  entry.index = static_cast<int32_t>(k);
  return layOut(node, {entry});
}

int32_t resolveSelection(const AdvancedIndices& indices, Array* const* in, const Array& x, bool shapeOnly,
                         Selection& selection, Context& context) {
  std::array<Contribution, kMaxRank> contributions;
  int64_t start = 0;
  int32_t axis = 0;
  selection.broadcast.rank = indices.broadcast;
  std::fill_n(selection.broadcast.shape, indices.broadcast, 1);
  for (const IndexEntry& entry : indices.list) {
    if (entry.isSlice) {
      ResolvedSlice slice;
      if (!resolveSlice(entry, in, x.shape[axis], slice, context))
        return static_cast<int32_t>(KernelError::Failed);
      start += slice.start * x.strides[axis];
      AxisGroup& group = selection.before.rank < indices.before ? selection.before : selection.after;
      addAxis(group, slice.length, slice.step * x.strides[axis++]);
      continue;
    }
    const Array& index = *in[entry.index];
    const auto number = static_cast<size_t>(selection.vectors++);
    PlacedIndices& placed = selection.placed[number];
    Contribution& contribution = contributions[number];
    placed.axisNumber = axis;
    placed.isMask = index.dtype == DType::Bool;
    if (placed.isMask) {
      if (const int32_t code = checkMask(index, x, axis, context)) return code;
      contribution.maskCount = countTrue(index.data, index.shape, index.strides, index.rank);
      contribution.shape = {&contribution.maskCount, 1};
      if (!shapeOnly) {
        auto* offsets = selection.scratch.take<int64_t>(contribution.maskCount);
        trueOffsets(index.data, index.shape, index.strides, index.rank, x.strides + axis, offsets);
        placed.axis.data = reinterpret_cast<const std::byte*>(offsets);
      }
      axis += index.rank;
    } else {
      contribution.shape = {index.shape, index.rank};
      placed.axis = {index.data, index.dtype, 0, x.shape[axis], x.strides[axis]};
      ++axis;
    }
    if (const int32_t code = widenBroadcast(selection.broadcast, contribution.shape, context)) return code;
  }
  for (; axis < x.rank; ++axis) addAxis(selection.after, x.shape[axis], x.strides[axis]);
  selection.origin = x.data + start;

  int number = 0;
  for (const IndexEntry& entry : indices.list) {
    if (entry.isSlice) continue;
    const Contribution& contribution = contributions[static_cast<size_t>(number)];
    PlacedIndices& placed = selection.placed[number++];
    const int64_t* strides = placed.isMask ? &kOffsetStride : in[entry.index]->strides;
    spreadStrides(placed, contribution.shape, strides, indices.broadcast);
  }
  return 0;
}

int mergeAxes(int rank, int64_t* shape, int64_t* const* strides, int operands) {
  int merged = 0;
  for (int axis = 0; axis < rank; ++axis) {
    if (shape[axis] == 1) continue;
    bool joins = merged > 0;
    for (int k = 0; k < operands && joins; ++k)
      joins = strides[k][merged - 1] == strides[k][axis] * shape[axis];
    const int place = joins ? merged - 1 : merged;
    shape[place] = joins ? shape[place] * shape[axis] : shape[axis];
    for (int k = 0; k < operands; ++k) strides[k][place] = strides[k][axis];
    merged = place + 1;
  }
  return merged;
}

} // namespace nodewise
