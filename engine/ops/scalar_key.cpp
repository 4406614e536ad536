// How a scalar program stands in a key, and in a quiet line for people.
#include "ops/scalar_graph.h"
#include "ops/scalar_walk.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

namespace nodewise {

namespace {

/// Names values by position, so that neither ids nor names nor unused values of a file are in a key.
struct GraphText {
  std::string body;
  std::string constants;
  int constantCount = 0;

  void write(const Graph& graph) {
    std::map<ValueId, std::string> name;
    for (size_t i = 0; i < graph.inputs.size(); ++i) name[graph.inputs[i]] = fmt::format("i{}", i);
    int next = 0;
    auto use = [&](ValueId id) -> std::string {
      auto it = name.find(id);
      if (it != name.end()) return it->second;
      const Value& value = graph.values[static_cast<size_t>(id)];
      std::string label = fmt::format("k{}", constantCount++);
      constants += fmt::format("{}{}={} ", constants.empty() ? "" : " ", label, dtypeName(value.type.dtype));
      if (const Tensor* t = constantOf(value)) constants += constantText(*t);
      name[id] = label;
      return label;
    };
    for (const Node& node : graph.nodes) {
      std::vector<std::string> args;
      for (ValueId id : node.in) args.push_back(use(id));
      std::vector<std::string> results;
      for (ValueId id : node.out) {
        const bool output = std::ranges::find(graph.outputs, id) != graph.outputs.end();
        name[id] = fmt::format("v{}", next++);
        // The dtype of an output stands in the node's own output part.
        results.push_back(
            output ? name[id]
                   : fmt::format("{}:{}", name[id],
                                 dtypeRow(graph.values[static_cast<size_t>(id)].type.dtype).shortName));
      }
      body += fmt::format("{} = {}{}({}); ", fmt::join(results, ", "), node.op,
                          stopsWhenDone(node) ? " as while" : "", fmt::join(args, ", "));
      if (node.inner) {
        body += "{ ";
        write(*node.inner);
        body += "} ";
      }
    }
    std::vector<std::string> outputs;
    for (ValueId id : graph.outputs) outputs.push_back(use(id));
    body += fmt::format("-> {}", fmt::join(outputs, ", "));
  }

  /// The number for people, and where that could be ambiguous (floats) its bits.
  static std::string constantText(const Tensor& t) {
    std::string bits;
    for (size_t i = t.bytes.size(); i-- > 0;)
      bits += fmt::format("{:02x}", static_cast<unsigned>(t.bytes[i]));
    if (t.dtype == DType::Float64) return fmt::format("{} (0x{})", *t.as<double>(), bits);
    if (t.dtype == DType::Float32) return fmt::format("{} (0x{})", *t.as<float>(), bits);
    return "0x" + bits;
  }
};

} // namespace

std::vector<KeyPart> scalarKeyParts(const ScalarProgram& program) {
  std::vector<KeyPart> parts;
  std::set<std::string> versions;
  auto add = [&](const ScalarOpRow& row) { versions.insert(fmt::format("{} {}", row.name, row.version)); };
  const bool loop = program.form == ScalarProgram::Form::Loop;
  if (program.row) {
    parts.push_back({"scalar op", std::string(program.row->name)});
    add(*program.row);
  } else {
    parts.push_back(
        {"scalar op", loop ? program.asWhile ? "scalar_loop, as while" : "scalar_loop" : "composite"});
    visitOps(*program.graph, [&](const Node& node) {
      if (const ScalarOpRow* row = findScalarOp(node.op)) add(*row);
    });
  }
  parts.push_back({"scalar op versions", fmt::format("{}", fmt::join(versions, ", "))});
  if (program.graph) {
    GraphText text;
    text.write(*program.graph);
    parts.push_back({"inner graph", text.body});
    if (!text.constants.empty()) parts.push_back({"constants", text.constants});
  }
  return parts;
}

std::string scalarDetail(const Node& node) {
  const std::string name =
      node.params.is_object() && node.params.contains("scalar_op") && node.params["scalar_op"].is_string()
          ? node.params["scalar_op"].get<std::string>()
          : std::string();
  if (!node.inner) return name;
  std::vector<std::string> ops;
  visitOps(*node.inner, [&](const Node& inner) {
    if (std::ranges::find(ops, inner.op) == ops.end()) ops.push_back(inner.op);
  });
  return fmt::format("{}: {}", name, fmt::join(ops, ", "));
}

} // namespace nodewise
