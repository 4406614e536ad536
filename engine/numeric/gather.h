// Reading and writing elements at a list of places.
#pragma once

#include "graph/dtype.h"

#include <cstddef>
#include <cstdint>

namespace nodewise {

/// out[i] = in at offsets[i], for i < n; offsets and outStep are in bytes.
using GatherFn = void (*)(std::byte* out, int64_t outStep, const std::byte* in, const int64_t* offsets,
                          int64_t n);
/// Does something to the element of out at offsets[i] with in[i], i ascending.
using ScatterFn = void (*)(std::byte* out, const int64_t* offsets, const std::byte* in, int64_t inStep,
                           int64_t n);

/// Gathers elements of `size` bytes (1, 2, 4, 8 or 16); null for another size.
GatherFn gatherBytes(int64_t size);
/// out = in, elements of `size` bytes as above.
ScatterFn scatterBytes(int64_t size);
/// out = out + in: integers wrap, bool is or.
ScatterFn scatterAdd(DType dtype);

/// The indices along one axis of an array. (No member has a default, so that arrays of these cost nothing.)
struct AxisIndices {
  const std::byte* data;
  DType dtype;    ///< integral, not bool
  int64_t step;   ///< bytes from one index to the next
  int64_t length; ///< of the axis
  int64_t stride; ///< of the axis, bytes
};

/// offsets[i] = byte offset of index i along its axis (negative indices count from the end once), or, with
/// `add`, that much more. Returns the first i that is out of bounds, or n.
int64_t indexOffsets(const AxisIndices& indices, int64_t n, bool add, int64_t* offsets);

/// Number of true elements of a bool array.
int64_t countTrue(const std::byte* mask, const int64_t* shape, const int64_t* strides, int rank);
/// For each true element of a mask, in C order, the offset of that index in an array of these axis strides.
void trueOffsets(const std::byte* mask, const int64_t* shape, const int64_t* strides, int rank,
                 const int64_t* arrayStrides, int64_t* offsets);

} // namespace nodewise
