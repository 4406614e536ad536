// What nodes are coloured by, and the categories that the legend counts.
#pragma once

#include "ui/theme/status.h"
#include "ui/theme/theme.h"

#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace nodewise::ui {

enum class ColourBy : uint8_t {
  Outcome, ///< of the last lookup; how it is run, where there is none
  Kind,    ///< kernel, view, prebuilt, unsupported
  Cost,    ///< recorded compile time
  Run,     ///< time in the last profiled run
  Size,    ///< bytes of its object
  Hits,    ///< of its entry
  Age,     ///< of its entry
  Dtype,   ///< of output 0
  Family   ///< of its op
};
struct ColourByRow {
  ColourBy by;
  std::string_view name; ///< as the tool bar and the command line have it: "cost"
  std::string_view title;
};
std::span<const ColourByRow> colourByTable();
std::optional<ColourBy> parseColourBy(std::string_view name);

/// One row of the legend.
struct Category {
  QString name, letter, doc;
  QRgb colour = 0; ///< 0: no fill
  Border border = Border::Thin;
  bool hatched = false;
  int64_t count = 0;
  QString query; ///< that finds its nodes; empty: none does
};
/// The category of a status, without nodes yet.
Category categoryOf(const StatusRow& row);

/// How one node is drawn.
struct NodeLook {
  uint8_t category = 0; ///< in Colouring::categories
  QRgb colour = 0;      ///< of its strip; 0: no fill
  uint8_t mark = 0;     ///< in Colouring::marks; 0: none
};

struct Colouring {
  ColourBy by = ColourBy::Outcome;
  std::vector<Category> categories;
  std::vector<NodeLook> looks;  ///< by node
  std::vector<int64_t> amounts; ///< by node, of what is measured; empty where the colours are no ramp
  /// By node, what it adds to a sum: its amount, or, of a run time, what its inner graph does not hold.
  std::vector<int64_t> shares;
  /// By node, a number for its key where all nodes of a key have one amount, which counts once in a sum; -1:
  /// none. Empty: every node counts.
  std::vector<int32_t> keys;
  QString (*amountText)(int64_t) = nullptr; ///< an amount with its unit
  bool adds = false;                        ///< amounts of a group may be summed
  /// What else is said of nodes, by a thick border with a letter, whatever their colour. The first stands for
  /// nothing to say. Empty: no node is marked.
  std::vector<Category> marks;

  bool isRamp() const { return !amounts.empty(); }
};

/// `states` has one element for each of `nodes`. `nowUnix`: for ages. `followers`: by node, whether it missed
/// only because another one did; empty: unknown, and misses are of one kind.
Colouring makeColouring(ColourBy by, std::span<const NodeInfo> nodes, std::span<const NodeState> states,
                        int64_t nowUnix = 0, const std::vector<bool>& followers = {});

} // namespace nodewise::ui
