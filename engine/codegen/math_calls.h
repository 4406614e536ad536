// libm functions that kernels call, and which of them libmvec has as vectors.
#pragma once

#include <string>
#include <string_view>

namespace nodewise::codegen {

struct MathFunction {
  std::string_view name; ///< of the double function; the float one has an "f" behind it
  int arity;
  bool vector; ///< glibc 2.35's libmvec has it
};
/// Null: there is no such function.
const MathFunction* findMathFunction(std::string_view name);

/// libmvec's symbol for `lanes` elements of `bits` (32, 64) bits in vectors of `vectorBytes`:
/// "_ZGVdN4v_exp", "_ZGVeN16vv_powf". Empty where there is none.
std::string vectorSymbol(const MathFunction& function, int vectorBytes, int bits);

} // namespace nodewise::codegen
