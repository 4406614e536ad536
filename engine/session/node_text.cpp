#include "session/node_text.h"

#include "ops/scalar_graph.h"

#include <cstring>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace nodewise {
namespace {

using nlohmann::json;

std::string plain(const json& value) {
  return value.is_string() ? value.get<std::string>()
                           : value.dump(-1, ' ', false, json::error_handler_t::replace);
}

std::string joined(const json& list) {
  std::vector<std::string> words;
  for (const json& item : list) words.push_back(plain(item));
  return fmt::format("{}", fmt::join(words, ", "));
}

/// "axis 0", "axes 0, 1".
std::string axisText(const json& value, const Graph&, const Node&) {
  if (!value.is_array()) return fmt::format("axis {}", plain(value));
  return fmt::format("{} {}", value.size() == 1 ? "axis" : "axes", joined(value));
}

std::string orderText(const json& value, const Graph&, const Node&) {
  return fmt::format("order {}", value.is_array() ? joined(value) : plain(value));
}

std::string bareText(const json& value, const Graph&, const Node&) { return plain(value); }
std::string modeText(const json& value, const Graph&, const Node&) {
  return fmt::format("mode {}", plain(value));
}
std::string assumeText(const json& value, const Graph&, const Node&) {
  return fmt::format("assume {}", plain(value));
}

/// An input of an index: its number where it is a constant, else its name, else a letter. Files may be wrong
/// here: this only shows them.
std::string indexInput(const json& position, const Graph& graph, const Node& node) {
  if (position.is_null()) return {};
  if (!position.is_number_integer()) return "?";
  const auto k = position.get<int64_t>();
  if (k < 0 || static_cast<size_t>(k) >= node.in.size()) return "?";
  const Value& value = graph.values[static_cast<size_t>(node.in[static_cast<size_t>(k)])];
  const Tensor* tensor = value.constant ? value.constant->tensor() : nullptr;
  if (tensor && tensor->shape.empty() && tensor->dtype == DType::Int64 &&
      tensor->bytes.size() == sizeof(int64_t)) {
    int64_t number = 0;
    std::memcpy(&number, tensor->bytes.data(), sizeof number);
    return std::to_string(number);
  }
  return value.name.empty() ? "i" : value.name;
}

/// As Python writes it: "[:3, i]".
std::string indexText(const json& value, const Graph& graph, const Node& node) {
  if (!value.is_array()) return {};
  std::vector<std::string> axes;
  for (const json& axis : value) {
    if (!axis.is_array() || axis.size() != 3) {
      axes.push_back(indexInput(axis, graph, node));
      continue;
    }
    std::string text =
        fmt::format("{}:{}", indexInput(axis[0], graph, node), indexInput(axis[1], graph, node));
    const std::string step = indexInput(axis[2], graph, node);
    if (!step.empty() && step != "1") text += fmt::format(":{}", step);
    axes.push_back(std::move(text));
  }
  return fmt::format("[{}]", fmt::join(axes, ", "));
}

/// The params that people know a node by, in this order.
struct ParamRow {
  const char* name;
  std::string (*text)(const json& value, const Graph& graph, const Node& node);
};
constexpr ParamRow kParams[] = {
    {"axis", axisText}, {"new_order", orderText}, {"scalar_op", bareText}, {"dist", bareText},
    {"mode", modeText}, {"class", bareText},      {"dtype", bareText},     {"assume_a", assumeText},
    {"i", axisText},    {"idx_list", indexText},  {"signature", bareText},
};

} // namespace

std::string nodeDetail(const Graph& graph, const Node& node) {
  if (node.op == "Elemwise" || node.op == "composite") return scalarDetail(node);
  constexpr size_t kMost = 40;
  std::string text;
  for (const ParamRow& row : kParams) {
    const auto it = node.params.find(row.name);
    if (it == node.params.end() || it->is_null()) continue;
    // Of a Sum the op says already what it adds by.
    if (std::string_view(row.name) == "scalar_op" && node.op != "CAReduce") continue;
    std::string value = row.text(*it, graph, node);
    if (value.size() > kMost) value = fmt::format("{}...", std::string_view(value).substr(0, kMost - 3));
    if (!value.empty()) text += fmt::format("{}{}", text.empty() ? "" : ", ", value);
  }
  return text;
}

} // namespace nodewise
