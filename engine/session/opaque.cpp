#include "session/opaque.h"

#include <algorithm>
#include <fmt/format.h>

namespace nodewise {

namespace {

bool isOpaque(const Type& type) {
  const Type* inner = &type;
  while (inner->kind == Kind::List && inner->elem) inner = inner->elem.get();
  return inner->kind == Kind::Opaque;
}

const Type& typeOf(const Graph& graph, ValueId value) {
  return graph.values[static_cast<size_t>(value)].type;
}

std::optional<OpaqueValue> firstOpaque(const Graph& graph, const std::vector<ValueId>& values,
                                       const std::vector<Data>& data, std::string_view role,
                                       std::string_view cannot) {
  for (size_t k = 0; k < std::min(values.size(), data.size()); ++k) {
    if (!holdsOpaque(data[k])) continue;
    return OpaqueValue{shortText(typeOf(graph, values[k])),
                       fmt::format("{} {} is an object of which the file has the text alone; it cannot be {}",
                                   role, k, cannot)};
  }
  return std::nullopt;
}

} // namespace

bool holdsOpaque(const Data& data) {
  if (std::holds_alternative<OpaqueData>(data.v)) return true;
  const auto* list = std::get_if<ListData>(&data.v);
  return list && std::ranges::any_of(list->items, holdsOpaque);
}

std::optional<OpaqueValue> opaqueInput(const Graph& graph) {
  for (size_t k = 0; k < graph.inputs.size(); ++k) {
    const Type& type = typeOf(graph, graph.inputs[k]);
    if (isOpaque(type))
      return OpaqueValue{shortText(type),
                         fmt::format("input {} is of an opaque type, which cannot be run", k)};
  }
  return std::nullopt;
}

std::optional<OpaqueValue> opaqueValue(const Graph& graph, const Case& recorded) {
  if (auto input = firstOpaque(graph, graph.inputs, recorded.inputs, "input", "run")) return input;
  return firstOpaque(graph, graph.outputs, recorded.outputs, "output", "compared");
}

} // namespace nodewise
