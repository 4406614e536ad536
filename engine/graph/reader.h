// Reading the Nodewise graph file (.nwg.json), every rule of the format checked.
#pragma once

#include "base/result.h"
#include "graph/graph.h"

#include <string>
#include <string_view>

namespace nodewise {

/// Reads a graph file. Each error says the file, the JSON path and what was expected.
Result<GraphFile> readGraphFile(const std::string& path);
/// The same from text in memory; `name` stands for the file in errors.
Result<GraphFile> readGraphText(std::string_view text, const std::string& name = {});
/// One Data ("{dtype, shape, data}" ...) from JSON; `path` is its JSON path for errors.
Result<Data> readData(const nlohmann::json& json, const std::string& path);
/// One Type from JSON.
Result<Type> readType(const nlohmann::json& json, const std::string& path);

} // namespace nodewise
