#include "codegen/math_calls.h"

#include <algorithm>
#include <array>

namespace nodewise::codegen {

namespace {
constexpr std::array kFunctions{
    MathFunction{"acos", 1, true},  MathFunction{"acosh", 1, true}, MathFunction{"asin", 1, true},
    MathFunction{"asinh", 1, true}, MathFunction{"atan", 1, true},  MathFunction{"atan2", 2, true},
    MathFunction{"atanh", 1, true}, MathFunction{"cos", 1, true},   MathFunction{"cosh", 1, true},
    MathFunction{"erf", 1, true},   MathFunction{"erfc", 1, true},  MathFunction{"exp", 1, true},
    MathFunction{"exp2", 1, true},  MathFunction{"expm1", 1, true}, MathFunction{"fmod", 2, false},
    MathFunction{"hypot", 2, true}, MathFunction{"log", 1, true},   MathFunction{"log10", 1, true},
    MathFunction{"log1p", 1, true}, MathFunction{"log2", 1, true},  MathFunction{"pow", 2, true},
    MathFunction{"sin", 1, true},   MathFunction{"sinh", 1, true},  MathFunction{"tan", 1, true},
    MathFunction{"tanh", 1, true},
};
} // namespace

const MathFunction* findMathFunction(std::string_view name) {
  auto it = std::ranges::find(kFunctions, name, &MathFunction::name);
  return it == kFunctions.end() ? nullptr : &*it;
}

std::string vectorSymbol(const MathFunction& function, int vectorBytes, int bits) {
  if (!function.vector) return {};
  // The vector ABI's letters: b is SSE, d AVX2, e AVX-512.
  const char isa = vectorBytes == 64 ? 'e' : vectorBytes == 32 ? 'd' : vectorBytes == 16 ? 'b' : 0;
  if (!isa) return {};
  std::string symbol = "_ZGV";
  symbol += isa;
  symbol += "N" + std::to_string(vectorBytes * 8 / bits);
  symbol.append(static_cast<size_t>(function.arity), 'v');
  symbol += "_" + std::string(function.name);
  if (bits == 32) symbol += "f";
  return symbol;
}

} // namespace nodewise::codegen
