// Indexing by tensors of integers or bool: reading and writing.
#include "ops/advanced_index.h"
#include "ops/families.h"
#include "ops/in_place.h"
#include "ops/params.h"
#include "ops/selecting.h"
#include "ops/selection_walk.h"
#include "ops/selection_write.h"

#include <fmt/format.h>

#include <memory>

namespace nodewise {

namespace {

/// Shared by the functions of one node.
using SharedIndices = std::shared_ptr<const AdvancedIndices>;

Lowered lowerRead(AdvancedIndices read) {
  const SharedIndices indices = std::make_shared<const AdvancedIndices>(std::move(read));
  return Lowered::prebuilt(
      [indices](Array* const* in, Array* const* out, Context& context) {
        Selection selection;
        if (const int32_t code = resolveSelection(*indices, in, *in[0], true, selection, context))
          return code;
        selection.readShape(out[0]->shape);
        return 0;
      },
      [indices](Array* const* in, Array* const* out, Context& context) {
        Selection selection;
        if (const int32_t code = resolveSelection(*indices, in, *in[0], false, selection, context))
          return code;
        return readSelected(selection, out[0]->data, out[0]->dtype, context);
      },
      indices->valueBits);
}

Result<Lowered> lowerAdvancedSubtensor(const NodeView& node) {
  NW_CHECK(checkArity(node, 1, -1, 1, 1));
  NW_CHECK(checkTensor(node, 0));
  NW_TRY(AdvancedIndices indices, readAdvancedIndices(node, 1));
  NW_CHECK(checkOutTensor(node, 0, indices.rank()));
  NW_CHECK(checkSameDtype(node));
  return lowerRead(std::move(indices));
}

Result<Lowered> lowerAdvancedSubtensor1(const NodeView& node) {
  NW_CHECK(checkArity(node, 2, 2, 1, 1));
  NW_CHECK(checkTensor(node, 0));
  NW_TRY(AdvancedIndices indices, rowIndices(node, 1));
  NW_CHECK(checkOutTensor(node, 0, indices.rank()));
  NW_CHECK(checkSameDtype(node));
  return lowerRead(std::move(indices));
}

/// Bits of y's axes that may broadcast: all, or (where the op asks for it) those of static length 1.
uint32_t staticOnes(const Type& y) {
  uint32_t bits = 0;
  for (int axis = 0; axis < y.rank(); ++axis)
    if (y.broadcasts(axis)) bits |= 1u << axis;
  return bits;
}

/// The output is like x, and y is a tensor.
Result<void> checkWrite(const NodeView& node) {
  NW_CHECK(checkTensor(node, 0));
  NW_CHECK(checkTensor(node, 1));
  NW_CHECK(checkOutTensor(node, 0, node.in(0).rank()));
  return checkSameDtype(node);
}

Result<Lowered> lowerWrite(const NodeView& node, SelectionWrite write) {
  NW_TRY(const bool set, boolParam(node, "set_instead_of_inc", false));
  write.mode = set ? WriteMode::Set : WriteMode::Add;
  write.inputs = node.inputs();
  const auto shared = std::make_shared<const SelectionWrite>(std::move(write));
  Lowered lowered =
      Lowered::prebuilt(shapeLikeFirst, [shared](Array* const* in, Array* const* out, Context& context) {
        return runWrite(*shared, in, out, context);
      });
  permitInPlace(node, lowered);
  return lowered;
}

Result<Lowered> lowerAdvancedIncSubtensor(const NodeView& node) {
  NW_CHECK(checkArity(node, 2, -1, 1, 1));
  NW_CHECK(checkWrite(node));
  SelectionWrite write;
  NW_TRY(write.indices, readAdvancedIndices(node, 2));
  NW_TRY(write.lastOnly, boolParam(node, "ignore_duplicates", false));
  if (write.indices.rank() > kMaxRank)
    return node.paramError("idx_list", fmt::format("expected places of at most {} axes", kMaxRank));
  return lowerWrite(node, std::move(write));
}

Result<Lowered> lowerAdvancedIncSubtensor1(const NodeView& node) {
  NW_CHECK(checkArity(node, 3, 3, 1, 1));
  NW_CHECK(checkWrite(node));
  SelectionWrite write;
  NW_TRY(write.indices, rowIndices(node, 2));
  write.onesThatBroadcast = staticOnes(node.in(1));
  return lowerWrite(node, std::move(write));
}

constexpr std::string_view kFamily = "advanced indexing";

constexpr OpRow kRows[] = {
    {"AdvancedSubtensor", kFamily, lowerAdvancedSubtensor, 1, "x, index tensors and integers",
     "x[...] with tensors of integers or bool and slices, as a copy."},
    {"AdvancedSubtensor1", kFamily, lowerAdvancedSubtensor1, 1, "x, vector of integers", "Rows of x."},
    {"AdvancedIncSubtensor", kFamily, lowerAdvancedIncSubtensor, 1, "x, y, index tensors and integers",
     "A copy of x with y added or set where tensors of integers or bool and slices say."},
    {"AdvancedIncSubtensor1", kFamily, lowerAdvancedIncSubtensor1, 1, "x, y, vector of integers",
     "A copy of x with y added to rows, or set there."},
    {"PermuteRowElements", kFamily, lowerPermuteRowElements, 1, "x, integers y",
     "Permutes the last axis of x by y, or by its inverse."},
    {"Choose", kFamily, lowerChoose, 1, "integers, choices",
     "Each element from the array that its integer chooses."},
    {"UnravelIndex", kFamily, lowerUnravelIndex, 1, "integers, lengths",
     "Positions in C or Fortran order as indices."},
    {"RavelMultiIndex", kFamily, lowerRavelMultiIndex, 1, "integers for each axis, lengths",
     "Indices as positions in C or Fortran order."},
};

} // namespace

std::span<const OpRow> advancedIndexingOps() { return kRows; }

} // namespace nodewise
