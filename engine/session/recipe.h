// Recipes: all that is needed to compile a cache entry again, as a graph file of one node.
#pragma once

#include "base/result.h"
#include "graph/graph.h"
#include "ops/op.h"

#include <string>

namespace nodewise {

/// The node alone: types of its inputs and outputs, params, inner graph with its constants, honoured in-place
/// pairs. Names, scopes, origins and contents of inputs are left out: the code does not depend on them.
std::string makeRecipe(const Graph& graph, const Node& node,
                       const std::vector<std::pair<int, int>>& destroys);

/// A recipe, lowered again.
struct RecipeNode {
  GraphFile file;
  Lowered lowered;
};
Result<std::unique_ptr<RecipeNode>> readRecipe(const std::string& recipe);

} // namespace nodewise
