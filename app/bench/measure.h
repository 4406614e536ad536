// Timing: the median of repeated runs, and ratios of two things measured in turn.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <vector>

namespace nodewise::bench {

inline int64_t nowNs() {
  return std::chrono::nanoseconds(std::chrono::steady_clock::now().time_since_epoch()).count();
}

/// Nanoseconds a call: the least of `rounds` rounds of `calls` calls (what disturbs a measurement only adds
/// to it).
template <class F> double leastNs(int rounds, int64_t calls, F&& call) {
  double best = 1e300;
  for (int round = 0; round < rounds; ++round) {
    const int64_t begin = nowNs();
    for (int64_t k = 0; k < calls; ++k) call();
    best = std::min(best, static_cast<double>(nowNs() - begin) / static_cast<double>(calls));
  }
  return best;
}

/// Times a and b in turn, so that a change of the machine's speed hits both; gives the least of each.
struct Pair {
  double a, b;
};
template <class A, class B> Pair inTurn(int rounds, int64_t calls, A&& a, B&& b) {
  Pair least{1e300, 1e300};
  for (int round = 0; round < rounds; ++round) {
    least.a = std::min(least.a, leastNs(1, calls, a));
    least.b = std::min(least.b, leastNs(1, calls, b));
  }
  return least;
}

} // namespace nodewise::bench
