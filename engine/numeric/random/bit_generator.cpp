#include "numeric/random/bit_generator.h"

#include <bit>

namespace nodewise {

namespace {

constexpr UInt128 wide(uint64_t high, uint64_t low) { return (UInt128{high} << 64) | low; }

constexpr UInt128 kMultiplier = wide(0x2360ed051fc65da4, 0x4385df649fccf645);
constexpr uint64_t kCheapMultiplier = 0xda942042e4dd58b5;

/// PCG64: advance, then output by XSL RR ("xor high and low, rotate by the top bits") of the new state.
uint64_t nextXslRr(RngState& rng) {
  rng.state = rng.state * kMultiplier + rng.inc;
  const auto folded = static_cast<uint64_t>(rng.state >> 64) ^ static_cast<uint64_t>(rng.state);
  return std::rotr(folded, static_cast<int>(rng.state >> 122));
}

/// PCG64DXSM: output by DXSM ("double xor shift, multiply") of the old state, then advance.
uint64_t nextDxsm(RngState& rng) {
  auto high = static_cast<uint64_t>(rng.state >> 64);
  high ^= high >> 32;
  high *= kCheapMultiplier;
  high ^= high >> 48;
  high *= static_cast<uint64_t>(rng.state) | 1;
  rng.state = rng.state * kCheapMultiplier + rng.inc;
  return high;
}

} // namespace

uint64_t nextUint64(RngState& rng) {
  return rng.generator == RngState::Generator::PCG64 ? nextXslRr(rng) : nextDxsm(rng);
}

uint32_t nextUint32(RngState& rng) {
  if (rng.hasUint32) {
    rng.hasUint32 = 0;
    return rng.uinteger;
  }
  const uint64_t bits = nextUint64(rng);
  rng.hasUint32 = 1;
  rng.uinteger = static_cast<uint32_t>(bits >> 32);
  return static_cast<uint32_t>(bits);
}

double nextDouble(RngState& rng) { return static_cast<double>(nextUint64(rng) >> 11) * 0x1p-53; }

RngState seededPcg64(const uint64_t (&words)[4]) {
  RngState rng;
  rng.inc = (wide(words[2], words[3]) << 1) | 1;
  rng.state = rng.inc + wide(words[0], words[1]);
  rng.state = rng.state * kMultiplier + rng.inc;
  return rng;
}

} // namespace nodewise
