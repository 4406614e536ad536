#include "ops/examples.h"

#include "graph/reader.h"
#include "numeric/strided.h"
#include "ops/graph_plan.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <complex>

namespace nodewise {

extern const std::string_view kOpExamples; // op_examples_text.cpp.in

namespace {

using nlohmann::json;

json allExamples() {
  json all = json::parse(kOpExamples, nullptr, false);
  return all.is_object() ? all : json::object();
}

std::string elementText(const Tensor& tensor, int64_t k) {
  const std::byte* place = tensor.bytes.data() + k * dtypeSize(tensor.dtype);
  std::complex<double> value;
  convertElement(reinterpret_cast<std::byte*>(&value), DType::Complex128, place, tensor.dtype);
  if (tensor.dtype == DType::Bool) return value.real() != 0 ? "true" : "false";
  if (!isComplex(tensor.dtype)) return fmt::format("{:.6g}", value.real());
  return fmt::format("{:.6g}{:+.6g}i", value.real(), value.imag());
}

/// The elements from axis `axis` on, as nested lists; `next` counts them.
std::string nestedText(const Tensor& tensor, size_t axis, int64_t& next) {
  if (axis == tensor.shape.size()) return elementText(tensor, next++);
  std::vector<std::string> parts;
  for (int64_t i = 0; i < tensor.shape[axis]; ++i) parts.push_back(nestedText(tensor, axis + 1, next));
  return fmt::format("[{}]", fmt::join(parts, ", "));
}

std::string dataText(const Data& data);

struct DataText {
  std::string operator()(const Tensor& tensor) const {
    int64_t next = 0;
    const bool usual = tensor.dtype == DType::Float64 || tensor.dtype == DType::Int64 ||
                       tensor.dtype == DType::Bool || tensor.dtype == DType::Complex128;
    return fmt::format("{}{}", usual ? "" : fmt::format("{} ", dtypeName(tensor.dtype)),
                       nestedText(tensor, 0, next));
  }
  std::string operator()(const RngState&) const { return "generator"; }
  std::string operator()(const SliceData& slice) const {
    const auto part = [](const std::optional<int64_t>& n) { return n ? std::to_string(*n) : std::string(); };
    return fmt::format("{}:{}:{}", part(slice.start), part(slice.stop), part(slice.step));
  }
  std::string operator()(const NoneData&) const { return "None"; }
  std::string operator()(const ListData& list) const {
    std::vector<std::string> items;
    for (const Data& item : list.items) items.push_back(dataText(item));
    return fmt::format("list({})", fmt::join(items, ", "));
  }
  std::string operator()(const SparseData& s) const {
    int64_t a = 0, b = 0, c = 0;
    return fmt::format("{}(data {}, indices {}, indptr {}, shape {} x {})", s.csc ? "csc" : "csr",
                       nestedText(s.data, 0, a), nestedText(s.indices, 0, b), nestedText(s.indptr, 0, c),
                       s.shape[0], s.shape[1]);
  }
  std::string operator()(const OpaqueData& opaque) const { return opaque.repr; }
};

std::string dataText(const Data& data) { return std::visit(DataText{}, data.v); }

bool hasDType(const Type& type) {
  return type.kind == Kind::Tensor || type.kind == Kind::Scalar || type.kind == Kind::Sparse;
}

/// The dtype that the op works on: of the first floating input, else of the first input with one.
DType mainDType(const Graph& graph) {
  std::optional<DType> first;
  for (const ValueId input : graph.inputs) {
    const Type* type = &graph.values[static_cast<size_t>(input)].type;
    if (type->kind == Kind::List && type->elem) type = type->elem.get();
    if (!hasDType(*type)) continue;
    if (!isIntegral(type->dtype)) return type->dtype;
    if (!first) first = type->dtype;
  }
  return first.value_or(DType::Float64);
}

void replaceDType(Graph& graph, DType from, DType to) {
  for (Value& value : graph.values) {
    if (hasDType(value.type) && value.type.dtype == from) value.type.dtype = to;
    if (value.type.kind == Kind::List && value.type.elem && value.type.elem->dtype == from) {
      Type elem = *value.type.elem;
      elem.dtype = to;
      value.type.elem = std::make_shared<const Type>(std::move(elem));
    }
  }
  for (Node& node : graph.nodes) {
    for (const char* key : {"dtype", "out_type", "acc_dtype"})
      if (node.params.contains(key) && node.params[key] == std::string(dtypeName(from)))
        node.params[key] = std::string(dtypeName(to));
    if (!node.inner) continue;
    Graph inner = *node.inner;
    replaceDType(inner, from, to);
    node.inner = std::make_shared<const Graph>(std::move(inner));
  }
}

} // namespace

std::vector<std::string> namesWithExamples() {
  std::vector<std::string> names;
  const json all = allExamples();
  for (const auto& [name, examples] : all.items()) names.push_back(name);
  return names;
}

Result<std::vector<GraphFile>> examplesOf(std::string_view name) {
  std::vector<GraphFile> examples;
  const json all = allExamples();
  const auto found = all.find(std::string(name));
  if (found == all.end()) return examples;
  for (const json& one : *found) {
    const json file{{"format", "nodewise-graph"},
                    {"version", 1},
                    {"graph", one.value("graph", json())},
                    {"cases", json::array({one.value("case", json())})}};
    NW_TRY(GraphFile example, readGraphText(file.dump(), fmt::format("example of {}", name)));
    examples.push_back(std::move(example));
  }
  return examples;
}

Graph withDType(const Graph& graph, DType dtype) {
  Graph changed = graph;
  replaceDType(changed, mainDType(graph), dtype);
  return changed;
}

std::vector<DType> dtypesOf(const GraphFile& example) {
  std::vector<DType> dtypes;
  for (const DTypeRow& row : dtypeTable()) {
    const Graph graph = withDType(example.graph, row.dtype);
    const auto plan = planGraph(graph);
    if (!plan) continue;
    bool runs = true;
    visitNodes(**plan, [&runs](GraphPlan& part, size_t n) {
      runs = runs && part.nodes[n].lowered.kind != NodeKind::Unsupported;
    });
    if (runs) dtypes.push_back(row.dtype);
  }
  return dtypes;
}

std::string exampleText(const GraphFile& example) {
  if (example.graph.nodes.empty() || example.cases.empty()) return {};
  const Node& node = example.graph.nodes[0];
  std::vector<std::string> inputs, outputs;
  for (const Data& data : example.cases[0].inputs) inputs.push_back(dataText(data));
  for (const auto& [key, value] : node.params.items())
    inputs.push_back(fmt::format("{}={}", key, value.is_string() ? value.get<std::string>() : value.dump()));
  if (node.inner) {
    std::vector<std::string> ops;
    for (const Node& inner : node.inner->nodes)
      ops.push_back(inner.params.contains("scalar_op") && inner.params["scalar_op"].is_string()
                        ? inner.params["scalar_op"].get<std::string>()
                        : inner.op);
    inputs.push_back(fmt::format("{}={{{}}}", innerKey(node.op), fmt::join(ops, ", ")));
  }
  for (const Data& data : example.cases[0].outputs) outputs.push_back(dataText(data));
  return fmt::format("{}({}) = {}", node.op, fmt::join(inputs, ", "), fmt::join(outputs, ", "));
}

} // namespace nodewise
