#include "ops/selection_walk.h"

#include "numeric/element.h"
#include "numeric/index_walk.h"
#include "numeric/strided_planes.h"
#include "ops/in_place.h"

#include <fmt/format.h>

#include <algorithm>

namespace nodewise {

namespace {

/// Places are taken in runs of at most so many, whose offsets stay in the first-level cache.
constexpr int64_t kRun = 1024;

/// Where y's elements are beside those of the selection; all null for reading.
struct Beside {
  const int64_t* before = nullptr;
  const int64_t* broadcast = nullptr;
  const int64_t* after = nullptr;
};

/// B with its axes merged: a few long axes in place of many short ones.
struct PlaceNest {
  int rank = 0;
  int64_t shape[kMaxRank];
  int64_t strides[kMaxRank + 1][kMaxRank]; ///< of each index tensor, then of what lies beside
};

void mergePlaces(const Selection& selection, const int64_t* beside, PlaceNest& nest) {
  const int rank = selection.broadcast.rank;
  int64_t* operands[kMaxRank + 1];
  std::copy_n(selection.broadcast.shape, rank, nest.shape);
  for (int k = 0; k < selection.vectors; ++k) {
    std::copy_n(selection.placed[k].strides, rank, nest.strides[k]);
    operands[k] = nest.strides[k];
  }
  int64_t* last = nest.strides[selection.vectors];
  if (beside)
    std::copy_n(beside, rank, last);
  else
    std::fill_n(last, rank, 0);
  operands[selection.vectors] = last;
  nest.rank = mergeAxes(rank, nest.shape, operands, selection.vectors + (beside ? 1 : 0));
}

/// One run of places: offsets in the array, and the offset and step of what lies beside.
struct Run {
  const int64_t* offsets;
  int64_t first, count; ///< positions in B, in C order
  int64_t beside, besideStep;
};

int32_t failPlace(const PlacedIndices& placed, const AxisIndices& indices, int64_t position,
                  Context& context) {
  Array element;
  element.dtype = indices.dtype;
  // Only read, for the message.
  element.data = const_cast<std::byte*>(indices.data) + position * indices.step;
  const std::string value = indices.dtype == DType::UInt64 ? fmt::format("{}", *element.as<uint64_t>())
                                                           : fmt::format("{}", element.toInt());
  return context.fail("IndexError", fmt::format("index {} is out of bounds for axis {} of length {}", value,
                                                placed.axisNumber, indices.length));
}

/// Offsets of `count` places from `index` (in elements of B's outer axes) and `column` on.
int32_t fillOffsets(const Selection& selection, const PlaceNest& nest, const int64_t* outer, int64_t column,
                    int64_t count, int64_t* offsets, Context& context) {
  if (selection.vectors == 0) std::fill_n(offsets, count, 0);
  for (int k = 0; k < selection.vectors; ++k) {
    const PlacedIndices& placed = selection.placed[k];
    AxisIndices indices = placed.axis;
    indices.step = nest.rank > 0 ? nest.strides[k][nest.rank - 1] : 0;
    indices.data += outer[k] + column * indices.step;
    if (!placed.isMask) {
      const int64_t bad = indexOffsets(indices, count, k > 0, offsets);
      if (bad < count) return failPlace(placed, indices, bad, context);
      continue;
    }
    for (int64_t i = 0; i < count; ++i)
      offsets[i] = (k > 0 ? offsets[i] : 0) + load<int64_t>(indices.data + i * indices.step);
  }
  return 0;
}

/// Calls use(run) for all places, in C order; stops at a failure.
template <class Use>
int32_t forEachRun(const Selection& selection, const PlaceNest& nest, Context& context, Use use) {
  for (int axis = 0; axis < nest.rank; ++axis)
    if (nest.shape[axis] == 0) return 0;
  const int64_t columns = nest.rank > 0 ? nest.shape[nest.rank - 1] : 1;
  int64_t index[kMaxRank] = {}, outer[kMaxRank + 1];
  std::fill_n(outer, selection.vectors + 1, 0);
  int64_t offsets[kRun];
  Run run{offsets, 0, 0, 0, nest.rank > 0 ? nest.strides[selection.vectors][nest.rank - 1] : 0};
  for (;;) {
    for (int64_t column = 0; column < columns; column += kRun) {
      run.count = std::min(kRun, columns - column);
      run.beside = outer[selection.vectors] + column * run.besideStep;
      if (const int32_t code = fillOffsets(selection, nest, outer, column, run.count, offsets, context))
        return code;
      use(run);
      run.first += run.count;
    }
    int axis = nest.rank - 2;
    for (; axis >= 0; --axis) {
      for (int k = 0; k <= selection.vectors; ++k) outer[k] += nest.strides[k][axis];
      if (++index[axis] < nest.shape[axis]) break;
      for (int k = 0; k <= selection.vectors; ++k) outer[k] -= nest.shape[axis] * nest.strides[k][axis];
      index[axis] = 0;
    }
    if (axis < 0) return 0;
  }
}

int64_t elements(const AxisGroup& group) {
  int64_t count = 1;
  for (int axis = 0; axis < group.rank; ++axis) count *= group.shape[axis];
  return count;
}

/// Calls use(offset in the array, offset beside) for each index of a group.
template <class Use> void forEachOffset(const AxisGroup& group, const int64_t* beside, Use use) {
  forEachIndex<2>(group.shape, group.rank, {group.strides, beside},
                  [&](const std::array<int64_t, 2>& offsets) { use(offsets[0], offsets[1]); });
}

/// What lies at each place: the axes after B, merged.
struct Block {
  AxisGroup group;
  int64_t beside[kMaxRank];
  int64_t count;

  template <class Use> void forEachElement(Use use) const { forEachOffset(group, beside, use); }
};

Block makeBlock(const Selection& selection, const int64_t* beside) {
  Block block;
  block.group.rank = selection.after.rank;
  std::copy_n(selection.after.shape, block.group.rank, block.group.shape);
  std::copy_n(selection.after.strides, block.group.rank, block.group.strides);
  std::copy_n(beside, block.group.rank, block.beside);
  int64_t* operands[] = {block.group.strides, block.beside};
  block.count = elements(block.group);
  block.group.rank = mergeAxes(block.group.rank, block.group.shape, operands, 2);
  return block;
}

/// A block this small is walked element by element, each for a whole run; a greater one place by place.
constexpr int64_t kSmallBlock = 4;

/// Moves the blocks of one run: `plane` has the strides of a block of one axis.
struct BlockMover {
  Block block;
  ScatterFn scatter;
  PlaneFn plane;
  void (*general)(const StridedOut&, const StridedIn&, const int64_t*, int);
  DType dtype;

  void write(std::byte* target, const std::byte* y, const Run& run) const {
    if (block.count <= kSmallBlock) {
      block.forEachElement([&](int64_t offset, int64_t beside) {
        scatter(target + offset, run.offsets, y + beside, run.besideStep, run.count);
      });
    } else if (block.group.rank == 1) {
      const Plane line{1, block.group.shape[0], 0, block.group.strides[0], 0, block.beside[0]};
      for (int64_t i = 0; i < run.count; ++i) plane(target + run.offsets[i], y + i * run.besideStep, line);
    } else {
      for (int64_t i = 0; i < run.count; ++i)
        general({target + run.offsets[i], block.group.strides, dtype},
                {y + i * run.besideStep, block.beside, dtype}, block.group.shape, block.group.rank);
    }
  }
};

/// Reads the blocks of one run into contiguous memory.
struct BlockReader {
  Block block;
  int64_t size; ///< bytes of an element
  DType dtype;

  void read(std::byte* out, const std::byte* source, const Run& run) const {
    const int64_t bytes = block.count * size;
    const bool whole = block.group.rank == 0 || (block.group.rank == 1 && block.group.strides[0] == size);
    const GatherFn gather = whole ? gatherBytes(bytes) : nullptr;
    if (gather) return gather(out, bytes, source, run.offsets, run.count);
    if (whole) {
      for (int64_t i = 0; i < run.count; ++i)
        std::memcpy(out + i * bytes, source + run.offsets[i], static_cast<size_t>(bytes));
    } else if (block.count <= kSmallBlock) {
      block.forEachElement([&](int64_t offset, int64_t beside) {
        gatherBytes(size)(out + beside, bytes, source + offset, run.offsets, run.count);
      });
    } else {
      for (int64_t i = 0; i < run.count; ++i)
        assign({out + i * bytes, block.beside, dtype}, {source + run.offsets[i], block.group.strides, dtype},
               block.group.shape, block.group.rank);
    }
  }
};

bool isEmpty(const AxisGroup& group) { return elements(group) == 0; }

} // namespace

int32_t checkPlaces(const Selection& selection, Context& context) {
  PlaceNest nest;
  mergePlaces(selection, nullptr, nest);
  return forEachRun(selection, nest, context, [](const Run&) {});
}

int32_t readSelected(const Selection& selection, std::byte* out, DType dtype, Context& context) {
  if (isEmpty(selection.before) || isEmpty(selection.after)) return checkPlaces(selection, context);
  const int64_t size = dtypeSize(dtype);
  int64_t packed[kMaxRank], outer[kMaxRank];
  contiguousStrides(selection.after.shape, selection.after.rank, size, packed);
  const BlockReader reader{makeBlock(selection, packed), size, dtype};
  const int64_t bytes = reader.block.count * size;
  contiguousStrides(selection.before.shape, selection.before.rank, selection.places() * bytes, outer);
  PlaceNest nest;
  mergePlaces(selection, nullptr, nest);
  return forEachRun(selection, nest, context, [&](const Run& run) {
    forEachOffset(selection.before, outer, [&](int64_t offset, int64_t beside) {
      reader.read(out + beside + run.first * bytes, selection.origin + offset, run);
    });
  });
}

int32_t writeSelected(const Selection& selection, const Array& x, const Array& target, const std::byte* y,
                      const int64_t* yStrides, WriteMode mode, Context& context) {
  const int64_t* yBroadcast = yStrides + selection.before.rank;
  const int64_t* yAfter = yBroadcast + selection.broadcast.rank;
  PlaceNest nest;
  mergePlaces(selection, yBroadcast, nest);
  // The places of a single run are checked before they are used.
  bool started = false;
  const bool singleRun = nest.rank == 0 || (nest.rank == 1 && nest.shape[0] <= kRun);
  const auto start = [&] {
    if (!started) startFrom(x, target);
    started = true;
  };
  if (!singleRun) {
    if (const int32_t code = forEachRun(selection, nest, context, [](const Run&) {})) return code;
    start();
  }
  const bool isNothing = isEmpty(selection.before) || isEmpty(selection.after);
  const bool adds = mode == WriteMode::Add;
  const DType dtype = target.dtype;
  const BlockMover mover{makeBlock(selection, yAfter),
                         adds ? scatterAdd(dtype) : scatterBytes(dtypeSize(dtype)),
                         adds ? addPlane(dtype) : copyPlane(dtype), adds ? accumulate : assign, dtype};
  const int32_t code = forEachRun(selection, nest, context, [&](const Run& run) {
    start();
    if (isNothing) return;
    forEachOffset(selection.before, yStrides, [&](int64_t offset, int64_t beside) {
      mover.write(selection.origin + offset, y + beside + run.beside, run);
    });
  });
  if (code == 0) start();
  return code;
}

} // namespace nodewise
