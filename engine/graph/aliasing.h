// Which of a graph's in-place permissions are safe to take.
#pragma once

#include "graph/graph.h"

#include <utility>
#include <vector>

namespace nodewise {

/// For each node the (output, input) pairs of its `destroys` that an engine may honour: the storage belongs
/// to a value that a node of this graph made (never to an input or a constant), and nothing reads it
/// afterwards but through that output. All others have to be copied, which the format permits.
std::vector<std::vector<std::pair<int, int>>> safeDestroys(const Graph& graph);

/// The value whose storage each value is in: itself, or what it is a view of, or what it overwrites.
/// `destroys` are the pairs honoured, as safeDestroys gives them.
std::vector<ValueId> storageRoots(const Graph& graph,
                                  const std::vector<std::vector<std::pair<int, int>>>& destroys);

} // namespace nodewise
