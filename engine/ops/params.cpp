#include "ops/params.h"

#include "numeric/strided.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace nodewise {

namespace {

/// The param, or null where it is absent (or is JSON's null).
const nlohmann::json* findParam(const NodeView& node, std::string_view key) {
  const nlohmann::json& params = node.node.params;
  if (!params.is_object()) return nullptr;
  const auto found = params.find(key);
  return found == params.end() || found->is_null() ? nullptr : &*found;
}

/// "expected an integer, found "x""; long values are cut.
std::string expectedFound(std::string_view expected, const nlohmann::json& value) {
  std::string text = value.dump(-1, ' ', true, nlohmann::json::error_handler_t::replace);
  if (text.size() > 60) text.replace(57, std::string::npos, "...");
  return fmt::format("expected {}, found {}", expected, text);
}

/// An integer that int64 holds.
std::optional<int64_t> asInt(const nlohmann::json& value) {
  if (value.is_number_unsigned()) {
    const auto number = value.get<uint64_t>();
    if (number > static_cast<uint64_t>(INT64_MAX)) return std::nullopt;
    return static_cast<int64_t>(number);
  }
  if (value.is_number_integer()) return value.get<int64_t>();
  return std::nullopt;
}

/// Reads one param with `read` (json -> optional<T>), or gives the fallback.
template <class T, class Read>
Result<T> readParam(const NodeView& node, std::string_view key, std::string_view expected,
                    std::optional<T> fallback, Read read) {
  const nlohmann::json* value = findParam(node, key);
  if (!value) {
    if (fallback) return std::move(*fallback);
    return node.paramError(key, fmt::format("expected {}, but it is missing", expected));
  }
  std::optional<T> result = read(*value);
  if (!result) return node.paramError(key, expectedFound(expected, *value));
  return std::move(*result);
}

std::string typeName(const Type& type) {
  return type.kind == Kind::Tensor || type.kind == Kind::Scalar ? shortText(type)
                                                                : std::string(kindName(type.kind));
}

Result<void> checkTensorType(const NodeView& node, std::string_view role, size_t k, const Type& type,
                             int rank) {
  if (type.kind != Kind::Tensor)
    return node.error(fmt::format("{} {} has to be a tensor, but is {}", role, k, typeName(type)));
  if (type.rank() > kMaxRank)
    return node.error(fmt::format("{} {} has rank {}, more than {}", role, k, type.rank(), kMaxRank));
  if (rank >= 0 && type.rank() != rank)
    return node.error(
        fmt::format("{} {} has to be a tensor of rank {}, but is {}", role, k, rank, typeName(type)));
  return {};
}

Result<void> checkCount(const NodeView& node, std::string_view what, size_t count, int least, int most) {
  const auto n = static_cast<int64_t>(count);
  if (n >= least && (most < 0 || n <= most)) return {};
  const std::string expected = most < 0        ? fmt::format("at least {}", least)
                               : least == most ? fmt::format("{}", least)
                                               : fmt::format("{} to {}", least, most);
  return node.error(fmt::format("{} takes {} {}, found {}", node.node.op, expected, what, n));
}

} // namespace

Error NodeView::paramError(std::string_view key, std::string expected) const {
  return {std::move(expected), fmt::format("{}.params.{}", path, key), {}, {}};
}

Error NodeView::error(std::string what) const { return {std::move(what), path, {}, {}}; }

Result<int64_t> intParam(const NodeView& node, std::string_view key, std::optional<int64_t> fallback) {
  return readParam<int64_t>(node, key, "an integer", fallback, asInt);
}

Result<bool> boolParam(const NodeView& node, std::string_view key, std::optional<bool> fallback) {
  return readParam<bool>(node, key, "true or false", fallback, [](const nlohmann::json& value) {
    return value.is_boolean() ? std::optional(value.get<bool>()) : std::nullopt;
  });
}

Result<std::string> textParam(const NodeView& node, std::string_view key,
                              std::optional<std::string> fallback) {
  return readParam<std::string>(node, key, "a text", std::move(fallback), [](const nlohmann::json& value) {
    return value.is_string() ? std::optional(value.get<std::string>()) : std::nullopt;
  });
}

Result<DType> dtypeParam(const NodeView& node, std::string_view key, std::optional<DType> fallback) {
  return readParam<DType>(node, key, "a dtype", fallback, [](const nlohmann::json& value) {
    return value.is_string() ? parseDType(value.get_ref<const std::string&>()) : std::nullopt;
  });
}

Result<std::optional<std::vector<int64_t>>> intListParam(const NodeView& node, std::string_view key,
                                                         bool orNull) {
  const nlohmann::json* value = findParam(node, key);
  if (!value && orNull) return std::optional<std::vector<int64_t>>();
  const std::string_view expected = orNull ? "a list of integers or null" : "a list of integers";
  if (!value) return node.paramError(key, fmt::format("expected {}, but it is missing", expected));
  if (!value->is_array()) return node.paramError(key, expectedFound(expected, *value));
  std::vector<int64_t> items;
  for (const nlohmann::json& item : *value) {
    const std::optional<int64_t> number = asInt(item);
    if (!number) return node.paramError(key, expectedFound(expected, *value));
    items.push_back(*number);
  }
  return std::optional(std::move(items));
}

Result<std::string> choiceParam(const NodeView& node, std::string_view key,
                                std::initializer_list<std::string_view> choices,
                                std::optional<std::string> fallback) {
  const std::string expected = fmt::format("one of \"{}\"", fmt::join(choices, "\", \""));
  return readParam<std::string>(node, key, expected, std::move(fallback),
                                [&](const nlohmann::json& value) -> std::optional<std::string> {
                                  if (!value.is_string()) return std::nullopt;
                                  const auto& word = value.get_ref<const std::string&>();
                                  if (std::find(choices.begin(), choices.end(), word) == choices.end())
                                    return std::nullopt;
                                  return word;
                                });
}

Result<void> checkArity(const NodeView& node, int leastIn, int mostIn, int leastOut, int mostOut) {
  NW_CHECK(checkCount(node, "inputs", node.inputs(), leastIn, mostIn));
  return checkCount(node, "outputs", node.outputs(), leastOut, mostOut);
}

Result<void> checkTensor(const NodeView& node, size_t k, int rank) {
  return checkTensorType(node, "input", k, node.in(k), rank);
}

Result<void> checkOutTensor(const NodeView& node, size_t k, int rank) {
  return checkTensorType(node, "output", k, node.out(k), rank);
}

Result<void> checkIndexScalar(const NodeView& node, size_t k) {
  const Type& type = node.in(k);
  const bool zeroRank = type.kind == Kind::Scalar || (type.kind == Kind::Tensor && type.rank() == 0);
  if (zeroRank && isIntegral(type.dtype)) return {};
  return node.error(
      fmt::format("input {} has to be an integer scalar or 0-d tensor, but is {}", k, typeName(type)));
}

Result<void> checkIndexVector(const NodeView& node, size_t k) {
  const Type& type = node.in(k);
  if (type.kind == Kind::Tensor && type.rank() == 1 && isIntegral(type.dtype)) return {};
  return node.error(fmt::format("input {} has to be a vector of integers, but is {}", k, typeName(type)));
}

std::vector<KeyPart> opParts(std::string_view op, int version) {
  return {{"op", std::string(op)}, {"op version", std::to_string(version)}};
}

} // namespace nodewise
