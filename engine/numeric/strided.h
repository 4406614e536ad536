// Copying, converting and adding between strided arrays of any dtypes.
#pragma once

#include "graph/dtype.h"

#include <cstddef>
#include <cstdint>

namespace nodewise {

/// The greatest rank of an array that the routines here (and NumPy) know.
inline constexpr int kMaxRank = 32;

/// Where the elements of one operand are; its shape is that of the operation.
struct StridedOut {
  std::byte* data = nullptr;
  const int64_t* strides = nullptr; ///< bytes, one for each axis of the operation; may be negative
  DType dtype = DType::Float64;
};
struct StridedIn {
  const std::byte* data = nullptr;
  const int64_t* strides = nullptr; ///< bytes; 0 repeats an element along the axis
  DType dtype = DType::Float64;
};

/// out[i] = in[i] for each index i of `shape`, converted to out's dtype (see convertTo in element.h). `rank`
/// is at most kMaxRank. The operands do not overlap, unless they are the same elements at the same places. No
/// alignment is needed.
void assign(const StridedOut& out, const StridedIn& in, const int64_t* shape, int rank);

/// out[i] = out[i] + in[i], the same way: in is converted first; integers wrap, bool is or.
void accumulate(const StridedOut& out, const StridedIn& in, const int64_t* shape, int rank);

/// One element, converted; `to` has room for an element of its dtype.
void convertElement(std::byte* to, DType toDType, const std::byte* from, DType fromDType);

/// Byte strides of a C-contiguous array.
void contiguousStrides(const int64_t* shape, int rank, int64_t elementSize, int64_t* strides);

} // namespace nodewise
