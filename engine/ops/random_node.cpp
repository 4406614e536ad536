#include "ops/random_node.h"

#include "numeric/strided.h"
#include "ops/array_access.h"

#include <fmt/format.h>

#include <algorithm>

namespace nodewise::random {

namespace {

/// Widens `batch` by one parameter's axis; false where the lengths differ.
bool widen(int64_t& length, int64_t other) {
  if (length == 1) length = other;
  return other == 1 || other == length;
}

int batchRank(const RandomNode& node, const Array& parameter, size_t k) {
  return parameter.rank - node.coreRank(k);
}

int32_t batchFromSize(const Array& size, int rank, Batch& batch, Context& context) {
  if (size.shape[0] != rank)
    return valueError(
        context, fmt::format("size has {} lengths, but the draw has {} batch axes", size.shape[0], rank));
  for (int axis = 0; axis < rank; ++axis) {
    const int64_t length = intAt(size, axis);
    if (length < 0) return valueError(context, "negative dimensions are not allowed");
    batch.shape[static_cast<size_t>(axis)] = length;
  }
  return 0;
}

} // namespace

int32_t valueError(Context& context, std::string message) {
  return context.fail("ValueError", std::move(message));
}

int64_t Batch::size() const {
  int64_t count = 1;
  for (int axis = 0; axis < rank; ++axis) count *= shape[static_cast<size_t>(axis)];
  return count;
}

int32_t inferBatch(const RandomNode& node, Array* const* in, int rank, Batch& batch, Context& context) {
  batch.rank = rank;
  std::fill_n(batch.shape.begin(), rank, int64_t{1});
  const bool sized = in[1]->kind != Kind::None;
  if (sized)
    if (const int32_t code = batchFromSize(*in[1], rank, batch, context)) return code;
  for (size_t k = 0; k < node.coreRanks.size(); ++k) {
    const Array& parameter = node.parameter(in, k);
    const int axes = batchRank(node, parameter, k);
    for (int axis = 0; axis < axes; ++axis) {
      int64_t& length = batch.shape[static_cast<size_t>(axis + rank - axes)];
      const int64_t other = parameter.shape[axis];
      const bool fits = sized ? other == 1 || other == length : widen(length, other);
      if (!fits)
        return valueError(context,
                          fmt::format("parameter {} of shape {} does not broadcast to the shape of the draw",
                                      k, shapeText(parameter)));
    }
  }
  return 0;
}

Batch batchOf(const RandomNode& node, const Array& out) {
  Batch batch;
  batch.rank = out.rank - node.drawRank;
  std::copy_n(out.shape, batch.rank, batch.shape.begin());
  return batch;
}

ParameterBlocks::ParameterBlocks(const Array& array, DType dtype, int coreRank, const Batch& batch)
    : m_values(array, dtype) {
  int64_t extent = dtypeSize(dtype);
  const int axes = array.rank - coreRank;
  for (int axis = array.rank - 1; axis >= axes; --axis) {
    m_coreSize *= array.shape[axis];
    extent *= array.shape[axis];
  }
  for (int axis = axes - 1; axis >= 0; --axis) {
    m_strides[static_cast<size_t>(axis + batch.rank - axes)] = array.shape[axis] == 1 ? 0 : extent;
    extent *= array.shape[axis];
  }
}

} // namespace nodewise::random
