// What `nodewise bench` measures: a row each.
#pragma once

#include "base/result.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace nodewise::bench {

struct BenchRow {
  std::string name;
  double value = 0;
  std::string unit;             ///< "ms", "µs", "ns", "of the loop's speed"
  std::optional<double> atMost; ///< limit
  std::optional<double> atLeast;
  std::string note; ///< what was measured
  bool within() const { return (!atMost || value <= *atMost) && (!atLeast || value >= *atLeast); }
};

/// Cost of keys, lookups, compiles, links and of the VM.
Result<std::vector<BenchRow>> engineRows();
/// Kernels against hand-written loops.
Result<std::vector<BenchRow>> kernelRows();
/// The store: thousands of entries, a full cache.
Result<std::vector<BenchRow>> storeRows();
/// Starting the program.
Result<std::vector<BenchRow>> startRows();
/// The window, on generated graphs.
Result<std::vector<BenchRow>> uiRows();

/// Each family of ops at sizes 10 to 10^7 against loops and library routines.
/// `only`: those whose name contains it.
Result<std::vector<BenchRow>> opRows(std::string_view only);

} // namespace nodewise::bench
