#include "graph/graph.h"

#include <fmt/format.h>

namespace nodewise {

std::string nodePath(const std::string& graphPath, size_t nodeIndex) {
  return fmt::format("{}.nodes[{}]", graphPath, nodeIndex);
}

std::string innerPath(const std::string& graphPath, size_t nodeIndex, const Node& node) {
  return fmt::format("{}.params.{}", nodePath(graphPath, nodeIndex), innerKey(node.op));
}

} // namespace nodewise
