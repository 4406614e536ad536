// Broadcasting one array to the shape of another.
#pragma once

#include "codegen/abi.h"

namespace nodewise {

/// Strides with which `array`, aligned at the last axis, fills `shape`: 0 along axes that it does not have
/// and along those of its length 1. False where another length differs, or where it has an axis more whose
/// length is not 1. `onesThatBroadcast`: bit k allows axis k of the array, of length 1, to stand beside
/// another length.
bool broadcastStrides(const Array& array, const int64_t* shape, int rank, int64_t* strides,
                      uint32_t onesThatBroadcast = ~0u);

} // namespace nodewise
