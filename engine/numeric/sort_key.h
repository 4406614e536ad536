// NumPy's order of elements as keys that compare with plain integers: ascending, -0 equal to 0, not-a-number
// last.
#pragma once

#include "numeric/element.h"

#include <bit>
#include <compare>
#include <cstdint>

namespace nodewise {

namespace detail {

/// Bits of an IEEE number as an integer of the same order: negative numbers are mirrored, the others moved
/// above them. All not-a-numbers get the greatest key, both zeros the same.
template <class Bits, int exponentAndSign> constexpr Bits floatKey(Bits bits) {
  constexpr Bits sign = static_cast<Bits>(Bits{1} << (8 * sizeof(Bits) - 1));
  constexpr Bits infinity =
      static_cast<Bits>(static_cast<Bits>(~sign) & ~((Bits{1} << (8 * sizeof(Bits) - exponentAndSign)) - 1));
  const Bits magnitude = static_cast<Bits>(bits & ~sign);
  if (magnitude > infinity) return static_cast<Bits>(~Bits{0});
  if (bits == sign) return sign;
  return static_cast<Bits>((bits & sign) != 0 ? ~bits : bits | sign);
}

} // namespace detail

/// Of a complex number: (real, imaginary), but first all numbers without a not-a-number, then those with one
/// as the imaginary part, as the real part, as both.
template <class RealKey> struct ComplexKey {
  uint8_t nanParts;
  RealKey real, imag;
  auto operator<=>(const ComplexKey&) const = default;
};

inline uint8_t sortKey(Bool8 x) { return x.byte != 0; }
inline uint16_t sortKey(Half x) { return detail::floatKey<uint16_t, 6>(x.bits); }
inline uint32_t sortKey(float x) { return detail::floatKey<uint32_t, 9>(std::bit_cast<uint32_t>(x)); }
inline uint64_t sortKey(double x) { return detail::floatKey<uint64_t, 12>(std::bit_cast<uint64_t>(x)); }

template <std::integral T> std::make_unsigned_t<T> sortKey(T x) {
  using Key = std::make_unsigned_t<T>;
  constexpr Key offset = std::is_signed_v<T> ? static_cast<Key>(Key{1} << (8 * sizeof(T) - 1)) : Key{0};
  return static_cast<Key>(static_cast<Key>(x) ^ offset);
}

template <class T> auto sortKey(std::complex<T> x) {
  const auto parts = static_cast<uint8_t>((x.real() != x.real() ? 2 : 0) + (x.imag() != x.imag() ? 1 : 0));
  return ComplexKey<decltype(sortKey(T{}))>{parts, sortKey(x.real()), sortKey(x.imag())};
}

template <class T> using SortKey = decltype(sortKey(T{}));

/// The same value to `unique`: all not-a-numbers are one, whichever part of a complex number they are.
template <class Key> bool sameValue(Key a, Key b) { return a == b; }
template <class RealKey> bool sameValue(ComplexKey<RealKey> a, ComplexKey<RealKey> b) {
  return a.nanParts != 0 || b.nanParts != 0 ? (a.nanParts != 0) == (b.nanParts != 0) : a == b;
}

} // namespace nodewise
