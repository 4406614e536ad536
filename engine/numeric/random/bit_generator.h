// NumPy's bit generators PCG64 and PCG64DXSM, bit for bit: M. O'Neill's permuted congruential generators of
// 128 bits.
#pragma once

#include "graph/data.h"

namespace nodewise {

/// The next 64 random bits.
uint64_t nextUint64(RngState& rng);
/// The next 32: the low half of 64 drawn bits, whose high half is kept for the next call.
uint32_t nextUint32(RngState& rng);
/// Uniform in [0, 1), a multiple of 2^-53.
double nextDouble(RngState& rng);

/// A PCG64 started as NumPy starts it with these 4 words: two for the state, two for the stream, high word
/// first.
RngState seededPcg64(const uint64_t (&words)[4]);

} // namespace nodewise
