// Repeated structure: the stretch of a sequence that is one piece over and over, as layers of a network are.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

namespace nodewise::ui {

struct Repeat {
  size_t from = 0;   ///< where the first piece begins
  size_t period = 0; ///< length of a piece
  size_t count = 0;  ///< pieces
  size_t end() const { return from + period * count; }
};

/// The longest repetition of pieces of at least `leastPeriod` elements; none unless it is at least a third of
/// the sequence and holds three pieces. Takes time in proportion to the length.
std::optional<Repeat> findRepeat(std::span<const uint64_t> sequence, size_t leastPeriod);

} // namespace nodewise::ui
