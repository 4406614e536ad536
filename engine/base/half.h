// IEEE 754 binary16 as stored: conversion to and from binary32 and binary64.
#pragma once

#include <bit>
#include <cstdint>

namespace nodewise {

/// A float16 in memory. Arithmetic is done in float.
struct Half {
  uint16_t bits;
};

/// Exact; not-a-numbers keep their payload's upper bits.
inline float halfToFloat(Half h) {
  const uint32_t sign = static_cast<uint32_t>(h.bits & 0x8000u) << 16;
  const uint32_t magnitude = h.bits & 0x7FFFu;
  // Numbers with exponent 31 are infinities and not-a-numbers; others are scaled by 2^112 to move the
  // exponent's bias from 15 to 127, which also normalises subnormal ones.
  if (magnitude >= 0x7C00u) return std::bit_cast<float>(sign | 0x7F800000u | ((magnitude & 0x3FFu) << 13));
  return std::bit_cast<float>(sign |
                              std::bit_cast<uint32_t>(std::bit_cast<float>(magnitude << 13) * 0x1p112f));
}

/// Rounds to nearest, ties to even, straight from double (going through float would round twice).
inline Half doubleToHalf(double value) {
  const uint64_t bits = std::bit_cast<uint64_t>(value);
  const uint16_t sign = static_cast<uint16_t>((bits >> 48) & 0x8000u);
  const uint64_t magnitude = bits & 0x7FFFFFFFFFFFFFFFu;
  const auto signedHalf = [sign](uint64_t rest) { return Half{static_cast<uint16_t>(sign | rest)}; };
  if (magnitude > 0x7FF0000000000000u) return signedHalf(0x7E00u | ((magnitude >> 42) & 0x3FFu));
  if (magnitude >= std::bit_cast<uint64_t>(65520.0)) return signedHalf(0x7C00u);
  if (magnitude >= std::bit_cast<uint64_t>(0x1p-14)) {
    const uint64_t even = (magnitude >> 42) & 1u;
    const uint64_t rounded = magnitude + ((uint64_t{1} << 41) - 1u) + even;
    return signedHalf((rounded >> 42) - (uint64_t{1023 - 15} << 10));
  }
  // Subnormal: adding 2^28 makes the unit of the sum's last place 2^-24, and the adder rounds.
  const double sum = std::bit_cast<double>(magnitude) + 0x1p28;
  return signedHalf(std::bit_cast<uint64_t>(sum) & 0x7FFu);
}

/// A float is exact as a double, so this rounds once.
inline Half floatToHalf(float value) { return doubleToHalf(static_cast<double>(value)); }

} // namespace nodewise
