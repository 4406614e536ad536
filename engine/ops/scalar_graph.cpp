#include "ops/scalar_graph.h"

#include "ops/params.h"
#include "ops/scalar_walk.h"

#include <fmt/format.h>

#include <algorithm>

namespace nodewise {

namespace {

/// Values of an element may be `scalar` or tensors of rank 0.
Result<DType> elementDType(const Type& type, const std::string& path) {
  if (type.kind == Kind::Tensor || type.kind == Kind::Scalar) return type.dtype;
  return Error{fmt::format("expected a scalar or tensor, found {}", kindName(type.kind)), path, {}, {}};
}

/// The inner graph of a composite or loop has as many inputs and outputs as the node of `in` and `out`.
Result<void> checkInnerNumbers(const Graph& graph, bool loop, bool asWhile, size_t in, size_t out,
                               const std::string& path) {
  const auto wrong = [&path](std::string what) {
    return Error{std::move(what), path + ".params.graph", {}, {}};
  };
  const size_t counted = loop ? 1 : 0; // the number of steps is no input of the inner graph
  if (graph.inputs.size() + counted != in)
    return wrong(fmt::format("expected {} inputs, found {}", static_cast<std::ptrdiff_t>(in - counted),
                             graph.inputs.size()));
  if (graph.outputs.size() != out)
    return wrong(fmt::format("expected {} outputs, found {}", out, graph.outputs.size()));
  if (loop && out + 1 > in + (asWhile ? 1 : 0))
    return wrong(fmt::format("expected at most {} states", in - 1));
  return {};
}

/// Checks a scalar graph all the way down; returns why it cannot be compiled (empty: it can).
Result<std::string> checkScalarGraph(const Graph& graph, const std::string& path);

Result<std::string> checkScalarNode(const Graph& graph, const Node& node, const std::string& path) {
  const std::vector<DType> in = dtypesOf(graph, node.in), out = dtypesOf(graph, node.out);
  if (node.op == "composite" || node.op == "scalar_loop") {
    if (!node.inner) return Error{"expected a graph", path + ".params.graph", {}, {}};
    const bool loop = node.op == "scalar_loop";
    NW_TRY(const bool asWhile, loop ? asWhileOf(node, path) : Result<bool>(false));
    NW_CHECK(checkInnerNumbers(*node.inner, loop, asWhile, in.size(), out.size(), path));
    return checkScalarGraph(*node.inner, path + ".params.graph");
  }
  const ScalarOpRow* row = findScalarOp(node.op);
  if (!row) return fmt::format("scalar op {} is not supported", node.op);
  const auto inputs = static_cast<int>(in.size());
  if (inputs < row->leastInputs || (row->mostInputs >= 0 && inputs > row->mostInputs))
    return Error{fmt::format("scalar op {} takes {}{} inputs, found {}", node.op, row->leastInputs,
                             row->mostInputs < 0 ? " or more" : "", inputs),
                 path + ".in",
                 {},
                 {}};
  if (out.size() != 1)
    return Error{
        fmt::format("scalar op {} has one output, found {}", node.op, out.size()), path + ".out", {}, {}};
  if (Result<void> domain = checkScalarDomain(*row, in, out[0]); !domain) return domain.error().what;
  return std::string();
}

Result<std::string> checkScalarGraph(const Graph& graph, const std::string& path) {
  for (size_t v = 0; v < graph.values.size(); ++v) {
    const Value& value = graph.values[v];
    const bool element =
        (value.type.kind == Kind::Tensor || value.type.kind == Kind::Scalar) && value.type.shape.empty();
    if (!element)
      return Error{fmt::format("expected a scalar in a scalar graph, found {}", shortText(value.type)),
                   fmt::format("{}.values[{}].type", path, v),
                   {},
                   {}};
  }
  for (size_t n = 0; n < graph.nodes.size(); ++n) {
    NW_TRY(std::string why, checkScalarNode(graph, graph.nodes[n], nodePath(path, n)));
    if (!why.empty()) return why;
  }
  return std::string();
}

int64_t widestOf(const Graph& graph) {
  int64_t widest = 1;
  for (const Value& v : graph.values) widest = std::max(widest, dtypeSize(realPart(v.type.dtype)));
  for (const Node& node : graph.nodes)
    if (node.inner) widest = std::max(widest, widestOf(*node.inner));
  return widest;
}

} // namespace

Result<ScalarProgram> parseScalarProgram(const NodeView& node, const std::string& name) {
  ScalarProgram program;
  for (size_t k = 0; k < node.inputs(); ++k) {
    NW_TRY(DType d, elementDType(node.in(k), node.path + ".in"));
    program.inputs.push_back(d);
  }
  for (size_t k = 0; k < node.outputs(); ++k) {
    NW_TRY(DType d, elementDType(node.out(k), node.path + ".out"));
    program.outputs.push_back(d);
  }
  if (program.inputs.empty()) return node.error("expected at least one input");
  if (program.outputs.empty()) return node.error("expected at least one output");

  if (name == "composite" || name == "scalar_loop") {
    if (!node.node.inner) return node.paramError("graph", "expected a graph");
    program.graph = node.node.inner.get();
    const bool loop = name == "scalar_loop";
    program.form = loop ? ScalarProgram::Form::Loop : ScalarProgram::Form::Composite;
    if (loop) {
      NW_TRY(program.asWhile, boolParam(node, "as_while", false));
    }
    NW_CHECK(checkInnerNumbers(*program.graph, loop, program.asWhile, program.inputs.size(),
                               program.outputs.size(), node.path));
    NW_TRY(program.unsupported, checkScalarGraph(*program.graph, node.path + ".params.graph"));
    return program;
  }

  program.row = findScalarOp(name);
  if (!program.row) {
    program.unsupported = fmt::format("scalar op {} is not supported", name);
    return program;
  }
  if (name == "cast") {
    NW_TRY(DType to, dtypeParam(node, "dtype", program.outputs[0]));
    if (to != program.outputs[0])
      return node.paramError("dtype",
                             fmt::format("expected the output's dtype {}", dtypeName(program.outputs[0])));
  }
  NW_CHECK(checkArity(node, program.row->leastInputs, program.row->mostInputs, 1, 1));
  if (Result<void> domain = checkScalarDomain(*program.row, program.inputs, program.outputs[0]); !domain)
    program.unsupported = domain.error().what;
  return program;
}

ScalarFacts scalarFacts(const ScalarProgram& program) {
  ScalarFacts facts;
  auto count = [&](const ScalarOpRow& row, DType out) {
    ++facts.operations;
    // Complex elementary functions and integer powers are routines for one element.
    const bool routine = (isComplex(out) && row.domain == (OnFloat | OnComplex) && row.name != "true_div") ||
                         (row.name == "pow" && !isFloat(out));
    facts.lanewise = facts.lanewise || row.code == ScalarCode::Lanewise || routine;
    facts.calls = facts.calls || row.code == ScalarCode::Calls;
  };
  for (DType d : program.inputs) facts.widest = std::max(facts.widest, dtypeSize(realPart(d)));
  for (DType d : program.outputs) facts.widest = std::max(facts.widest, dtypeSize(realPart(d)));
  if (program.row) count(*program.row, program.outputs[0]);
  if (program.graph) {
    std::function<void(const Graph&)> walk = [&](const Graph& graph) {
      for (const Node& node : graph.nodes) {
        facts.lanewise = facts.lanewise || node.op == "scalar_loop";
        if (node.inner)
          walk(*node.inner);
        else if (const ScalarOpRow* row = findScalarOp(node.op))
          count(*row, graph.values[static_cast<size_t>(node.out[0])].type.dtype);
      }
    };
    walk(*program.graph);
    facts.widest = std::max(facts.widest, widestOf(*program.graph));
  }
  if (program.form == ScalarProgram::Form::Loop) facts.lanewise = true;
  return facts;
}

} // namespace nodewise
