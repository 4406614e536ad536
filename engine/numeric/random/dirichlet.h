#pragma once

#include "numeric/random/samplers.h"

namespace nodewise {

/// One draw of the Dirichlet distribution into out (of alpha's length), as NumPy's Generator makes it: gammas
/// of unit scale divided by their sum, or, where every alpha is below 0.1 and gammas would underflow, a
/// broken stick. alpha >= 0.
void dirichlet(const Samplers& samplers, RngState& rng, std::span<const double> alpha, double* out);

} // namespace nodewise
