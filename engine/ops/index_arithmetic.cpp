// UnravelIndex and RavelMultiIndex: between positions and indices of an array of given lengths.
#include "ops/array_access.h"
#include "ops/broadcast.h"
#include "ops/contiguous_input.h"
#include "ops/in_place.h"
#include "ops/out_of_range.h"
#include "ops/params.h"
#include "ops/selecting.h"

#include "numeric/scratch.h"
#include "numeric/strided.h"

#include <fmt/format.h>

#include <array>

namespace nodewise {

namespace {

/// Lengths of an array, and how far apart neighbours along each axis are in C or Fortran order.
struct Lengths {
  std::array<int64_t, kMaxRank> length, factor;
  int64_t count = 1; ///< product of the lengths
};

int32_t readLengths(const Array& vector, size_t rank, bool fortran, Lengths& lengths, Context& context) {
  if (vector.shape[0] != static_cast<int64_t>(rank))
    return context.fail("ValueError", fmt::format("{} lengths for {} indices", vector.shape[0], rank));
  for (size_t k = 0; k < rank; ++k) {
    const size_t axis = fortran ? k : rank - 1 - k;
    lengths.length[axis] = intAt(vector, static_cast<int64_t>(axis));
    lengths.factor[axis] = lengths.count;
    if (lengths.length[axis] < 0 ||
        __builtin_mul_overflow(lengths.count, lengths.length[axis], &lengths.count))
      return context.fail("ValueError",
                          fmt::format("length {} of axis {} is negative, or the array is too large",
                                      lengths.length[axis], axis));
  }
  return 0;
}

Result<bool> fortranParam(const NodeView& node) {
  NW_TRY(const std::string order, choiceParam(node, "order", {"C", "F"}, "C"));
  return order == "F";
}

Result<void> checkIntegers(const NodeView& node, size_t k) {
  NW_CHECK(checkTensor(node, k));
  if (isIntegral(node.in(k).dtype)) return {};
  return node.error(fmt::format("input {} has to hold integers, but is {}", k, shortText(node.in(k))));
}

Result<void> checkInt64(const NodeView& node, size_t k, int rank) {
  NW_CHECK(checkOutTensor(node, k, rank));
  if (node.out(k).dtype == DType::Int64) return {};
  return node.error(fmt::format("output {} has to be int64, but is {}", k, shortText(node.out(k))));
}

int32_t runUnravel(Array* const* in, Array* const* out, size_t outputs, bool fortran, Context& context) {
  Lengths lengths;
  if (const int32_t code = readLengths(*in[1], outputs, fortran, lengths, context)) return code;
  const ContiguousInput positions(*in[0], DType::Int64);
  const auto* position = positions.as<int64_t>();
  for (int64_t i = 0; i < positions.size(); ++i) {
    if (position[i] < 0 || position[i] >= lengths.count)
      return context.fail("ValueError",
                          fmt::format("position {} is out of bounds for an array of shape {}", position[i],
                                      shapeText(lengths.length.data(), static_cast<int>(outputs))));
    for (size_t axis = 0; axis < outputs; ++axis)
      out[axis]->as<int64_t>()[i] = position[i] / lengths.factor[axis] % lengths.length[axis];
  }
  return 0;
}

int32_t ravelShape(Array* const* in, Array* const* out, size_t indices, Context& context) {
  Array& result = *out[0];
  std::fill_n(result.shape, result.rank, 1);
  for (size_t k = 0; k < indices; ++k) {
    for (int32_t axis = 0; axis < in[k]->rank; ++axis) {
      int64_t& length = result.shape[axis + result.rank - in[k]->rank];
      if (length == 1)
        length = in[k]->shape[axis];
      else if (in[k]->shape[axis] != 1 && in[k]->shape[axis] != length)
        return context.fail("ValueError",
                            fmt::format("indices of shapes {} and {} cannot be broadcast together",
                                        shapeText(*in[0]), shapeText(*in[k])));
    }
  }
  return 0;
}

int32_t runRavel(Array* const* in, Array* const* out, size_t indices, bool fortran, OutOfRange mode,
                 Context& context) {
  Lengths lengths;
  if (const int32_t code = readLengths(*in[indices], indices, fortran, lengths, context)) return code;
  const Array& result = *out[0];
  auto* position = result.as<int64_t>();
  const int64_t count = result.size();
  std::fill_n(position, count, 0);
  Scratch scratch;
  auto* index = scratch.take<int64_t>(count);
  for (size_t axis = 0; axis < indices; ++axis) {
    std::array<int64_t, kMaxRank> strides;
    broadcastStrides(*in[axis], result.shape, result.rank, strides.data());
    assign({reinterpret_cast<std::byte*>(index), result.strides, DType::Int64},
           {in[axis]->data, strides.data(), in[axis]->dtype}, result.shape, result.rank);
    for (int64_t i = 0; i < count; ++i) {
      if (!bringIntoRange(index[i], lengths.length[axis], mode))
        return context.fail("ValueError", fmt::format("index {} is out of bounds for axis {} of length {}",
                                                      index[i], axis, lengths.length[axis]));
      position[i] += index[i] * lengths.factor[axis];
    }
  }
  return 0;
}

} // namespace

Result<Lowered> lowerUnravelIndex(const NodeView& node) {
  NW_CHECK(checkArity(node, 2, 2, 1, kMaxRank));
  NW_CHECK(checkIntegers(node, 0));
  NW_CHECK(checkIndexVector(node, 1));
  const size_t outputs = node.outputs();
  for (size_t k = 0; k < outputs; ++k) NW_CHECK(checkInt64(node, k, node.in(0).rank()));
  NW_TRY(const bool fortran, fortranParam(node));
  return Lowered::prebuilt(
      [outputs](Array* const* in, Array* const* out, Context&) {
        for (size_t k = 0; k < outputs; ++k) shapeLike(*in[0], *out[k]);
        return 0;
      },
      [outputs, fortran](Array* const* in, Array* const* out, Context& context) {
        return runUnravel(in, out, outputs, fortran, context);
      });
}

Result<Lowered> lowerRavelMultiIndex(const NodeView& node) {
  NW_CHECK(checkArity(node, 2, kMaxRank + 1, 1, 1));
  const size_t indices = node.inputs() - 1;
  int rank = 0;
  for (size_t k = 0; k < indices; ++k) {
    NW_CHECK(checkIntegers(node, k));
    rank = std::max(rank, node.in(k).rank());
  }
  NW_CHECK(checkIndexVector(node, indices));
  NW_CHECK(checkInt64(node, 0, rank));
  NW_TRY(const OutOfRange mode, outOfRangeParam(node));
  NW_TRY(const bool fortran, fortranParam(node));
  return Lowered::prebuilt(
      [indices](Array* const* in, Array* const* out, Context& c) { return ravelShape(in, out, indices, c); },
      [indices, fortran, mode](Array* const* in, Array* const* out, Context& context) {
        return runRavel(in, out, indices, fortran, mode, context);
      });
}

} // namespace nodewise
