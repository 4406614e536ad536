// The pieces that reader.cpp puts together: one function for each structure of the format.
#pragma once

#include "base/result.h"
#include "graph/graph.h"
#include "graph/json_path.h"

namespace nodewise {

/// Graphs within graphs within graphs ...; a deeper file is refused, since everything that walks graphs
/// recurses.
inline constexpr int kDeepestGraph = 64;

Result<Type> typeFromJson(const nlohmann::json& json, const JsonPath& path);
Result<Data> dataFromJson(const nlohmann::json& json, const JsonPath& path);
/// Takes the contents out of `json`. `depth` is the number of graphs around this one.
Result<Graph> graphFromJson(nlohmann::json& json, const JsonPath& path, int depth = 0);
Result<Case> caseFromJson(const nlohmann::json& json, const JsonPath& path, const Graph& graph);

/// The list of lengths in "shape". With `orUnknown` null stands for an unknown one. No length is negative,
/// and the bytes of an array of these lengths can be counted in an int64.
Result<std::vector<int64_t>> shapeFromJson(const nlohmann::json& object, const JsonPath& path, DType dtype,
                                           bool orUnknown);

/// Outputs in cases are what the producer computed, and its idea of their lengths at graph-build time is now
/// and then wrong: such a file is shown and run, and comparing says what differs.
enum class Lengths : uint8_t { AsDeclared, Any };

/// The data is what a value of that type may hold: kind, dtype, rank, static lengths.
Result<void> checkFits(const Type& type, const Data& data, const JsonPath& path,
                       Lengths lengths = Lengths::AsDeclared);

} // namespace nodewise
