// Reshape, JoinDims, SplitDims: the same elements in C order under other lengths.
#include "numeric/strided.h"
#include "ops/array_access.h"
#include "ops/params.h"
#include "ops/reshape_strides.h"
#include "ops/shape_lowering.h"
#include "ops/view_lowering.h"

#include <fmt/format.h>

namespace nodewise {

namespace {

/// Writes the lengths that `vector` asks for into `lengths` (room for `count`), -1 replaced by what is left
/// of `elements`.
int32_t readLengths(const Array& vector, int count, int64_t elements, const Array& x, int64_t* lengths,
                    Context& context) {
  const auto refuse = [&] {
    std::string wanted;
    for (int64_t k = 0; k < vector.shape[0]; ++k)
      wanted += fmt::format("{}{}", k == 0 ? "" : ", ", intAt(vector, k));
    return context.fail("ValueError",
                        fmt::format("{} elements, of an array of shape {}, cannot have the lengths ({})",
                                    elements, shapeText(x), wanted));
  };
  if (vector.shape[0] != count) return refuse();
  int open = -1;
  int64_t product = 1;
  for (int k = 0; k < count; ++k) {
    lengths[k] = intAt(vector, k);
    if (lengths[k] == -1 && open < 0)
      open = k;
    else if (lengths[k] < 0 || __builtin_mul_overflow(product, lengths[k], &product))
      return refuse();
  }
  if (open >= 0) {
    if (product == 0 || elements % product != 0) return refuse();
    lengths[open] = elements / product;
    return 0;
  }
  return product == elements ? 0 : refuse();
}

/// A node whose output has input 0's elements in C order: `lengths` sets out[0]'s shape from the inputs.
template <class Lengths> Lowered lowerReordering(const NodeView& node, Lengths lengths, uint64_t fromValues) {
  Lowered lowered = Lowered::prebuilt(
      lengths,
      [](Array* const* in, Array* const* out, Context&) {
        copyInOrder(*in[0], *out[0]);
        return 0;
      },
      fromValues);
  if (!mayView(node)) return lowered;
  lowered.mayAlias = true;
  lowered.shape = [lengths](Array* const* in, Array* const* out, Context& context) {
    if (const int32_t code = lengths(in, out, context)) return code;
    out[0]->data = reshapeStrides(*in[0], *out[0]) ? in[0]->data : nullptr;
    return 0;
  };
  return lowered;
}

} // namespace

Result<Lowered> lowerReshape(const NodeView& node) {
  NW_CHECK(checkArity(node, 2, 2, 1, 1));
  NW_CHECK(checkTensor(node, 0));
  NW_CHECK(checkIndexVector(node, 1));
  NW_TRY(const int64_t rank, intParam(node, "ndim"));
  if (rank < 0 || rank > kMaxRank)
    return node.paramError("ndim", fmt::format("expected 0 to {}, found {}", kMaxRank, rank));
  NW_CHECK(checkOutTensor(node, 0, static_cast<int>(rank)));
  NW_CHECK(checkSameDtype(node));
  return lowerReordering(
      node,
      [](Array* const* in, Array* const* out, Context& context) {
        return readLengths(*in[1], out[0]->rank, in[0]->size(), *in[0], out[0]->shape, context);
      },
      valueBit(1));
}

Result<Lowered> lowerJoinDims(const NodeView& node) {
  NW_CHECK(checkArity(node, 1, 1, 1, 1));
  NW_CHECK(checkTensor(node, 0));
  const int rank = node.in(0).rank();
  NW_TRY(const int64_t start, intParam(node, "start_axis"));
  NW_TRY(const int64_t count, intParam(node, "n_axes"));
  if (start < 0 || start > rank)
    return node.paramError("start_axis", fmt::format("expected 0 to {}, found {}", rank, start));
  if (count < 0 || count > rank - start)
    return node.paramError("n_axes", fmt::format("expected 0 to {}, found {}", rank - start, count));
  NW_CHECK(checkOutTensor(node, 0, rank - static_cast<int>(count) + 1));
  NW_CHECK(checkSameDtype(node));
  return lowerReordering(
      node,
      [start, count](Array* const* in, Array* const* out, Context&) {
        int64_t joined = 1;
        for (int64_t axis = start; axis < start + count; ++axis) joined *= in[0]->shape[axis];
        std::copy_n(in[0]->shape, start, out[0]->shape);
        out[0]->shape[start] = joined;
        std::copy(in[0]->shape + start + count, in[0]->shape + in[0]->rank, out[0]->shape + start + 1);
        return 0;
      },
      0);
}

Result<Lowered> lowerSplitDims(const NodeView& node) {
  NW_CHECK(checkArity(node, 2, 2, 1, 1));
  NW_CHECK(checkTensor(node, 0));
  NW_CHECK(checkIndexVector(node, 1));
  NW_CHECK(checkOutTensor(node, 0));
  NW_CHECK(checkSameDtype(node));
  const int rank = node.in(0).rank(), parts = node.out(0).rank() - rank + 1;
  NW_TRY(const int64_t axis, intParam(node, "axis"));
  if (axis < 0 || axis >= rank)
    return node.paramError("axis", fmt::format("expected an axis of x, which has {}, found {}", rank, axis));
  if (parts < 0) return node.error(fmt::format("output 0 has to have rank {} or more", rank - 1));
  return lowerView(
      node,
      [axis, parts](Array* const* in, Array* const* out, Context& context) {
        const Array& x = *in[0];
        Array& y = *out[0];
        if (const int32_t code = readLengths(*in[1], parts, x.shape[axis], x, y.shape + axis, context))
          return code;
        std::copy_n(x.shape, axis, y.shape);
        std::copy_n(x.strides, axis, y.strides);
        contiguousStrides(y.shape + axis, parts, x.strides[axis], y.strides + axis);
        std::copy(x.shape + axis + 1, x.shape + x.rank, y.shape + axis + parts);
        std::copy(x.strides + axis + 1, x.strides + x.rank, y.strides + axis + parts);
        y.data = x.data;
        return 0;
      },
      valueBit(1));
}

} // namespace nodewise
