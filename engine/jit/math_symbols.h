// Functions of the C library that compiled kernels may call: libm, libmvec, and what code generation itself
// calls.
#pragma once

#include "jit/linker.h"

#include <span>
#include <string_view>

namespace nodewise {

/// One vector form of a math function ("_ZGVdN4v_exp" of "exp").
struct VectorVariant {
  std::string_view scalar; ///< "exp", "expf", "pow"
  std::string_view name;   ///< "_ZGVdN4v_exp"
  int lanes;
  int arguments; ///< 1 or 2
  char isa;      ///< 'b' SSE, 'd' AVX2, 'e' AVX-512
};

/// All vector forms in libmvec; empty on machines without one.
std::span<const VectorVariant> vectorVariants();

/// All functions with their addresses: libm (double and float), libmvec, memcpy and its like, and the
/// conversions that LLVM calls where the CPU has no instruction.
std::span<const RuntimeSymbol> mathSymbols();

} // namespace nodewise
