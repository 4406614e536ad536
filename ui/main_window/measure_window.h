// The window's own times, measured in a window that no one sees.
#pragma once

#include "base/result.h"

#include <optional>
#include <string>
#include <vector>

namespace nodewise {

struct WindowMeasure {
  std::string name;
  double value = 0;
  std::string unit;
  std::optional<double> atMost;
  std::string note; ///< what was measured
};

/// Opens generated graphs, moves over them and cancels a layout. Makes the QApplication: call it once, from a
/// program without one.
Result<std::vector<WindowMeasure>> measureWindow();

} // namespace nodewise
