// What checks, key text and code of scalar graphs all ask of them.
#pragma once

#include "base/result.h"
#include "graph/graph.h"

#include <functional>
#include <string>
#include <vector>

namespace nodewise {

std::vector<DType> dtypesOf(const Graph& graph, const std::vector<ValueId>& ids);

/// A loop's parameter `as_while`; `path` is the node's. Error: it is no boolean.
Result<bool> asWhileOf(const Node& node, const std::string& path);
/// The same of a node of a scalar graph that was checked; false for all but loops.
bool stopsWhenDone(const Node& node);

/// The value's number, if it is a constant.
const Tensor* constantOf(const Value& value);

/// Visits the nodes of a scalar graph and of those in it, each before what is in it.
void visitOps(const Graph& graph, const std::function<void(const Node&)>& visit);

} // namespace nodewise
