// The window.
#include "rows.h"

#include "ui/main_window/measure_window.h"

namespace nodewise::bench {

Result<std::vector<BenchRow>> uiRows() {
  NW_TRY(const std::vector<WindowMeasure> measures, measureWindow());
  std::vector<BenchRow> rows;
  for (const WindowMeasure& m : measures) rows.push_back({m.name, m.value, m.unit, m.atMost, {}, m.note});
  return rows;
}

} // namespace nodewise::bench
