#include "numeric/random/samplers.h"

#include <array>
#include <cmath>

namespace nodewise {

namespace {

/// NumPy's: the greatest int64 less ten standard deviations of such a rate.
constexpr double kGreatestPoissonRate = 9.223372006484771e18;

} // namespace

bool satisfies(Constraint constraint, bool isInteger, Parameter value) {
  const double x = isInteger ? static_cast<double>(value.integer) : value.real;
  switch (constraint) {
  case Constraint::None:
    return true;
  case Constraint::NonNegative:
    return std::isnan(x) || !std::signbit(x);
  case Constraint::Positive:
    return !(x <= 0.0);
  case Constraint::NonNegativeNumber:
    return x >= 0.0;
  case Constraint::PositiveNumber:
    return x > 0.0;
  case Constraint::NonZeroNumber:
    return x < 0.0 || x > 0.0;
  case Constraint::Probability:
    return x >= 0.0 && x <= 1.0;
  case Constraint::PositiveProbability:
    return x > 0.0 && x <= 1.0;
  case Constraint::PoissonRate:
    return x >= 0.0 && x <= kGreatestPoissonRate;
  }
  return false;
}

std::string_view constraintText(Constraint constraint) {
  constexpr std::array<std::string_view, 9> texts{
      "any number",     "at least 0", "greater than 0", "a number of at least 0", "a number greater than 0",
      "a number but 0", "in [0, 1]",  "in (0, 1]",      "in [0, 9.223e18]"};
  return texts[static_cast<size_t>(constraint)];
}

} // namespace nodewise
