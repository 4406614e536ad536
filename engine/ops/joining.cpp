// Ops that put arrays together along an axis, take them apart, and repeat what is on an axis.
#include "numeric/element.h"
#include "numeric/strided.h"
#include "ops/array_access.h"
#include "ops/contiguous_input.h"
#include "ops/families.h"
#include "ops/params.h"
#include "ops/view_lowering.h"

#include <fmt/format.h>

#include <limits>

namespace nodewise {

namespace {

/// The axis that a 0-d integer names (negative: from the end), or -1 after a failure.
int32_t readAxis(const Array& value, int32_t rank, Context& context) {
  int64_t axis = value.toInt();
  return normalizeAxis(axis, rank, context) ? static_cast<int32_t>(axis) : -1;
}

int32_t joinShapes(Array* const* in, Array* const* out, size_t parts, Context& context) {
  const int32_t axis = readAxis(*in[0], out[0]->rank, context);
  if (axis < 0) return 1;
  const Array& first = *in[1];
  int64_t length = 0;
  for (size_t k = 1; k <= parts; ++k) {
    for (int32_t other = 0; other < first.rank; ++other) {
      if (other == axis || in[k]->shape[other] == first.shape[other]) continue;
      return context.fail("ValueError",
                          fmt::format("arrays of shapes {} and {} cannot be joined along axis {}",
                                      shapeText(first), shapeText(*in[k]), axis));
    }
    length += in[k]->shape[axis];
  }
  std::copy_n(first.shape, first.rank, out[0]->shape);
  out[0]->shape[axis] = length;
  return 0;
}

int32_t runJoin(Array* const* in, Array* const* out, size_t parts, Context& context) {
  const int32_t axis = readAxis(*in[0], out[0]->rank, context);
  if (axis < 0) return 1;
  std::byte* place = out[0]->data;
  for (size_t k = 1; k <= parts; ++k) {
    const Array& part = *in[k];
    assign({place, out[0]->strides, out[0]->dtype}, {part.data, part.strides, part.dtype}, part.shape,
           part.rank);
    place += part.shape[axis] * out[0]->strides[axis];
  }
  return 0;
}

Result<Lowered> lowerJoin(const NodeView& node) {
  NW_CHECK(checkArity(node, 2, -1, 1, 1));
  NW_CHECK(checkIndexScalar(node, 0));
  NW_CHECK(checkTensor(node, 1));
  const int rank = node.in(1).rank();
  if (rank < 1) return node.error("tensors to be joined have to have rank 1 or more");
  for (size_t k = 2; k < node.inputs(); ++k) NW_CHECK(checkTensor(node, k, rank));
  NW_CHECK(checkOutTensor(node, 0, rank));
  const size_t parts = node.inputs() - 1;
  return Lowered::prebuilt(
      [parts](Array* const* in, Array* const* out, Context& c) { return joinShapes(in, out, parts, c); },
      [parts](Array* const* in, Array* const* out, Context& c) { return runJoin(in, out, parts, c); },
      valueBit(0));
}

int32_t splitView(Array* const* in, Array* const* out, int64_t parts, Context& context) {
  const Array& x = *in[0];
  const Array& sizes = *in[2];
  const int32_t axis = readAxis(*in[1], x.rank, context);
  if (axis < 0) return 1;
  if (sizes.shape[0] != parts)
    return context.fail("ValueError", fmt::format("{} sizes for {} parts", sizes.shape[0], parts));
  int64_t start = 0;
  for (int64_t k = 0; k < parts; ++k) {
    const int64_t size = intAt(sizes, k);
    if (size < 0)
      return context.fail("ValueError", fmt::format("the size {} of part {} is negative", size, k));
    if (size > x.shape[axis] - start)
      return context.fail("ValueError", fmt::format("the sizes of the parts exceed length {} of axis {}",
                                                    x.shape[axis], axis));
    aliasWhole(x, *out[k]);
    out[k]->shape[axis] = size;
    // An empty part at the end starts at the array's first element: one past its last may be nowhere.
    out[k]->data = x.data + (size > 0 ? start * x.strides[axis] : 0);
    start += size;
  }
  if (start == x.shape[axis]) return 0;
  return context.fail("ValueError", fmt::format("the sizes of the parts sum to {}, but axis {} has length {}",
                                                start, axis, x.shape[axis]));
}

Result<Lowered> lowerSplit(const NodeView& node) {
  NW_TRY(const int64_t parts, intParam(node, "len_splits"));
  if (parts < 1 || parts != static_cast<int64_t>(node.outputs()))
    return node.paramError(
        "len_splits", fmt::format("expected the number of outputs, {}, found {}", node.outputs(), parts));
  NW_CHECK(checkArity(node, 3, 3, 1, -1));
  NW_CHECK(checkTensor(node, 0));
  NW_CHECK(checkIndexScalar(node, 1));
  NW_CHECK(checkIndexVector(node, 2));
  for (size_t k = 0; k < node.outputs(); ++k) {
    NW_CHECK(checkOutTensor(node, k, node.in(0).rank()));
    NW_CHECK(checkSameDtype(node, k));
  }
  return lowerView(
      node, [parts](Array* const* in, Array* const* out, Context& c) { return splitView(in, out, parts, c); },
      valueBit(1) | valueBit(2));
}

int32_t repeatShape(Array* const* in, Array* const* out, int32_t axis, Context& context) {
  const Array& x = *in[0];
  const Array& repeats = *in[1];
  const int64_t length = x.shape[axis], given = repeats.shape[0];
  if (given != 1 && given != length)
    return context.fail("ValueError",
                        fmt::format("{} repeats for axis {} of length {}", given, axis, length));
  int64_t total = 0;
  for (int64_t i = 0; i < given; ++i) {
    const int64_t count = intAt(repeats, i);
    if (count < 0)
      return context.fail("ValueError", fmt::format("the repeat {} at position {} is negative", count, i));
    if (__builtin_add_overflow(total, count, &total)) total = std::numeric_limits<int64_t>::max();
  }
  if (given == 1 && __builtin_mul_overflow(total, length, &total))
    total = std::numeric_limits<int64_t>::max();
  if (total == std::numeric_limits<int64_t>::max())
    return context.fail("MemoryError", "the repeats make an array that is too large");
  std::copy_n(x.shape, x.rank, out[0]->shape);
  out[0]->shape[axis] = total;
  return 0;
}

/// Blocks of what lies within one index of the axis are copied whole; x is contiguous here.
void repeatBlocks(const std::byte* from, std::byte* to, int64_t outer, int64_t length, int64_t block,
                  const Array& repeats) {
  const bool single = repeats.shape[0] == 1;
  const bool element = block == 1 || block == 2 || block == 4 || block == 8 || block == 16;
  for (int64_t o = 0; o < outer; ++o) {
    for (int64_t i = 0; i < length; ++i, from += block) {
      for (int64_t count = intAt(repeats, single ? 0 : i); count > 0; --count, to += block) {
        if (element)
          copyElement(to, from, block);
        else
          std::memcpy(to, from, static_cast<size_t>(block));
      }
    }
  }
}

int32_t runRepeat(Array* const* in, Array* const* out, int32_t axis) {
  if (out[0]->size() == 0) return 0;
  const Array& x = *in[0];
  const ContiguousInput input(x, x.dtype);
  int64_t outer = 1, block = dtypeSize(x.dtype);
  for (int32_t k = 0; k < axis; ++k) outer *= x.shape[k];
  for (int32_t k = axis + 1; k < x.rank; ++k) block *= x.shape[k];
  repeatBlocks(input.data(), out[0]->data, outer, x.shape[axis], block, *in[1]);
  return 0;
}

Result<Lowered> lowerRepeat(const NodeView& node) {
  NW_CHECK(checkArity(node, 2, 2, 1, 1));
  NW_CHECK(checkTensor(node, 0));
  NW_CHECK(checkIndexVector(node, 1));
  const int rank = node.in(0).rank();
  NW_CHECK(checkOutTensor(node, 0, rank));
  NW_CHECK(checkSameDtype(node));
  NW_TRY(const int64_t along, intParam(node, "axis"));
  if (along < 0 || along >= rank)
    return node.paramError("axis", fmt::format("expected an axis of x, which has {}, found {}", rank, along));
  const auto axis = static_cast<int32_t>(along);
  return Lowered::prebuilt(
      [axis](Array* const* in, Array* const* out, Context& c) { return repeatShape(in, out, axis, c); },
      [axis](Array* const* in, Array* const* out, Context&) { return runRepeat(in, out, axis); },
      valueBit(1));
}

constexpr std::string_view kFamily = "joining";

constexpr OpRow kRows[] = {
    {"Join", kFamily, lowerJoin, 1, "0-d axis, tensors", "The tensors one after the other along an axis."},
    {"Split", kFamily, lowerSplit, 1, "x, 0-d axis, sizes", "x cut along an axis into parts of these sizes."},
    {"Repeat", kFamily, lowerRepeat, 1, "x, repeats", "Each element of an axis as often as repeats says."},
};

} // namespace

std::span<const OpRow> joiningOps() { return kRows; }

} // namespace nodewise
