#include "ops/reshape_strides.h"

#include "numeric/strided.h"

#include <array>

namespace nodewise {

namespace {

/// Axes of `in` that are not of length 1, with neighbours joined where their strides allow.
struct Runs {
  std::array<int64_t, kMaxRank> length, stride; ///< stride: of the run's innermost axis
  int count = 0;
};

Runs joinAxes(const Array& in) {
  Runs runs;
  for (int32_t axis = 0; axis < in.rank; ++axis) {
    const int64_t length = in.shape[axis], stride = in.strides[axis];
    if (length == 1) continue;
    const auto last = static_cast<size_t>(runs.count - 1);
    if (runs.count > 0 && runs.stride[last] == length * stride) {
      runs.length[last] *= length;
      runs.stride[last] = stride;
    } else {
      runs.length[static_cast<size_t>(runs.count)] = length;
      runs.stride[static_cast<size_t>(runs.count)] = stride;
      ++runs.count;
    }
  }
  return runs;
}

} // namespace

bool reshapeStrides(const Array& in, Array& view) {
  if (in.contiguous()) {
    contiguousStrides(view.shape, view.rank, dtypeSize(in.dtype), view.strides);
    return true;
  }
  // From the last axis on, each run of the input has to be used up by whole axes of the view. (An empty array
  // is contiguous, so all lengths are positive here.)
  const Runs runs = joinAxes(in);
  int run = runs.count;
  int64_t left = 1, stride = dtypeSize(in.dtype);
  for (int32_t axis = view.rank - 1; axis >= 0; --axis) {
    const int64_t length = view.shape[axis];
    if (length != 1 && left == 1) {
      --run;
      left = runs.length[static_cast<size_t>(run)];
      stride = runs.stride[static_cast<size_t>(run)];
    }
    if (left % length != 0) return false;
    view.strides[axis] = stride;
    left /= length;
    stride *= length;
  }
  return true;
}

void copyInOrder(const Array& in, const Array& out) {
  std::array<int64_t, kMaxRank> strides;
  contiguousStrides(in.shape, in.rank, dtypeSize(out.dtype), strides.data());
  assign({out.data, strides.data(), out.dtype}, {in.data, in.strides, in.dtype}, in.shape, in.rank);
}

} // namespace nodewise
