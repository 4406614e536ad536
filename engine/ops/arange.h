// NumPy's arange.
#pragma once

#include "codegen/abi.h"

namespace nodewise {

/// Length of the vector from start, stop and step (0-d, real): max(ceil((stop - start) / step), 0), exactly
/// for integers, in double else. ZeroDivisionError for step 0; ValueError where the length is no number or
/// too great.
int32_t arangeShape(Array* const* in, Array& out, Context& context);

/// out[i] = start + i * ((start + step) - start) in out's dtype; the first two elements are start and start +
/// step rounded once.
void arangeFill(Array* const* in, const Array& out);

} // namespace nodewise
