// NumPy's SeedSequence: from a few integers to as many well mixed words as a generator's state needs.
#pragma once

#include "graph/data.h"

#include <span>
#include <vector>

namespace nodewise {

/// The generator that NumPy's default_rng makes of these 32-bit words (each seed integer's words, low word
/// first; 0 is one word).
RngState defaultGenerator(std::span<const uint32_t> entropy);

/// 128 bits from the operating system, for a generator without a seed.
std::vector<uint32_t> systemEntropy();

} // namespace nodewise
