// Ops that ask for shapes, check them and move axes; and the table of their family.
#include "numeric/strided.h"
#include "ops/array_access.h"
#include "ops/families.h"
#include "ops/params.h"
#include "ops/shape_lowering.h"
#include "ops/sparse_ops.h"
#include "ops/view_lowering.h"

#include <fmt/format.h>

#include <array>

namespace nodewise {

namespace {

int32_t noAxes(Array* const*, Array* const*, Context&) { return 0; }

Result<void> checkInt64Output(const NodeView& node, int rank) {
  NW_CHECK(checkOutTensor(node, 0, rank));
  if (node.out(0).dtype == DType::Int64) return {};
  return node.error(fmt::format("output 0 has to be int64, but is {}", dtypeName(node.out(0).dtype)));
}

Result<Lowered> lowerShape(const NodeView& node) {
  if (node.inputs() == 1 && node.in(0).kind == Kind::Sparse) return lowerSparseShape(node);
  NW_CHECK(checkArity(node, 1, 1, 1, 1));
  NW_CHECK(checkTensor(node, 0));
  NW_CHECK(checkInt64Output(node, 1));
  return Lowered::prebuilt(
      [](Array* const* in, Array* const* out, Context&) {
        out[0]->shape[0] = in[0]->rank;
        return 0;
      },
      [](Array* const* in, Array* const* out, Context&) {
        std::copy_n(in[0]->shape, in[0]->rank, out[0]->as<int64_t>());
        return 0;
      });
}

Result<Lowered> lowerShapeI(const NodeView& node) {
  if (node.inputs() == 1 && node.in(0).kind == Kind::Sparse) return lowerSparseLength(node);
  NW_CHECK(checkArity(node, 1, 1, 1, 1));
  NW_CHECK(checkTensor(node, 0));
  NW_CHECK(checkInt64Output(node, 0));
  NW_TRY(const int64_t axis, intParam(node, "i"));
  if (axis < 0 || axis >= node.in(0).rank())
    return node.paramError("i", fmt::format("expected an axis of x, which has {}", node.in(0).rank()));
  return Lowered::prebuilt(noAxes, [axis](Array* const* in, Array* const* out, Context&) {
    *out[0]->as<int64_t>() = in[0]->shape[axis];
    return 0;
  });
}

Result<Lowered> lowerSpecifyShape(const NodeView& node) {
  NW_CHECK(checkArity(node, 1, 1 + kMaxRank, 1, 1));
  NW_CHECK(checkTensor(node, 0));
  const int rank = node.in(0).rank();
  NW_CHECK(checkArity(node, 1 + rank, 1 + rank, 1, 1));
  NW_CHECK(checkOutTensor(node, 0, rank));
  NW_CHECK(checkSameDtype(node));
  for (size_t k = 1; k < node.inputs(); ++k)
    if (node.in(k).kind != Kind::None) NW_CHECK(checkIndexScalar(node, k));
  return lowerView(
      node,
      [](Array* const* in, Array* const* out, Context& context) {
        for (int32_t axis = 0; axis < in[0]->rank; ++axis) {
          const Array& length = *in[1 + axis];
          if (length.kind == Kind::None || length.toInt() == in[0]->shape[axis]) continue;
          return context.fail("AssertionError",
                              fmt::format("axis {} of an array of shape {} has to have length {}", axis,
                                          shapeText(*in[0]), length.toInt()));
        }
        aliasWhole(*in[0], *out[0]);
        return 0;
      },
      ~uint64_t{0} << 1);
}

/// Where each output axis of a DimShuffle comes from.
struct AxisOrder {
  std::array<int8_t, kMaxRank> source{}; ///< an input axis, or -1: a new one of length 1
  std::array<int8_t, kMaxRank> dropped{};
  int rank = 0, drops = 0;
};

Result<AxisOrder> readOrder(const NodeView& node) {
  const nlohmann::json& params = node.node.params;
  const auto list = params.find("new_order");
  if (list == params.end() || !list->is_array())
    return node.paramError("new_order", "expected a list of input axes and \"x\"");
  if (list->size() > static_cast<size_t>(kMaxRank))
    return node.paramError("new_order", fmt::format("expected at most {} axes", kMaxRank));
  const int inRank = node.in(0).rank();
  std::array<bool, kMaxRank> used{};
  AxisOrder order;
  for (const nlohmann::json& entry : *list) {
    const auto place = static_cast<size_t>(order.rank++);
    if (entry == "x") {
      order.source[place] = -1;
      continue;
    }
    const int64_t axis = entry.is_number_integer() ? entry.get<int64_t>() : -1;
    if (axis < 0 || axis >= inRank || used[static_cast<size_t>(axis)])
      return node.paramError(
          fmt::format("new_order[{}]", place),
          fmt::format("expected \"x\" or an axis of x, each at most once; x has {}", inRank));
    used[static_cast<size_t>(axis)] = true;
    order.source[place] = static_cast<int8_t>(axis);
  }
  for (int axis = 0; axis < inRank; ++axis)
    if (!used[static_cast<size_t>(axis)])
      order.dropped[static_cast<size_t>(order.drops++)] = static_cast<int8_t>(axis);
  return order;
}

int32_t shuffleAxes(const AxisOrder& order, const Array& in, Array& out, Context& context) {
  for (int k = 0; k < order.drops; ++k) {
    const int axis = order.dropped[static_cast<size_t>(k)];
    if (in.shape[axis] != 1)
      return context.fail("ValueError",
                          fmt::format("axis {} of an array of shape {} is dropped, but is not of length 1",
                                      axis, shapeText(in)));
  }
  for (int k = 0; k < order.rank; ++k) {
    const int axis = order.source[static_cast<size_t>(k)];
    out.shape[k] = axis < 0 ? 1 : in.shape[axis];
    out.strides[k] = axis < 0 ? 0 : in.strides[axis];
  }
  out.data = in.data;
  return 0;
}

Result<Lowered> lowerDimShuffle(const NodeView& node) {
  NW_CHECK(checkArity(node, 1, 1, 1, 1));
  NW_CHECK(checkTensor(node, 0));
  NW_TRY(const AxisOrder order, readOrder(node));
  NW_CHECK(checkOutTensor(node, 0, order.rank));
  NW_CHECK(checkSameDtype(node));
  return lowerView(node, [order](Array* const* in, Array* const* out, Context& context) {
    return shuffleAxes(order, *in[0], *out[0], context);
  });
}

constexpr std::string_view kFamily = "shape";

constexpr OpRow kRows[] = {
    {"DimShuffle", kFamily, lowerDimShuffle, 1, "x", "Reorders axes, adds axes of length 1 and drops such."},
    {"Shape", kFamily, lowerShape, 1, "x", "The lengths of x, as an int64 vector."},
    {"Shape_i", kFamily, lowerShapeI, 1, "x", "The length of axis i."},
    {"SpecifyShape", kFamily, lowerSpecifyShape, 1, "x, a length or None for each axis",
     "x as it is; AssertionError where a given length differs."},
    {"Reshape", kFamily, lowerReshape, 1, "x, lengths",
     "The elements in C order in another shape; one length may be -1. A view where strides allow."},
    {"JoinDims", kFamily, lowerJoinDims, 1, "x",
     "Neighbouring axes become one; of none, a new axis of length 1. A view where strides allow."},
    {"SplitDims", kFamily, lowerSplitDims, 1, "x, lengths", "One axis becomes axes of these lengths."},
    {"TensorFromScalar", kFamily, lowerTensorFromScalar, 1, "scalar", "The scalar as a 0-d tensor."},
    {"ScalarFromTensor", kFamily, lowerScalarFromTensor, 1, "0-d x", "The element as a scalar."},
    {"ViewOp", kFamily, lowerIdentity, 1, "x", "x as it is."},
    {"TypeCastingOp", kFamily, lowerIdentity, 1, "x", "x as it is."},
    {"DisconnectedGrad", kFamily, lowerIdentity, 1, "x", "x as it is; stops a gradient."},
    {"ZeroGrad", kFamily, lowerIdentity, 1, "x", "x as it is; its gradient is zero."},
    {"UndefinedGrad", kFamily, lowerIdentity, 1, "x", "x as it is; it has no gradient."},
    {"GradClip", kFamily, lowerIdentity, 1, "x", "x as it is; clips a gradient."},
    {"GradScale", kFamily, lowerIdentity, 1, "x", "x as it is; scales a gradient."},
    {"CpuContiguous", kFamily, lowerCpuContiguous, 1, "x", "x in C order, copied where needed."},
    {"DeepCopyOp", kFamily, lowerDeepCopy, 1, "x", "A copy, so that a result aliases nothing."},
};

} // namespace

std::span<const OpRow> shapeOps() { return kRows; }

} // namespace nodewise
