// Small graphs made in memory, for measuring.
#pragma once

#include "graph/graph.h"

#include <string>

namespace nodewise::bench {

/// `count` nodes y = x + x over 0-d float64, each on the last one's result.
GraphFile chain(int count);
/// One Elemwise of `inputs` float64 vectors.
GraphFile elementwise(const std::string& scalarOp, int inputs);
/// One Sum over all of a float64 vector.
GraphFile sum();
/// `count` fused nodes whose constants differ: no two have a key in common.
GraphFile distinctNodes(int count);

} // namespace nodewise::bench
