#include "numeric/random/dirichlet.h"

#include <algorithm>
#include <numeric>
#include <vector>

namespace nodewise {

namespace {

/// Piece j takes a beta distributed share of what the pieces before it left.
void breakStick(const Samplers& samplers, RngState& rng, std::span<const double> alpha, double* out) {
  const size_t last = alpha.size() - 1;
  std::vector<double> tail(alpha.size()); // alpha[j] + ... + alpha[last], added from the right
  std::partial_sum(alpha.rbegin(), alpha.rend(), tail.rbegin());
  if (!(tail[0] > 0.0)) return;
  double left = 1.0;
  for (size_t j = 0; j < last; ++j) {
    const double share = samplers.beta(rng, alpha[j], tail[j + 1]);
    out[j] = left * share;
    left *= 1.0 - share;
    if (tail[j + 1] == 0.0) break;
  }
  out[last] = left;
}

} // namespace

void dirichlet(const Samplers& samplers, RngState& rng, std::span<const double> alpha, double* out) {
  std::fill_n(out, alpha.size(), 0.0);
  if (alpha.empty()) return;
  const auto isSmall = [](double a) { return a < 0.1; };
  if (std::ranges::all_of(alpha, isSmall)) return breakStick(samplers, rng, alpha, out);
  double sum = 0.0;
  for (size_t j = 0; j < alpha.size(); ++j) {
    out[j] = samplers.standardGamma(rng, alpha[j]);
    sum += out[j];
  }
  const double scale = 1.0 / sum;
  for (size_t j = 0; j < alpha.size(); ++j) out[j] *= scale;
}

} // namespace nodewise
