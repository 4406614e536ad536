// A layout as bytes, to be kept: its format begins with a version, and what is read is checked against what
// was asked for.
//
//   byte version; int32 boxes, edges; float width, height
//   boxes times float x, y; edges times (int32 points, points times float x, y)
//
// Numbers as the machine has them (little-endian, as all that the cache's files are made on).
#pragma once

#include "ui/graph/layout.h"

#include <cstddef>
#include <optional>
#include <span>

namespace nodewise::ui {

std::vector<std::byte> layoutBytes(const LayoutResult& layout);

/// None: of another version, damaged, or a layout of something else than `request`.
std::optional<LayoutResult> layoutOfBytes(std::span<const std::byte> bytes, const LayoutRequest& request);

} // namespace nodewise::ui
