// Memory that the values of a machine need.
#pragma once

#include "codegen/abi.h"

#include <cstdint>

namespace nodewise {

/// Values of the other kinds (lists, sparse matrices, ...) are objects.
inline bool holdsMemory(Kind kind) {
  return kind == Kind::Tensor || kind == Kind::Scalar || kind == Kind::Rng;
}

/// Bytes of an array of this kind, dtype and shape, C-contiguous. Throws std::bad_alloc where the lengths
/// multiply to more than an int64 counts; Machine::run() makes that its MemoryError.
int64_t bytesOf(const Array& array);

} // namespace nodewise
