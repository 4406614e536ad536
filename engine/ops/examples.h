// Example graphs of the ops: for documentation, and run by the tests in every memory layout.
#pragma once

#include "base/result.h"
#include "graph/graph.h"

#include <string>
#include <string_view>
#include <vector>

namespace nodewise {

/// The ops and scalar ops that have examples (resources/op_examples.json), sorted.
std::vector<std::string> namesWithExamples();

/// The examples of an op or scalar op: graphs of one node, each with one case, whose outputs NumPy and SciPy
/// computed. Empty: there are none. An error means that the resource is malformed.
Result<std::vector<GraphFile>> examplesOf(std::string_view name);

/// The dtypes on which the op runs: those that its first floating input and all values of the same dtype can
/// be changed to, so that the node is lowered.
std::vector<DType> dtypesOf(const GraphFile& example);
/// The same graph with another dtype in place of that of the first floating input; the case keeps its own.
Graph withDType(const Graph& graph, DType dtype);

/// An example as one line: "Join(-1, [[1, 2]], [[3]]) = [[1, 2, 3]]", with params as "axis=[1]".
std::string exampleText(const GraphFile& example);

} // namespace nodewise
