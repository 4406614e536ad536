#include "jit/math_symbols.h"

#include <array>
#include <cmath>
#include <cstring>

// The tables are made by the preprocessor: one list of names, used for declarations, variants and addresses.
//
// libm, double functions of which a float form with an "f" exists. Their C++ overloads make &std::exp
// ambiguous, so they are declared again under C names of our own.
#define NW_MATH_UNARY(X)                                                                                     \
  X(acos)                                                                                                    \
  X(acosh)                                                                                                   \
  X(asin) X(asinh) X(atan) X(atanh) X(cbrt) X(cos) X(cosh) X(erf) X(erfc) X(exp) X(exp10) X(exp2) X(expm1)   \
      X(log) X(log10) X(log1p) X(log2) X(sin) X(sinh) X(tan) X(tanh)
#define NW_MATH_BINARY(X) X(atan2) X(hypot) X(pow)
/// Without vector forms. Rounding and fma are called where the CPU has no instruction for them.
#define NW_MATH_SCALAR(X)                                                                                    \
  X(ceil)                                                                                                    \
  X(copysign)                                                                                                \
  X(fabs) X(fdim) X(floor) X(fma) X(fmax) X(fmin) X(fmod) X(frexp) X(ilogb) X(ldexp) X(lgamma) X(llrint)     \
      X(llround) X(logb) X(lrint) X(lround) X(modf) X(nearbyint) X(nextafter) X(remainder) X(rint) X(round)  \
          X(roundeven) X(scalbn) X(sincos) X(sqrt) X(tgamma) X(trunc)
/// libgcc: numbers that one instruction cannot handle.
#define NW_COMPILER_RUNTIME(X)                                                                               \
  X(__divti3)                                                                                                \
  X(__modti3)                                                                                                \
  X(__udivti3) X(__umodti3) X(__powidf2) X(__powisf2) X(__fixdfti) X(__fixsfti) X(__fixunsdfti)              \
      X(__fixunssfti) X(__floattidf) X(__floattisf) X(__floatuntidf) X(__floatuntisf)
/// libgcc on x86: half precision. Newer CPUs have instructions, but none of them has double to half.
#define NW_HALF_RUNTIME(X) X(__extendhfsf2) X(__truncsfhf2) X(__truncdfhf2)

namespace nodewise {

namespace {

// Only addresses are taken, so all are declared as functions of nothing, under a local alias of the linker's
// name.
#define NW_DECLARE(name) extern "C" void nodewise_##name() __asm__(#name);
#define NW_DECLARE_BOTH(name) NW_DECLARE(name) NW_DECLARE(name##f)
NW_MATH_UNARY(NW_DECLARE_BOTH)
NW_MATH_BINARY(NW_DECLARE_BOTH)
NW_MATH_SCALAR(NW_DECLARE_BOTH)
NW_COMPILER_RUNTIME(NW_DECLARE)
NW_DECLARE(memcpy)
NW_DECLARE(memmove)
NW_DECLARE(memset)
NW_DECLARE(memcmp)
NW_DECLARE(bcmp)

#define NW_ADDRESS(name) RuntimeSymbol{#name, reinterpret_cast<void*>(&nodewise_##name)},
#define NW_ADDRESS_BOTH(name) NW_ADDRESS(name) NW_ADDRESS(name##f)

#if defined(__x86_64__) && defined(__GLIBC__)
NW_HALF_RUNTIME(NW_DECLARE)

#define NW_UNARY_FORMS(F, name)                                                                              \
  F(_ZGVbN2v_##name, name, 2, 1, 'b')                                                                        \
  F(_ZGVdN4v_##name, name, 4, 1, 'd')                                                                        \
  F(_ZGVeN8v_##name, name, 8, 1, 'e') F(_ZGVbN4v_##name##f, name##f, 4, 1, 'b')                              \
      F(_ZGVdN8v_##name##f, name##f, 8, 1, 'd') F(_ZGVeN16v_##name##f, name##f, 16, 1, 'e')
#define NW_BINARY_FORMS(F, name)                                                                             \
  F(_ZGVbN2vv_##name, name, 2, 2, 'b')                                                                       \
  F(_ZGVdN4vv_##name, name, 4, 2, 'd')                                                                       \
  F(_ZGVeN8vv_##name, name, 8, 2, 'e') F(_ZGVbN4vv_##name##f, name##f, 4, 2, 'b')                            \
      F(_ZGVdN8vv_##name##f, name##f, 8, 2, 'd') F(_ZGVeN16vv_##name##f, name##f, 16, 2, 'e')
#define NW_DECLARE_FORM(name, scalar, lanes, arguments, isa) NW_DECLARE(name)
#define NW_ADDRESS_FORM(name, scalar, lanes, arguments, isa) NW_ADDRESS(name)
#define NW_VARIANT_FORM(name, scalar, lanes, arguments, isa)                                                 \
  VectorVariant{#scalar, #name, lanes, arguments, isa},
#define NW_DECLARE_UNARY(name) NW_UNARY_FORMS(NW_DECLARE_FORM, name)
#define NW_DECLARE_BINARY(name) NW_BINARY_FORMS(NW_DECLARE_FORM, name)
#define NW_ADDRESS_UNARY(name) NW_UNARY_FORMS(NW_ADDRESS_FORM, name)
#define NW_ADDRESS_BINARY(name) NW_BINARY_FORMS(NW_ADDRESS_FORM, name)
#define NW_VARIANT_UNARY(name) NW_UNARY_FORMS(NW_VARIANT_FORM, name)
#define NW_VARIANT_BINARY(name) NW_BINARY_FORMS(NW_VARIANT_FORM, name)

NW_MATH_UNARY(NW_DECLARE_UNARY)
NW_MATH_BINARY(NW_DECLARE_BINARY)

constexpr auto kVariants =
    std::to_array<VectorVariant>({NW_MATH_UNARY(NW_VARIANT_UNARY) NW_MATH_BINARY(NW_VARIANT_BINARY)});
#else
#define NW_ADDRESS_UNARY(name)
#define NW_ADDRESS_BINARY(name)
#undef NW_HALF_RUNTIME
#define NW_HALF_RUNTIME(X)
constexpr std::array<VectorVariant, 0> kVariants{};
#endif

} // namespace

std::span<const VectorVariant> vectorVariants() { return kVariants; }

std::span<const RuntimeSymbol> mathSymbols() {
  static const auto symbols = std::to_array<RuntimeSymbol>(
      {NW_MATH_UNARY(NW_ADDRESS_BOTH) NW_MATH_BINARY(NW_ADDRESS_BOTH) NW_MATH_SCALAR(NW_ADDRESS_BOTH)
           NW_MATH_UNARY(NW_ADDRESS_UNARY) NW_MATH_BINARY(NW_ADDRESS_BINARY) NW_COMPILER_RUNTIME(NW_ADDRESS)
               NW_HALF_RUNTIME(NW_ADDRESS) NW_ADDRESS(memcpy) NW_ADDRESS(memmove) NW_ADDRESS(memset)
                   NW_ADDRESS(memcmp) NW_ADDRESS(bcmp)});
  return symbols;
}

} // namespace nodewise
