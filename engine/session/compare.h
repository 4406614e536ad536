// Comparing what a graph gave with what a case says it should give.
#pragma once

#include "graph/graph.h"

#include <optional>
#include <string>

namespace nodewise {

struct Tolerance {
  double rtol = 0, atol = 0;
};
/// The case's own, or the format's for the dtype: rtol 1e-2 for float16, 1e-5 for float32 and complex64, 1e-8
/// for float64 and complex128, atol a tenth of it, exact for everything else.
Tolerance toleranceOf(const Case& recorded, DType dtype);

/// Empty if `found` equals `expected`: kind, dtype, shape, and each element within atol + rtol * |expected|;
/// not-a-number equals not-a-number; sparse matrices compare as dense ones. Else what differs first, and by
/// how much.
std::string difference(const Data& found, const Data& expected, const Case& recorded);

} // namespace nodewise
