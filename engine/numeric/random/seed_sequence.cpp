#include "numeric/random/seed_sequence.h"

#include "numeric/random/bit_generator.h"

#include <algorithm>
#include <array>
#include <random>

namespace nodewise {

namespace {

// M. O'Neill's seed_seq_fe ("Developing a seed_seq Alternative", pcg-random.org), with NumPy's constants and
// a pool of four words.
using Pool = std::array<uint32_t, 4>;

/// A multiply-xor hash whose constant changes with every call.
struct Hash {
  uint32_t constant, multiplier;

  uint32_t operator()(uint32_t value) {
    value ^= constant;
    constant *= multiplier;
    value *= constant;
    return value ^ (value >> 16);
  }
};

uint32_t mix(uint32_t x, uint32_t y) {
  const uint32_t result = x * 0xca01f9dd - y * 0x4973f715;
  return result ^ (result >> 16);
}

Pool mixedPool(std::span<const uint32_t> entropy) {
  Hash hash{0x43b0d7e5, 0x931e8875};
  Pool pool;
  for (size_t i = 0; i < pool.size(); ++i) pool[i] = hash(i < entropy.size() ? entropy[i] : 0);
  for (size_t from = 0; from < pool.size(); ++from)
    for (size_t to = 0; to < pool.size(); ++to)
      if (from != to) pool[to] = mix(pool[to], hash(pool[from]));
  for (size_t from = pool.size(); from < entropy.size(); ++from)
    for (uint32_t& word : pool) word = mix(word, hash(entropy[from]));
  return pool;
}

} // namespace

RngState defaultGenerator(std::span<const uint32_t> entropy) {
  const Pool pool = mixedPool(entropy);
  Hash hash{0x8b51f9dd, 0x58f38ded};
  uint64_t words[4];
  for (size_t i = 0; i < 4; ++i) {
    const uint64_t low = hash(pool[2 * i % pool.size()]);
    words[i] = low | (uint64_t{hash(pool[(2 * i + 1) % pool.size()])} << 32);
  }
  return seededPcg64(words);
}

std::vector<uint32_t> systemEntropy() {
  std::random_device device;
  std::vector<uint32_t> words(4);
  std::ranges::generate(words, std::ref(device));
  return words;
}

} // namespace nodewise
