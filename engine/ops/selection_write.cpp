#include "ops/selection_write.h"

#include "ops/array_access.h"
#include "ops/broadcast.h"

#include <fmt/format.h>

#include <vector>

namespace nodewise {

namespace {

/// A C-contiguous copy of `array`, converted, for as long as `scratch` lives. Its strides go to `strides`.
Array copyInto(Scratch& scratch, const Array& array, DType dtype, int64_t* strides) {
  Array copy;
  copy.dtype = dtype;
  copy.rank = array.rank;
  copy.shape = array.shape;
  copy.strides = strides;
  contiguousStrides(array.shape, array.rank, dtypeSize(dtype), strides);
  copy.data = scratch.take<std::byte>(array.size() * dtypeSize(dtype));
  assign({copy.data, strides, dtype}, {array.data, array.strides, array.dtype}, array.shape, array.rank);
  return copy;
}

/// The inputs of a node that writes in place: index tensors that lie in the memory it writes to are read from
/// copies.
struct ProtectedInputs {
  std::vector<Array> copies;
  std::vector<Array*> inputs;

  Array* const* protect(const SelectionWrite& write, Array* const* in, const Array& target,
                        Scratch& scratch) {
    for (const IndexEntry& entry : write.indices.list) {
      if (entry.isSlice || !shareMemory(*in[entry.index], target)) continue;
      if (inputs.empty()) {
        inputs.assign(in, in + write.inputs);
        copies.reserve(write.indices.list.size());
      }
      const Array& index = *in[entry.index];
      copies.push_back(copyInto(scratch, index, index.dtype, scratch.take<int64_t>(index.rank)));
      inputs[static_cast<size_t>(entry.index)] = &copies.back();
    }
    return inputs.empty() ? in : inputs.data();
  }
};

int32_t failY(const Array& y, const int64_t* shape, int rank, Context& context) {
  return context.fail("ValueError",
                      fmt::format("y of shape {} cannot be broadcast to shape {} of the indexed places",
                                  shapeText(y), shapeText(shape, rank)));
}

/// x's selected elements with y added: what the last of equal places are to be set to.
int32_t sumSelected(const AdvancedIndices& indices, Array* const* in, const int64_t* shape,
                    const StridedIn& y, const StridedOut& sum, Context& context) {
  Selection ofX;
  if (const int32_t code = resolveSelection(indices, in, *in[0], false, ofX, context)) return code;
  if (const int32_t code = readSelected(ofX, sum.data, sum.dtype, context)) return code;
  accumulate(sum, y, shape, indices.rank());
  return 0;
}

} // namespace

int32_t runWrite(const SelectionWrite& write, Array* const* in, Array* const* out, Context& context) {
  const Array& x = *in[0];
  const Array& target = *out[0];
  const int rank = write.indices.rank();
  const bool inPlace = target.data == x.data;
  Scratch scratch;
  ProtectedInputs safe;
  if (inPlace) in = safe.protect(write, in, target, scratch);

  Selection selection;
  if (const int32_t code = resolveSelection(write.indices, in, target, false, selection, context))
    return code;
  int64_t shape[kMaxRank], strides[kMaxRank], copyStrides[kMaxRank];
  selection.readShape(shape);
  // NumPy drops leading lengths of 1 when it assigns, and refuses them when it adds.
  const bool addsAxes = write.mode == WriteMode::Add && in[1]->rank > rank;
  if (addsAxes || !broadcastStrides(*in[1], shape, rank, strides, write.onesThatBroadcast))
    return failY(*in[1], shape, rank, context);

  if (write.mode == WriteMode::Add && write.lastOnly) {
    contiguousStrides(shape, rank, dtypeSize(target.dtype), copyStrides);
    int64_t bytes = dtypeSize(target.dtype);
    for (int axis = 0; axis < rank; ++axis) bytes *= shape[axis];
    auto* sum = scratch.take<std::byte>(bytes);
    const StridedIn y{in[1]->data, strides, in[1]->dtype};
    if (const int32_t code =
            sumSelected(write.indices, in, shape, y, {sum, copyStrides, target.dtype}, context))
      return code;
    return writeSelected(selection, x, target, sum, copyStrides, WriteMode::Set, context);
  }

  Array y;
  const bool copies = in[1]->dtype != target.dtype || (inPlace && shareMemory(*in[1], target));
  if (copies) {
    y = copyInto(scratch, *in[1], target.dtype, copyStrides);
    broadcastStrides(y, shape, rank, strides, write.onesThatBroadcast);
  }
  return writeSelected(selection, x, target, copies ? y.data : in[1]->data, strides, write.mode, context);
}

} // namespace nodewise
