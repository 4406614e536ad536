// PermuteRowElements and Choose.
#include "ops/selecting.h"

#include "numeric/gather.h"
#include "numeric/index_walk.h"
#include "numeric/scratch.h"
#include "numeric/strided.h"
#include "ops/array_access.h"
#include "ops/broadcast.h"
#include "ops/contiguous_input.h"
#include "ops/out_of_range.h"
#include "ops/params.h"
#include "ops/view_lowering.h"

#include <fmt/format.h>

#include <array>

namespace nodewise {

namespace {

uint32_t staticOnes(const Type& type) {
  uint32_t bits = 0;
  for (int axis = 0; axis < type.rank(); ++axis)
    if (type.broadcasts(axis)) bits |= 1u << axis;
  return bits;
}

/// Leading axes of x and y broadcast where their length 1 is static; the last ones are equally long.
struct Permutation {
  uint32_t xOnes, yOnes;
  bool inverse;
};

int32_t permuteShape(const Permutation& p, Array* const* in, Array* const* out, Context& context) {
  const Array &x = *in[0], &y = *in[1];
  for (int32_t axis = 0; axis < x.rank; ++axis) {
    const int64_t n = x.shape[axis], m = y.shape[axis];
    const bool leads = axis < x.rank - 1;
    const bool xRepeats = leads && n == 1 && (p.xOnes >> axis & 1u) != 0;
    const bool yRepeats = leads && m == 1 && (p.yOnes >> axis & 1u) != 0;
    if (n != m && !xRepeats && !yRepeats)
      return context.fail("ValueError", fmt::format("x of shape {} and y of shape {} differ in axis {}",
                                                    shapeText(x), shapeText(y), axis));
    out[0]->shape[axis] = n == 1 ? m : n;
  }
  return 0;
}

int32_t runPermute(const Permutation& p, Array* const* in, Array* const* out, Context& context) {
  const Array &x = *in[0], &y = *in[1], &result = *out[0];
  const int rank = result.rank;
  const int64_t n = result.shape[rank - 1], size = dtypeSize(result.dtype);
  std::array<int64_t, kMaxRank> xStrides, yStrides;
  broadcastStrides(x, result.shape, rank, xStrides.data());
  broadcastStrides(y, result.shape, rank, yStrides.data());
  const int64_t xStep = x.strides[rank - 1], resultStep = result.strides[rank - 1];
  Scratch scratch;
  auto* offsets = scratch.take<int64_t>(n);
  int32_t code = 0;
  forEachIndex<3>(result.shape, rank - 1, {xStrides.data(), yStrides.data(), result.strides},
                  [&](const std::array<int64_t, 3>& at) {
                    if (code != 0) return;
                    const int64_t stride = p.inverse ? resultStep : xStep;
                    const AxisIndices row{y.data + at[1], y.dtype, y.strides[rank - 1], n, stride};
                    if (indexOffsets(row, n, false, offsets) < n)
                      code = context.fail(
                          "IndexError", fmt::format("y has an index that is out of bounds for length {}", n));
                    else if (p.inverse)
                      scatterBytes(size)(result.data + at[2], offsets, x.data + at[0], xStep, n);
                    else
                      gatherBytes(size)(result.data + at[2], resultStep, x.data + at[0], offsets, n);
                  });
  return code;
}

/// Arrays of equal dtype and shape, one after the other in memory (or in strides).
struct Choices {
  const std::byte* data;
  int64_t count, stride;
  std::array<int64_t, kMaxRank> strides; ///< over the axes of the result
};

int32_t widen(Array& result, const int64_t* shape, int rank, Context& context) {
  for (int axis = 0; axis < rank; ++axis) {
    int64_t& length = result.shape[axis + result.rank - rank];
    if (length == 1)
      length = shape[axis];
    else if (shape[axis] != 1 && shape[axis] != length)
      return context.fail("ValueError", fmt::format("a choice of shape {} cannot be broadcast to shape {}",
                                                    shapeText(shape, rank), shapeText(result)));
  }
  return 0;
}

/// The arrays of a list; null for something else.
const std::vector<Data>* itemsOf(const Array& list) {
  const ListData* data = list.object ? std::get_if<ListData>(&list.object->v) : nullptr;
  return data ? &data->items : nullptr;
}

int32_t chooseShape(Array* const* in, Array* const* out, Context& context) {
  Array& result = *out[0];
  std::fill_n(result.shape, result.rank, 1);
  if (const int32_t code = widen(result, in[0]->shape, in[0]->rank, context)) return code;
  if (in[1]->kind == Kind::Tensor) return widen(result, in[1]->shape + 1, in[1]->rank - 1, context);
  const std::vector<Data>* items = itemsOf(*in[1]);
  for (const Data& item : items ? *items : std::vector<Data>()) {
    const Tensor* tensor = item.tensor();
    if (!tensor || tensor->shape.size() > static_cast<size_t>(result.rank))
      return context.fail("ValueError",
                          "the list of choices has an item that is no tensor of the result's rank");
    if (const int32_t code =
            widen(result, tensor->shape.data(), static_cast<int>(tensor->shape.size()), context))
      return code;
  }
  return 0;
}

Choices choicesOfTensor(const Array& tensor, const Array& result) {
  Array first = tensor;
  first.shape = tensor.shape + 1;
  first.strides = tensor.strides + 1;
  first.rank = tensor.rank - 1;
  Choices choices{tensor.data, tensor.shape[0], tensor.strides[0], {}};
  broadcastStrides(first, result.shape, result.rank, choices.strides.data());
  return choices;
}

/// Each item is copied, broadcast to the result's shape.
Choices choicesOfList(const Array& list, const Array& result, Scratch& scratch) {
  const std::vector<Data>* items = itemsOf(list);
  const int64_t count = items ? static_cast<int64_t>(items->size()) : 0;
  const int64_t bytes = result.size() * dtypeSize(result.dtype);
  auto* data = scratch.take<std::byte>(count * bytes);
  Choices choices{data, count, bytes, {}};
  std::copy_n(result.strides, result.rank, choices.strides.data());
  for (int64_t k = 0; k < count; ++k) {
    Tensor item = *(*items)[static_cast<size_t>(k)].tensor();
    std::array<int64_t, kMaxRank> own, strides;
    Array array;
    array.data = item.bytes.data();
    array.shape = item.shape.data();
    array.strides = own.data();
    array.rank = static_cast<int32_t>(item.shape.size());
    contiguousStrides(array.shape, array.rank, dtypeSize(item.dtype), own.data());
    broadcastStrides(array, result.shape, result.rank, strides.data());
    assign({data + k * bytes, result.strides, result.dtype}, {array.data, strides.data(), item.dtype},
           result.shape, result.rank);
  }
  return choices;
}

int32_t runChoose(Array* const* in, Array* const* out, OutOfRange mode, Context& context) {
  const Array& result = *out[0];
  Scratch scratch;
  const Choices choices =
      in[1]->kind == Kind::Tensor ? choicesOfTensor(*in[1], result) : choicesOfList(*in[1], result, scratch);
  auto* which = scratch.take<int64_t>(result.size());
  std::array<int64_t, kMaxRank> strides, packed;
  broadcastStrides(*in[0], result.shape, result.rank, strides.data());
  contiguousStrides(result.shape, result.rank, sizeof(int64_t), packed.data());
  assign({reinterpret_cast<std::byte*>(which), packed.data(), DType::Int64},
         {in[0]->data, strides.data(), in[0]->dtype}, result.shape, result.rank);
  for (int64_t i = 0; i < result.size(); ++i)
    if (!bringIntoRange(which[i], choices.count, mode))
      return context.fail("ValueError",
                          fmt::format("{} chooses none of {} choices", which[i], choices.count));
  const int64_t size = dtypeSize(result.dtype);
  std::byte* to = result.data;
  forEachIndex<1>(result.shape, result.rank, {choices.strides.data()}, [&](const std::array<int64_t, 1>& at) {
    std::memcpy(to, choices.data + *which++ * choices.stride + at[0], static_cast<size_t>(size));
    to += size;
  });
  return 0;
}

} // namespace

Result<Lowered> lowerPermuteRowElements(const NodeView& node) {
  NW_CHECK(checkArity(node, 2, 2, 1, 1));
  NW_CHECK(checkTensor(node, 0));
  const int rank = node.in(0).rank();
  if (rank < 1) return node.error("input 0 has to have rank 1 or more");
  NW_CHECK(checkTensor(node, 1, rank));
  if (!isIntegral(node.in(1).dtype) || node.in(1).dtype == DType::Bool)
    return node.error(fmt::format("input 1 has to hold integers, but is {}", shortText(node.in(1))));
  NW_CHECK(checkOutTensor(node, 0, rank));
  NW_CHECK(checkSameDtype(node));
  NW_TRY(const bool inverse, boolParam(node, "inverse", false));
  const Permutation p{staticOnes(node.in(0)), staticOnes(node.in(1)), inverse};
  return Lowered::prebuilt(
      [p](Array* const* in, Array* const* out, Context& context) {
        return permuteShape(p, in, out, context);
      },
      [p](Array* const* in, Array* const* out, Context& context) { return runPermute(p, in, out, context); });
}

Result<Lowered> lowerChoose(const NodeView& node) {
  NW_CHECK(checkArity(node, 2, 2, 1, 1));
  NW_CHECK(checkTensor(node, 0));
  if (!isIntegral(node.in(0).dtype))
    return node.error(fmt::format("input 0 has to hold integers, but is {}", shortText(node.in(0))));
  NW_CHECK(checkOutTensor(node, 0));
  NW_TRY(const OutOfRange mode, outOfRangeParam(node));
  const bool isList = node.in(1).kind == Kind::List;
  if (!isList) {
    NW_CHECK(checkTensor(node, 1));
    if (node.in(1).rank() < 1) return node.error("input 1 has to have rank 1 or more");
    NW_CHECK(checkOutTensor(node, 0, std::max(node.in(0).rank(), node.in(1).rank() - 1)));
    if (node.in(1).dtype != node.out(0).dtype)
      return node.error(fmt::format("output 0 has to be {} like input 1, but is {}",
                                    dtypeName(node.in(1).dtype), dtypeName(node.out(0).dtype)));
  } else if (node.out(0).rank() < node.in(0).rank()) {
    return node.error(fmt::format("output 0 has to have rank {} or more", node.in(0).rank()));
  }
  return Lowered::prebuilt(
      chooseShape,
      [mode](Array* const* in, Array* const* out, Context& context) {
        return runChoose(in, out, mode, context);
      },
      isList ? valueBit(1) : 0);
}

} // namespace nodewise
