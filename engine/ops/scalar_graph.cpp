#include "ops/scalar_graph.h"

#include "codegen/scalar_builder.h"
#include "ops/params.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

namespace nodewise {

using codegen::ScalarBuilder;
using codegen::ScalarValue;

namespace {

/// Values of an element may be `scalar` or tensors of rank 0.
Result<DType> elementDType(const NodeView& node, const Type& type, const std::string& path) {
  if (type.kind == Kind::Tensor || type.kind == Kind::Scalar) return type.dtype;
  (void)node;
  return Error{fmt::format("expected a scalar or tensor, found {}", kindName(type.kind)), path, {}, {}};
}

std::vector<DType> dtypesOf(const Graph& graph, const std::vector<ValueId>& ids) {
  std::vector<DType> out;
  for (ValueId id : ids) out.push_back(graph.values[static_cast<size_t>(id)].type.dtype);
  return out;
}

Result<bool> asWhileOf(const Node& node, const std::string& path) {
  const auto found = node.params.find("as_while");
  if (found == node.params.end()) return false;
  if (!found->is_boolean())
    return Error{"expected true or false, found " + found->dump(), path + ".params.as_while", {}, {}};
  return found->get<bool>();
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

/// Of a loop in a scalar graph that was checked.
bool stopsWhenDone(const Node& node) {
  if (node.op != "scalar_loop") return false;
  const Result<bool> asWhile = asWhileOf(node, {});
  return asWhile && *asWhile;
}

const Tensor* constantOf(const Value& value) { return value.constant ? value.constant->tensor() : nullptr; }

void visitOps(const Graph& graph, const std::function<void(const Node&)>& visit) {
  for (const Node& node : graph.nodes) {
    visit(node);
    if (node.inner) visitOps(*node.inner, visit);
  }
}

int64_t widestOf(const Graph& graph) {
  int64_t widest = 1;
  for (const Value& v : graph.values) widest = std::max(widest, dtypeSize(realPart(v.type.dtype)));
  for (const Node& node : graph.nodes)
    if (node.inner) widest = std::max(widest, widestOf(*node.inner));
  return widest;
}

// --- canonical text
// ----------------------------------------------------------------------------------------------------

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

// --- emission
// ------------------------------------------------------------------------------------------------------------

std::vector<ScalarValue> emitLoop(ScalarBuilder& s, const Graph& body, std::span<const DType> dtypes,
                                  bool asWhile, std::span<const ScalarValue> in);

std::vector<ScalarValue> emitGraph(ScalarBuilder& s, const Graph& graph, std::span<const ScalarValue> in) {
  std::vector<ScalarValue> values(graph.values.size());
  for (size_t i = 0; i < graph.inputs.size(); ++i) {
    const auto id = static_cast<size_t>(graph.inputs[i]);
    values[id] = s.cast(in[i], graph.values[id].type.dtype);
  }
  auto use = [&](ValueId id) -> ScalarValue {
    ScalarValue& v = values[static_cast<size_t>(id)];
    if (!v.re)
      if (const Tensor* t = constantOf(graph.values[static_cast<size_t>(id)]))
        v = s.fromBytes(t->dtype, t->bytes.data());
    return v;
  };
  for (const Node& node : graph.nodes) {
    std::vector<ScalarValue> args;
    for (ValueId id : node.in) args.push_back(use(id));
    if (node.inner) {
      const std::vector<ScalarValue> results =
          node.op == "scalar_loop"
              ? emitLoop(s, *node.inner, dtypesOf(graph, node.out), stopsWhenDone(node), args)
              : emitGraph(s, *node.inner, args);
      for (size_t k = 0; k < node.out.size(); ++k) {
        const auto id = static_cast<size_t>(node.out[k]);
        values[id] = s.cast(results[k], graph.values[id].type.dtype);
      }
      continue;
    }
    const auto id = static_cast<size_t>(node.out[0]);
    values[id] = emitScalarOp(s, *findScalarOp(node.op), args, graph.values[id].type.dtype);
  }
  std::vector<ScalarValue> out;
  for (ValueId id : graph.outputs) out.push_back(use(id));
  return out;
}

/// A value that changes from step to step, on the stack until optimisation puts it in registers.
struct Variable {
  DType dtype;
  llvm::AllocaInst *re = nullptr, *im = nullptr;

  Variable(ScalarBuilder& s, DType d) : dtype(d), re(s.entryAlloca(s.elementType(d), 1, "state")) {
    if (isComplex(d)) im = s.entryAlloca(s.elementType(d), 1, "state");
  }
  void set(ScalarBuilder& s, ScalarValue v) const {
    v = s.cast(v, dtype);
    s.b.CreateStore(v.re, re);
    if (im) s.b.CreateStore(v.im, im);
  }
  ScalarValue get(ScalarBuilder& s) const {
    llvm::Type* t = s.elementType(dtype);
    return {dtype, s.b.CreateLoad(t, re), im ? s.b.CreateLoad(t, im) : nullptr};
  }
};

/// Steps over `body`, on one element; `in`: steps, states, constants; `dtypes` of the states (and of done).
std::vector<ScalarValue> emitLoop(ScalarBuilder& s, const Graph& body, std::span<const DType> dtypes,
                                  bool asWhile, std::span<const ScalarValue> in) {
  auto& b = s.b;
  const size_t states = dtypes.size() - (asWhile ? 1 : 0);
  std::vector<Variable> variables;
  for (size_t k = 0; k < states; ++k) {
    variables.emplace_back(s, dtypes[k]);
    variables[k].set(s, in[1 + k]);
  }
  const Variable done(s, DType::Bool);
  done.set(s, s.constant(DType::Bool, 0));

  llvm::Value* steps = s.cast(in[0], DType::Int64).re;
  auto* before = b.GetInsertBlock();
  auto* head = llvm::BasicBlock::Create(b.getContext(), "step", s.function());
  auto* after = llvm::BasicBlock::Create(b.getContext(), "steps_done", s.function());
  b.CreateCondBr(b.CreateICmpSGT(steps, b.getInt64(0)), head, after);
  b.SetInsertPoint(head);
  auto* i = b.CreatePHI(b.getInt64Ty(), 2);
  i->addIncoming(b.getInt64(0), before);
  std::vector<ScalarValue> args;
  for (size_t k = 0; k < states; ++k) args.push_back(variables[k].get(s));
  args.insert(args.end(), in.begin() + 1 + static_cast<std::ptrdiff_t>(states), in.end());
  const std::vector<ScalarValue> results = emitGraph(s, body, args);
  for (size_t k = 0; k < states; ++k) variables[k].set(s, results[k]);
  llvm::Value* next = b.CreateNSWAdd(i, b.getInt64(1));
  llvm::Value* more = b.CreateICmpSLT(next, steps);
  if (asWhile) {
    const ScalarValue stop = s.cast(results[states], DType::Bool);
    done.set(s, stop);
    more = b.CreateAnd(more, b.CreateNot(stop.re));
  }
  i->addIncoming(next, b.GetInsertBlock());
  b.CreateCondBr(more, head, after);
  b.SetInsertPoint(after);

  std::vector<ScalarValue> out;
  for (const Variable& v : variables) out.push_back(v.get(s));
  if (asWhile) out.push_back(done.get(s));
  return out;
}

} // namespace

Result<ScalarProgram> parseScalarProgram(const NodeView& node, const std::string& name) {
  ScalarProgram program;
  for (size_t k = 0; k < node.inputs(); ++k) {
    NW_TRY(DType d, elementDType(node, node.in(k), node.path + ".in"));
    program.inputs.push_back(d);
  }
  for (size_t k = 0; k < node.outputs(); ++k) {
    NW_TRY(DType d, elementDType(node, node.out(k), node.path + ".out"));
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
  auto count = [&](const ScalarOpRow& row, DType out, std::span<const DType> in) {
    ++facts.operations;
    // Complex elementary functions and integer powers are routines for one element.
    const bool routine = (isComplex(out) && row.domain == (OnFloat | OnComplex) && row.name != "true_div") ||
                         (row.name == "pow" && !isFloat(out));
    (void)in;
    facts.lanewise = facts.lanewise || row.code == ScalarCode::Lanewise || routine;
    facts.calls = facts.calls || row.code == ScalarCode::Calls;
  };
  for (DType d : program.inputs) facts.widest = std::max(facts.widest, dtypeSize(realPart(d)));
  for (DType d : program.outputs) facts.widest = std::max(facts.widest, dtypeSize(realPart(d)));
  if (program.row) count(*program.row, program.outputs[0], program.inputs);
  if (program.graph) {
    std::function<void(const Graph&)> walk = [&](const Graph& graph) {
      for (const Node& node : graph.nodes) {
        facts.lanewise = facts.lanewise || node.op == "scalar_loop";
        if (node.inner)
          walk(*node.inner);
        else if (const ScalarOpRow* row = findScalarOp(node.op))
          count(*row, graph.values[static_cast<size_t>(node.out[0])].type.dtype, dtypesOf(graph, node.in));
      }
    };
    walk(*program.graph);
    facts.widest = std::max(facts.widest, widestOf(*program.graph));
  }
  if (program.form == ScalarProgram::Form::Loop) facts.lanewise = true;
  return facts;
}

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

std::vector<ScalarValue> emitScalarProgram(ScalarBuilder& s, const ScalarProgram& program,
                                           std::span<const ScalarValue> in) {
  if (program.row) return {emitScalarOp(s, *program.row, in, program.outputs[0])};
  std::vector<ScalarValue> out = program.form == ScalarProgram::Form::Loop
                                     ? emitLoop(s, *program.graph, program.outputs, program.asWhile, in)
                                     : emitGraph(s, *program.graph, in);
  for (size_t k = 0; k < out.size(); ++k) out[k] = s.cast(out[k], program.outputs[k]);
  return out;
}

} // namespace nodewise
