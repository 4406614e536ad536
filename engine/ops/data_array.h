// Between values with their contents (elements of a list) and the arrays of a running node.
#pragma once

#include "codegen/abi.h"

namespace nodewise {

/// A copy of what an array holds: its elements, its generator's state, or its object.
Data dataOf(const Array& array);

/// Makes output k hold `data`, a tensor (of the output's rank and dtype), a generator or an object.
/// Returns 0, or fails with a TypeError where the output is of another kind, rank or dtype.
int32_t setOutput(Context& context, int k, const Data& data);

/// Same dtype, shape and elements (not-a-number equals itself, -0 equals 0); sparse matrices as dense ones.
bool sameData(const Data& a, const Data& b);

} // namespace nodewise
