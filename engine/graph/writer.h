// Writing the Nodewise graph file. No key whose value is the default is written.
#pragma once

#include "base/result.h"
#include "graph/graph.h"

#include <string>

namespace nodewise {

nlohmann::json toJson(const Type& type);
nlohmann::json toJson(const Data& data);
/// A graph, at any level.
nlohmann::json toJson(const Graph& graph);
/// A whole file; readGraphText(dump of it) gives the same again.
nlohmann::json toJson(const GraphFile& file);
/// Writes to a temporary file beside `path` and renames it, so that no half-written file is left.
Result<void> writeGraphFile(const GraphFile& file, const std::string& path);

} // namespace nodewise
