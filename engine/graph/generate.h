// Graphs made up for measuring and for trying out: networks of any size, and inputs for any graph.
#pragma once

#include "base/result.h"
#include "graph/graph.h"

#include <cstdint>
#include <vector>

namespace nodewise {

/// A layered network of exactly `nodes` nodes (0 at least) in float64: stages of blocks (dense, norm, gate,
/// attention, recurrent) that repeat, with scopes such as "net/stage2/block3/attention", constants as
/// weights, and inner graphs (Scan, OpFromGraph, composite Elemwise). One input x of type f64[?,8], one
/// output of the same type. Its numbers stay finite for inputs of moderate size. The same arguments give the
/// same graph.
GraphFile generateNetwork(int nodes, uint64_t seed);

/// Small inputs of the right types: unknown lengths become 4, floats lie between 0 and 1, integers are 1 (in
/// axes: 0, 1, 0, 1, ...). A graph whose lengths have to agree in other ways, or that wants other numbers,
/// raises when it is run with them. Error: an input's static lengths are too large to make one up.
Result<std::vector<Data>> exampleInputs(const Graph& graph);

} // namespace nodewise
