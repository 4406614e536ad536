// NumPy's samplers, where its C library was there when Nodewise was built.
#pragma once

#include "graph/data.h"

#include <array>
#include <span>
#include <string_view>

namespace nodewise {

/// One parameter of one draw, in the member that its row says.
union Parameter {
  double real;
  int64_t integer;
};

/// What every element of a parameter has to satisfy; else NumPy (SciPy) raises ValueError before anything is
/// drawn.
enum class Constraint : uint8_t {
  None,
  NonNegative,       ///< sign bit unset, or not-a-number
  Positive,          ///< or not-a-number
  NonNegativeNumber, ///< 0 or more, and a number
  PositiveNumber,    ///< more than 0, and a number
  NonZeroNumber,     ///< SciPy's exponents
  Probability,       ///< in [0, 1]
  PositiveProbability,
  PoissonRate, ///< 0 or more, and small enough for int64 results
};
bool satisfies(Constraint constraint, bool isInteger, Parameter value);
/// "must be a number >= 0": for the error message.
std::string_view constraintText(Constraint constraint);

struct ParameterRow {
  std::string_view name;
  Constraint constraint = Constraint::None;
  bool isInteger = false;
};

/// Why parameters do not go together; nothing where they do.
struct Fault {
  const char* what = nullptr;
  const char* type = "ValueError"; ///< what NumPy raises
};

/// A distribution of single numbers. Draws of an array are made element by element, in C order.
struct Distribution {
  std::string_view name; ///< the `dist` of a RandomVariable
  int parameterCount;
  std::array<ParameterRow, 3> parameters;
  /// One of the two.
  double (*real)(RngState& rng, const Parameter* p) = nullptr;
  int64_t (*integer)(RngState& rng, const Parameter* p) = nullptr;
  /// What several parameters together have to satisfy.
  Fault (*fault)(const Parameter* p) = nullptr;
  /// Where nothing is drawn NumPy does not look for this fault.
  bool faultOfDraws = false;
  /// Positions of SciPy's location and scale, or -1. Where every scale is 0 SciPy draws nothing and gives the
  /// location.
  int location = -1, scale = -1;
  /// A draw that needs another one before: the parameter of that position is replaced by its result. All of
  /// these are drawn before the first of the others.
  double (*first)(RngState& rng, const Parameter* p) = nullptr;
  int firstPosition = -1;
};

struct Samplers {
  std::span<const Distribution> distributions; ///< sorted by name
  /// Uniform in 0 ... greatest, in the two ways that NumPy has: by rejection of bits masked to the range, and
  /// by Lemire's multiplication. They take different numbers from the stream.
  uint64_t (*upToByMask)(RngState& rng, uint64_t greatest);
  uint64_t (*upToByLemire)(RngState& rng, uint64_t greatest);
  double (*standardNormal)(RngState& rng);
  double (*standardGamma)(RngState& rng, double shape);
  double (*beta)(RngState& rng, double a, double b);
  /// counts[0 ... k) of n trials with probabilities p[0 ... k).
  void (*multinomial)(RngState& rng, int64_t n, const double* p, int64_t k, int64_t* counts);
};

/// Null where Nodewise was built without NumPy's sampler library.
const Samplers* numpySamplers();

} // namespace nodewise
