// Shuffles and samples without replacement, as NumPy's Generator draws them.
#pragma once

#include "numeric/random/samplers.h"

#include <vector>

namespace nodewise {

/// A shuffled 0 ... n - 1.
std::vector<int64_t> permutationOf(const Samplers& samplers, RngState& rng, int64_t n);

/// `count` <= population different numbers of 0 ... population - 1, in random order.
std::vector<int64_t> sampleWithoutReplacement(const Samplers& samplers, RngState& rng, int64_t population,
                                              int64_t count);

/// The same where k is drawn with probability p[k]; at least `count` of these are greater than 0.
std::vector<int64_t> weightedSampleWithoutReplacement(RngState& rng, std::vector<double> p, int64_t count);

/// Sums with Kahan's compensation, as NumPy adds probabilities.
double compensatedSum(std::span<const double> values);

} // namespace nodewise
