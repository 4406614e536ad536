// How many bytes go along the edges: by type where lengths are known, or as a run had them.
#pragma once

#include "ui/graph/scene.h"

namespace nodewise {
struct ValueReport;
}

namespace nodewise::ui {

inline constexpr int64_t kUnknownBytes = -1;

struct EdgeBytes {
  std::vector<std::vector<int64_t>> ofValue; ///< by level, by value; kUnknownBytes where no one knows
  int64_t least = 0, greatest = 0;           ///< of those that are known and hold something; 0: none is
  int64_t unknown = 0;                       ///< values that edges carry without a known size
  bool measured = false;                     ///< some are a run's
};

/// Of the element's size and the lengths; kUnknownBytes for what is no array, or whose lengths are open.
int64_t bytesOf(const Type& type);

/// `measured`: the values of a run of this graph, which count more than its types; null: there is none.
EdgeBytes bytesOfValues(const SceneSource& source, const ValueReport* measured = nullptr);

/// The sum over an edge's values; kUnknownBytes if one of them is.
int64_t bytesOf(const EdgeBytes& bytes, const SceneEdge& edge);

/// Width of a line in pixels at zoom 1, on a log scale between the extremes: 1 to 8.
double edgeWidth(const EdgeBytes& bytes, int64_t size);

/// Three sizes for the legend: the least, the greatest, and what lies between them on the scale. Fewer where
/// the range is narrow, none where nothing is known.
std::vector<int64_t> exampleSizes(const EdgeBytes& bytes);

} // namespace nodewise::ui
