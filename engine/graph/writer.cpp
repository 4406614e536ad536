#include "graph/writer.h"

#include "base/file.h"
#include "graph/base64.h"
#include "graph/element_json.h"

namespace nodewise {

namespace {

using nlohmann::json;

/// Larger arrays are written as bytes.
constexpr int64_t kMostFlatElements = 16;

void putText(json& object, const char* key, const std::string& text) {
  if (!text.empty()) object[key] = text;
}

void putPairs(json& object, const char* key, const std::vector<std::pair<int, int>>& pairs) {
  if (pairs.empty()) return;
  json& list = object[key] = json::array();
  for (const auto& [first, second] : pairs) list.push_back(json::array({first, second}));
}

json shapeJson(const std::vector<int64_t>& shape) {
  json out = json::array();
  for (const int64_t length : shape) out.push_back(length == kUnknownLength ? json(nullptr) : json(length));
  return out;
}

json tensorJson(const Tensor& tensor) {
  json out{{"dtype", dtypeName(tensor.dtype)}, {"shape", tensor.shape}};
  const int64_t count = elementCount(tensor.shape);
  if (count > kMostFlatElements) {
    out["b64"] = encodeBase64(tensor.bytes);
    return out;
  }
  json& data = out["data"] = json::array();
  for (int64_t i = 0; i < count; ++i)
    data.push_back(elementToJson(tensor.dtype, tensor.bytes.data() + i * dtypeSize(tensor.dtype)));
  return out;
}

std::string decimal(UInt128 number) {
  std::string digits;
  do {
    digits.insert(digits.begin(), static_cast<char>('0' + static_cast<int>(number % 10)));
    number /= 10;
  } while (number != 0);
  return digits;
}

json rngJson(const RngState& rng) {
  const bool dxsm = rng.generator == RngState::Generator::PCG64DXSM;
  return {{"bit_generator", dxsm ? "PCG64DXSM" : "PCG64"},
          {"state", decimal(rng.state)},
          {"inc", decimal(rng.inc)},
          {"has_uint32", rng.hasUint32},
          {"uinteger", rng.uinteger}};
}

json boundJson(const std::optional<int64_t>& bound) { return bound ? json(*bound) : json(nullptr); }

/// What each form of Data is in JSON.
struct DataWriter {
  json operator()(const Tensor& tensor) const { return tensorJson(tensor); }
  json operator()(const RngState& rng) const { return {{"rng", rngJson(rng)}}; }
  json operator()(const SliceData& s) const {
    return {{"slice", json::array({boundJson(s.start), boundJson(s.stop), boundJson(s.step)})}};
  }
  json operator()(const NoneData&) const { return {{"none", true}}; }
  json operator()(const ListData& list) const {
    json items = json::array();
    for (const Data& item : list.items) items.push_back(toJson(item));
    return {{"list", std::move(items)}};
  }
  json operator()(const SparseData& sparse) const {
    return {{"sparse",
             {{"format", sparse.csc ? "csc" : "csr"},
              {"shape", sparse.shape},
              {"data", tensorJson(sparse.data)},
              {"indices", tensorJson(sparse.indices)},
              {"indptr", tensorJson(sparse.indptr)}}}};
  }
  json operator()(const OpaqueData& opaque) const { return {{"opaque", opaque.repr}}; }
};

json valueJson(const Value& value) {
  json out{{"type", toJson(value.type)}};
  putText(out, "name", value.name);
  if (value.constant) out["const"] = toJson(*value.constant);
  if (value.shared) out["shared"] = true;
  return out;
}

json nodeJson(const Node& node) {
  json out{{"op", node.op}, {"in", node.in}, {"out", node.out}};
  json params = node.params;
  if (node.inner) params[std::string(innerKey(node.op))] = toJson(*node.inner);
  if (!params.empty()) out["params"] = std::move(params);
  putText(out, "name", node.name);
  putText(out, "scope", node.scope);
  putText(out, "origin", node.origin);
  putPairs(out, "destroys", node.destroys);
  putPairs(out, "views", node.views);
  return out;
}

json caseJson(const Case& c) {
  json out{{"inputs", json::array()}};
  for (const Data& data : c.inputs) out["inputs"].push_back(toJson(data));
  if (c.raisesType.empty()) {
    json& outputs = out["outputs"] = json::array();
    for (const Data& data : c.outputs) outputs.push_back(toJson(data));
  } else {
    out["raises"] = {{"type", c.raisesType}};
    putText(out["raises"], "message", c.raisesMessage);
  }
  if (c.rtol) out["rtol"] = *c.rtol;
  if (c.atol) out["atol"] = *c.atol;
  if (c.random) out["random"] = true;
  return out;
}

} // namespace

json toJson(const Type& type) {
  json out{{"kind", kindName(type.kind)}};
  switch (type.kind) {
  case Kind::Sparse:
    out["format"] = type.text;
    [[fallthrough]];
  case Kind::Tensor:
    out["shape"] = shapeJson(type.shape);
    [[fallthrough]];
  case Kind::Scalar:
    out["dtype"] = dtypeName(type.dtype);
    break;
  case Kind::Rng:
    if (type.text != "PCG64") putText(out, "bit_generator", type.text);
    break;
  case Kind::List:
    if (type.elem) out["elem"] = toJson(*type.elem);
    break;
  case Kind::Opaque:
    out["repr"] = type.text;
    break;
  case Kind::Slice:
  case Kind::None:
    break;
  }
  return out;
}

json toJson(const Data& data) { return std::visit(DataWriter{}, data.v); }

json toJson(const Graph& graph) {
  json values = json::array(), nodes = json::array();
  for (const Value& value : graph.values) values.push_back(valueJson(value));
  for (const Node& node : graph.nodes) nodes.push_back(nodeJson(node));
  json out{{"inputs", graph.inputs}, {"outputs", graph.outputs}};
  out["values"] = std::move(values);
  out["nodes"] = std::move(nodes);
  putPairs(out, "updates", graph.updates);
  return out;
}

json toJson(const GraphFile& file) {
  json out{{"format", "nodewise-graph"}, {"version", 1}};
  putText(out, "name", file.name);
  putText(out, "source", file.source);
  if (!file.producerName.empty() || !file.producerVersion.empty()) {
    json& producer = out["producer"] = json::object();
    putText(producer, "name", file.producerName);
    putText(producer, "version", file.producerVersion);
  }
  out["graph"] = toJson(file.graph);
  if (file.cases.empty()) return out;
  json& cases = out["cases"] = json::array();
  for (const Case& c : file.cases) cases.push_back(caseJson(c));
  return out;
}

Result<void> writeGraphFile(const GraphFile& file, const std::string& path) {
  // Text from elsewhere (names in a model) may not be UTF-8; what is not becomes U+FFFD.
  return writeFile(path, toJson(file).dump(-1, ' ', false, json::error_handler_t::replace) + "\n");
}

} // namespace nodewise
