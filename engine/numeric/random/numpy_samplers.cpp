#include "numeric/random/bit_generator.h"
#include "numeric/random/samplers.h"

#include <numpy/random/distributions.h>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace nodewise {

namespace {

// NumPy calls the bit generator through this table.
uint64_t next64(void* rng) { return nextUint64(*static_cast<RngState*>(rng)); }
uint32_t next32(void* rng) { return nextUint32(*static_cast<RngState*>(rng)); }
double nextReal(void* rng) { return nextDouble(*static_cast<RngState*>(rng)); }

struct Source {
  explicit Source(RngState& rng) : bits{&rng, next64, next32, nextReal, next64} {}
  operator bitgen_t*() { return &bits; }
  bitgen_t bits;
};

/// One of NumPy's functions of this many real parameters.
template <double (*draw)(bitgen_t*, double)> double real1(RngState& rng, const Parameter* p) {
  return draw(Source(rng), p[0].real);
}
template <double (*draw)(bitgen_t*, double, double)> double real2(RngState& rng, const Parameter* p) {
  return draw(Source(rng), p[0].real, p[1].real);
}
template <double (*draw)(bitgen_t*, double, double, double)> double real3(RngState& rng, const Parameter* p) {
  return draw(Source(rng), p[0].real, p[1].real, p[2].real);
}
template <int64_t (*draw)(bitgen_t*, double)> int64_t integer1(RngState& rng, const Parameter* p) {
  return draw(Source(rng), p[0].real);
}
template <int64_t (*draw)(bitgen_t*, double, double)> int64_t integer2(RngState& rng, const Parameter* p) {
  return draw(Source(rng), p[0].real, p[1].real);
}

double uniform(RngState& rng, const Parameter* p) {
  return random_uniform(Source(rng), p[0].real, p[1].real - p[0].real);
}
Fault uniformFault(const Parameter* p) {
  const double range = p[1].real - p[0].real;
  if (!std::isfinite(range)) return {"high - low range exceeds valid bounds", "OverflowError"};
  return {range < 0.0 ? "high - low < 0" : nullptr};
}

int64_t binomial(RngState& rng, double p, int64_t n) {
  binomial_t setup{};
  return random_binomial(Source(rng), p, n, &setup);
}

int64_t hypergeometric(RngState& rng, const Parameter* p) {
  return random_hypergeometric(Source(rng), p[0].integer, p[1].integer, p[2].integer);
}
Fault hypergeometricFault(const Parameter* p) {
  constexpr int64_t most = 1'000'000'000; // the sampler's own limit
  if (p[0].integer >= most || p[1].integer >= most)
    return {"both ngood and nbad must be less than 1000000000"};
  return {p[0].integer + p[1].integer < p[2].integer ? "ngood + nbad < nsample" : nullptr};
}

int64_t integers(RngState& rng, const Parameter* p) {
  const auto range = static_cast<uint64_t>(p[1].integer) - static_cast<uint64_t>(p[0].integer) - 1;
  return static_cast<int64_t>(
      random_bounded_uint64(Source(rng), static_cast<uint64_t>(p[0].integer), range, 0, false));
}
Fault integersFault(const Parameter* p) { return {p[0].integer >= p[1].integer ? "low >= high" : nullptr}; }

/// Ten standard deviations of the counts' own rate have to fit into int64.
Fault negativeBinomialFault(const Parameter* p) {
  const double n = p[0].real, q = p[1].real, most = 9.223372006484771e18;
  return {(1.0 - q) * (n + 10.0 * std::sqrt(n)) / q > most ? "n too large or p too small" : nullptr};
}

Fault triangularFault(const Parameter* p) {
  if (p[0].real > p[1].real) return {"left > mode"};
  if (p[1].real > p[2].real) return {"mode > right"};
  return {p[0].real == p[2].real ? "left == right" : nullptr};
}

constexpr ParameterRow loc{"loc"}, scale{"scale", Constraint::NonNegative};
/// SciPy's distributions check differently.
constexpr ParameterRow scipyScale{"scale", Constraint::NonNegativeNumber};
constexpr ParameterRow probability{"p", Constraint::Probability};
constexpr ParameterRow trials{"n", Constraint::NonNegative, true};

constexpr double kPi = std::numbers::pi;

// Parameters are those of PyTensor's random variables; distributions by inversion take one uniform number
// each.
const Distribution kDistributions[] = {
    {.name = "bernoulli",
     .parameterCount = 1,
     .parameters = {probability},
     .integer = [](RngState& rng, const Parameter* p) { return binomial(rng, p[0].real, 1); }},
    {.name = "beta",
     .parameterCount = 2,
     .parameters = {{{"a", Constraint::Positive}, {"b", Constraint::Positive}}},
     .real = real2<random_beta>},
    {.name = "beta_binomial",
     .parameterCount = 3,
     .parameters = {{trials, {"a", Constraint::PositiveNumber}, {"b", Constraint::PositiveNumber}}},
     .integer = [](RngState& rng, const Parameter* p) { return binomial(rng, p[1].real, p[0].integer); },
     .first = [](RngState& rng,
                 const Parameter* p) { return random_beta(Source(rng), p[1].real, p[2].real); },
     .firstPosition = 1},
    {.name = "binomial",
     .parameterCount = 2,
     .parameters = {{trials, probability}},
     .integer = [](RngState& rng, const Parameter* p) { return binomial(rng, p[1].real, p[0].integer); }},
    {.name = "cauchy",
     .parameterCount = 2,
     .parameters = {{loc, scipyScale}},
     .real =
         [](RngState& rng, const Parameter* p) {
           return std::tan(kPi * nextDouble(rng) - kPi / 2.0) * p[1].real + p[0].real;
         },
     .location = 0,
     .scale = 1},
    {.name = "exponential", .parameterCount = 1, .parameters = {scale}, .real = real1<random_exponential>},
    {.name = "gamma",
     .parameterCount = 2,
     .parameters = {{{"shape", Constraint::NonNegative}, scale}},
     .real = real2<random_gamma>},
    {.name = "gengamma",
     .parameterCount = 3,
     .parameters = {{{"alpha"}, {"p", Constraint::NonZeroNumber}, {"lambda", Constraint::NonNegativeNumber}}},
     .real =
         [](RngState& rng, const Parameter* p) {
           const double gamma = random_standard_gamma(Source(rng), p[0].real / p[1].real);
           return std::pow(gamma, 1.0 / p[1].real) * p[2].real;
         },
     .fault =
         [](const Parameter* p) { return Fault{p[0].real / p[1].real > 0.0 ? nullptr : "alpha / p <= 0"}; },
     .scale = 2},
    {.name = "geometric",
     .parameterCount = 1,
     .parameters = {{{"p", Constraint::PositiveProbability}}},
     .integer = integer1<random_geometric>},
    {.name = "gumbel",
     .parameterCount = 2,
     .parameters = {{loc, scipyScale}},
     .real = [](RngState& rng,
                const Parameter* p) { return -std::log(-std::log(nextDouble(rng))) * p[1].real + p[0].real; },
     .location = 0,
     .scale = 1},
    {.name = "halfcauchy",
     .parameterCount = 2,
     .parameters = {{loc, scipyScale}},
     .real = [](RngState& rng,
                const Parameter* p) { return std::tan(kPi / 2.0 * nextDouble(rng)) * p[1].real + p[0].real; },
     .location = 0,
     .scale = 1},
    {.name = "halfnormal",
     .parameterCount = 2,
     .parameters = {{loc, scipyScale}},
     .real =
         [](RngState& rng, const Parameter* p) {
           return std::fabs(random_standard_normal(Source(rng))) * p[1].real + p[0].real;
         },
     .location = 0,
     .scale = 1},
    {.name = "hypergeometric",
     .parameterCount = 3,
     .parameters = {{{"ngood", Constraint::NonNegative, true},
                     {"nbad", Constraint::NonNegative, true},
                     {"nsample", Constraint::NonNegative, true}}},
     .integer = hypergeometric,
     .fault = hypergeometricFault},
    {.name = "integers",
     .parameterCount = 2,
     .parameters = {{{"low", Constraint::None, true}, {"high", Constraint::None, true}}},
     .integer = integers,
     .fault = integersFault,
     .faultOfDraws = true},
    {.name = "invgamma",
     .parameterCount = 2,
     .parameters = {{{"shape", Constraint::NonNegative}, scale}},
     .real = [](RngState& rng,
                const Parameter* p) { return 1.0 / random_gamma(Source(rng), p[0].real, 1.0 / p[1].real); }},
    {.name = "laplace", .parameterCount = 2, .parameters = {{loc, scale}}, .real = real2<random_laplace>},
    {.name = "logistic", .parameterCount = 2, .parameters = {{loc, scale}}, .real = real2<random_logistic>},
    {.name = "lognormal",
     .parameterCount = 2,
     .parameters = {{{"mean"}, {"sigma", Constraint::NonNegative}}},
     .real = real2<random_lognormal>},
    {.name = "negative_binomial",
     .parameterCount = 2,
     .parameters = {{{"n", Constraint::PositiveNumber}, {"p", Constraint::PositiveProbability}}},
     .integer = integer2<random_negative_binomial>,
     .fault = negativeBinomialFault},
    {.name = "normal", .parameterCount = 2, .parameters = {{loc, scale}}, .real = real2<random_normal>},
    {.name = "pareto",
     .parameterCount = 2,
     .parameters = {{{"b", Constraint::PositiveNumber}, scipyScale}},
     .real = [](RngState& rng,
                const Parameter* p) { return std::pow(1.0 - nextDouble(rng), -1.0 / p[0].real) * p[1].real; },
     .scale = 1},
    {.name = "poisson",
     .parameterCount = 1,
     .parameters = {{{"rate", Constraint::PoissonRate}}},
     .integer = integer1<random_poisson>},
    {.name = "t",
     .parameterCount = 3,
     .parameters = {{{"df", Constraint::PositiveNumber}, loc, scipyScale}},
     .real =
         [](RngState& rng, const Parameter* p) {
           return random_standard_t(Source(rng), p[0].real) * p[2].real + p[1].real;
         },
     .location = 1,
     .scale = 2},
    {.name = "triangular",
     .parameterCount = 3,
     .parameters = {{{"left"}, {"mode"}, {"right"}}},
     .real = real3<random_triangular>,
     .fault = triangularFault},
    {.name = "truncexpon",
     .parameterCount = 3,
     .parameters = {{{"b", Constraint::PositiveNumber}, loc, scipyScale}},
     .real =
         [](RngState& rng, const Parameter* p) {
           return -std::log1p(nextDouble(rng) * std::expm1(-p[0].real)) * p[2].real + p[1].real;
         },
     .location = 1,
     .scale = 2},
    {.name = "uniform",
     .parameterCount = 2,
     .parameters = {{{"low"}, {"high"}}},
     .real = uniform,
     .fault = uniformFault},
    {.name = "vonmises",
     .parameterCount = 2,
     .parameters = {{{"mu"}, {"kappa", Constraint::NonNegative}}},
     .real = real2<random_vonmises>},
    {.name = "wald",
     .parameterCount = 2,
     .parameters = {{{"mean", Constraint::Positive}, {"scale", Constraint::Positive}}},
     .real = real2<random_wald>},
    {.name = "weibull",
     .parameterCount = 1,
     .parameters = {{{"shape", Constraint::NonNegative}}},
     .real = real1<random_weibull>},
};

const Samplers kSamplers{
    .distributions = kDistributions,
    .upToByMask = [](RngState& rng, uint64_t greatest) { return random_interval(Source(rng), greatest); },
    .upToByLemire =
        [](RngState& rng, uint64_t greatest) {
          return random_bounded_uint64(Source(rng), 0, greatest, 0, false);
        },
    .standardNormal = [](RngState& rng) { return random_standard_normal(Source(rng)); },
    .standardGamma = [](RngState& rng, double shape) { return random_standard_gamma(Source(rng), shape); },
    .beta = [](RngState& rng, double a, double b) { return random_beta(Source(rng), a, b); },
    .multinomial =
        [](RngState& rng, int64_t n, const double* p, int64_t k, int64_t* counts) {
          binomial_t setup{};
          std::fill_n(counts, k, int64_t{0});
          // Its p is not const, but is not written to.
          random_multinomial(Source(rng), n, counts, const_cast<double*>(p), k, &setup);
        }};

} // namespace

const Samplers* numpySamplers() { return &kSamplers; }

} // namespace nodewise
