#include "session/node_text.h"

#include "ops/scalar_graph.h"

#include <fmt/format.h>

namespace nodewise {

std::string nodeDetail(const Graph& graph, const Node& node) {
  (void)graph;
  const auto& params = node.params;
  if (node.op == "Elemwise" || node.op == "composite") return scalarDetail(node);
  // The params that people know a node by, in this order.
  static constexpr std::string_view shown[] = {"axis",  "new_order", "scalar_op", "dist", "mode",    "class",
                                               "dtype", "assume_a",  "signature", "i",    "idx_list"};
  std::string text;
  for (std::string_view key : shown) {
    const auto it = params.find(std::string(key));
    if (it == params.end() || it->is_null() || (key == "scalar_op" && node.op != "CAReduce")) continue;
    std::string value = it->is_string() ? it->get<std::string>() : it->dump();
    if (value.size() > 40) value = value.substr(0, 37) + "...";
    const bool bare =
        key == "dist" || key == "class" || key == "scalar_op" || key == "dtype" || key == "signature";
    text += fmt::format("{}{}", text.empty() ? "" : ", ", bare ? value : fmt::format("{} {}", key, value));
  }
  return text;
}

} // namespace nodewise
