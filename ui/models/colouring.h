// What nodes are coloured by, and the categories that the legend counts.
#pragma once

#include "ui/theme/status.h"
#include "ui/theme/theme.h"

#include <span>
#include <string_view>
#include <vector>

namespace nodewise::ui {

enum class ColourBy : uint8_t {
  Outcome, ///< of the last lookup; how it is run, where there is none
  Kind,    ///< kernel, view, prebuilt, unsupported
  Cost     ///< recorded compile time
};
struct ColourByRow {
  ColourBy by;
  std::string_view name;
};
std::span<const ColourByRow> colourByTable();

/// One row of the legend.
struct Category {
  QString name, letter, doc;
  QRgb colour = 0; ///< 0: no fill
  Border border = Border::Thin;
  bool hatched = false;
  int64_t count = 0;
};

/// How one node is drawn.
struct NodeLook {
  uint8_t category = 0; ///< in Colouring::categories
  QRgb colour = 0;      ///< of its strip; 0: no fill
};

struct Colouring {
  ColourBy by = ColourBy::Outcome;
  std::vector<Category> categories;
  std::vector<NodeLook> looks; ///< by node
  std::vector<int64_t> costs;  ///< by node, nanoseconds; empty unless coloured by cost
};

/// `states` has one element for each of `nodes`.
Colouring makeColouring(ColourBy by, std::span<const NodeInfo> nodes, std::span<const NodeState> states);

} // namespace nodewise::ui
