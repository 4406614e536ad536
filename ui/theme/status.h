// What a node is shown as: the outcome of its lookup, or, where there is none, how it is run. A letter goes
// with every colour, so that nothing is said by colour alone.
#pragma once

#include "session/session.h"

#include <QColor>
#include <QString>

#include <array>
#include <optional>
#include <span>
#include <string_view>

namespace nodewise::ui {

enum class Status : uint8_t {
  Hit,
  Miss,
  Stale,
  Uncacheable,
  Failed,
  LookupError,
  NotCompiled,
  View,
  Prebuilt,
  Unsupported
};
inline constexpr size_t kStatusCount = 10;

enum class Border : uint8_t { Thin, Thick, Dashed };

struct StatusRow {
  Status status;
  char16_t letter;
  std::string_view name; ///< the word in legend, query (`state:`) and command line
  QRgb colour;           ///< Okabe and Ito's, safe for the colour-blind; 0: no fill
  Border border;
  bool hatched;
  std::string_view doc; ///< one sentence for tool tips
};

/// All rows, in the order of the legend.
std::span<const StatusRow> statusTable();
const StatusRow& statusRow(Status status);
std::optional<Status> parseStatus(std::string_view name);

/// Of a lookup.
inline Status statusOf(Outcome outcome) { return static_cast<Status>(outcome); } // in the same order
/// Of a node in its present state.
Status statusOf(const NodeInfo& info, const NodeState& state);

/// How many nodes have each status.
using StatusCounts = std::array<int64_t, kStatusCount>;
inline int64_t& countOf(StatusCounts& counts, Status status) { return counts[static_cast<size_t>(status)]; }
inline int64_t countOf(const StatusCounts& counts, Status status) {
  return counts[static_cast<size_t>(status)];
}

} // namespace nodewise::ui
