// The inner two loops of strided operations, by dtype.
#pragma once

#include "graph/dtype.h"

#include <cstddef>
#include <cstdint>

namespace nodewise {

/// Two nested axes: `rows` outside, `columns` inside. Strides are in bytes.
struct Plane {
  int64_t rows = 1, columns = 1;
  int64_t outRow = 0, outColumn = 0;
  int64_t inRow = 0, inColumn = 0;
};

/// Does the operation for each element of the plane; `out` and `in` are its first elements.
using PlaneFn = void (*)(std::byte* out, const std::byte* in, const Plane& plane);

/// out = in, elements of one dtype.
PlaneFn copyPlane(DType dtype);
/// out = in converted from one dtype to another.
PlaneFn convertPlane(DType to, DType from);
/// out = out + in, elements of one dtype.
PlaneFn addPlane(DType dtype);

} // namespace nodewise
