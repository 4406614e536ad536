// Whether an array can be seen in another shape without copying.
#pragma once

#include "codegen/abi.h"

namespace nodewise {

/// Sets view.strides so that `view`, whose shape is set, has in's elements in C order; false where no strides
/// do. The shapes have equally many elements.
bool reshapeStrides(const Array& in, Array& view);

/// Copies in's elements in C order into `out`, which is C-contiguous and has as many.
void copyInOrder(const Array& in, const Array& out);

} // namespace nodewise
