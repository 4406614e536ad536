// Walking over the places that a Selection names: reading, setting and adding.
#pragma once

#include "ops/advanced_index.h"

namespace nodewise {

/// Checks all indices; IndexError where one is out of bounds.
int32_t checkPlaces(const Selection& selection, Context& context);

/// out = the selected elements; `out` is C-contiguous and of the array's dtype.
int32_t readSelected(const Selection& selection, std::byte* out, DType dtype, Context& context);

/// How elements are written.
enum class WriteMode : uint8_t { Set, Add };

/// Sets the selected elements of `target` to those of y, or adds them. The selection was resolved for
/// `target`, which first takes x's elements, unless it lies in x's memory; that is after all indices were
/// checked. y has target's dtype; `yStrides` are over the axes that are read. Places come in C order, so that
/// the last of equal ones wins.
int32_t writeSelected(const Selection& selection, const Array& x, const Array& target, const std::byte* y,
                      const int64_t* yStrides, WriteMode mode, Context& context);

} // namespace nodewise
