#include "session/recipe.h"

#include "graph/reader.h"
#include "graph/writer.h"

namespace nodewise {

std::string makeRecipe(const Graph& graph, const Node& node,
                       const std::vector<std::pair<int, int>>& destroys) {
  GraphFile file;
  Node copy;
  copy.op = node.op;
  copy.params = node.params;
  copy.inner = node.inner;
  copy.destroys = destroys;
  // Code does not depend on static lengths but 1, and neither do recipes: the same entry, the same text.
  auto add = [&](ValueId v) {
    Value value;
    value.type = graph.values[static_cast<size_t>(v)].type;
    for (int64_t& length : value.type.shape)
      if (length != 1) length = kUnknownLength;
    file.graph.values.push_back(std::move(value));
    return static_cast<ValueId>(file.graph.values.size()) - 1;
  };
  for (ValueId v : node.in) copy.in.push_back(add(v));
  file.graph.inputs = copy.in;
  for (ValueId v : node.out) copy.out.push_back(add(v));
  file.graph.outputs = copy.out;
  file.graph.nodes.push_back(std::move(copy));
  return toJson(file).dump();
}

Result<std::unique_ptr<RecipeNode>> readRecipe(const std::string& recipe) {
  auto node = std::make_unique<RecipeNode>();
  NW_TRY(node->file, readGraphText(recipe, "recipe"));
  if (node->file.graph.nodes.size() != 1) return Error{"expected a graph of one node", "recipe", {}, {}};
  NW_TRY(node->lowered, lowerNode({node->file.graph, node->file.graph.nodes[0], "$.graph.nodes[0]"}));
  return node;
}

} // namespace nodewise
