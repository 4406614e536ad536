// How Boost.Math is used here: errors are values (inf, not-a-number), and double stays double.
#pragma once

#include <boost/math/policies/policy.hpp>

#include <limits>

namespace nodewise::special {

inline constexpr double kInf = std::numeric_limits<double>::infinity();
inline constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

namespace detail {
using namespace boost::math::policies;
/// Never throws: overflow and poles give inf or not-a-number. Long double would cost up to ten times the time
/// and the double algorithms already reach the accuracy we promise.
using Quiet = policy<domain_error<ignore_error>, pole_error<ignore_error>, overflow_error<ignore_error>,
                     underflow_error<ignore_error>, denorm_error<ignore_error>,
                     evaluation_error<ignore_error>, rounding_error<ignore_error>,
                     indeterminate_result_error<ignore_error>, promote_float<false>, promote_double<false>>;
} // namespace detail

using Quiet = detail::Quiet;

} // namespace nodewise::special
