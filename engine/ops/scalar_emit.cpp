// A scalar program as IR.
#include "codegen/scalar_builder.h"
#include "ops/scalar_graph.h"
#include "ops/scalar_walk.h"

namespace nodewise {

using codegen::ScalarBuilder;
using codegen::ScalarValue;

namespace {

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
