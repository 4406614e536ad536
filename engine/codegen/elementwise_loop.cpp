#include "codegen/elementwise_loop.h"

#include "codegen/loop_plan.h"

#include <llvm/IR/MDBuilder.h>

#include <algorithm>

namespace nodewise::codegen {

using llvm::Value;

namespace {

/// Alias scopes: outputs overlap nothing else, but for an input that is in place of one.
struct Scopes {
  std::vector<llvm::MDNode*> own;     ///< of each output
  std::vector<llvm::MDNode*> notSelf; ///< all outputs but this one
  llvm::MDNode* all = nullptr;
};

Scopes makeScopes(llvm::LLVMContext& context, size_t outputs) {
  llvm::MDBuilder md(context);
  llvm::MDNode* domain = md.createAnonymousAliasScopeDomain();
  std::vector<llvm::Metadata*> scopes;
  for (size_t k = 0; k < outputs; ++k) scopes.push_back(md.createAnonymousAliasScope(domain));
  Scopes out;
  out.all = llvm::MDNode::get(context, scopes);
  for (size_t k = 0; k < outputs; ++k) {
    std::vector<llvm::Metadata*> rest = scopes;
    rest.erase(rest.begin() + static_cast<std::ptrdiff_t>(k));
    out.own.push_back(llvm::MDNode::get(context, {scopes[k]}));
    out.notSelf.push_back(rest.empty() ? nullptr : llvm::MDNode::get(context, rest));
  }
  return out;
}

class Writer {
public:
  Writer(Emitter& emitter, const ElementwiseShape& shape, const ElementBody& body)
      : e(emitter), b(emitter.b), m_shape(shape), m_body(body),
        m_scopes(makeScopes(b.getContext(), shape.outputs.size())), m_inputs(shape.inputs.size()),
        m_operands(m_inputs + shape.outputs.size()) {}

  void single() {
    std::vector<Value*> pointers;
    for (size_t k = 0; k < m_operands; ++k)
      pointers.push_back(e.dataOf(k < m_inputs ? e.inArray(k) : e.outArray(k - m_inputs)));
    element([&](size_t k) { return pointers[k]; }, {}, false);
    e.finish();
  }

  void loops() {
    namespace ep = elementwise_plan;
    Value* plan = e.planPointer();
    Value* slots = e.scalars.entryAlloca(b.getPtrTy(), static_cast<unsigned>(std::max<size_t>(m_operands, 2)),
                                         "pointers");
    for (size_t k = 0; k < m_operands; ++k) {
      Value* data = e.dataOf(k < m_inputs ? e.inArray(k) : e.outArray(k - m_inputs));
      b.CreateStore(data, b.CreateConstGEP1_64(b.getPtrTy(), slots, k));
    }
    Value* vector = e.planWord(plan, ep::kVector);
    Value* length = e.planWord(plan, ep::kLength);
    std::vector<Value*> strides;
    for (size_t k = 0; k < m_operands; ++k)
      strides.push_back(e.planWord(plan, ep::kStrides + static_cast<int64_t>(k)));
    const auto operands = static_cast<int64_t>(m_operands);
    e.walk(plan, b.getInt64(static_cast<uint64_t>(ep::odometer(operands))), slots, operands, [&] {
      std::vector<Value*> pointers;
      for (int64_t k = 0; k < operands; ++k) pointers.push_back(e.slot(slots, k));
      inner(pointers, strides, vector, length);
    });
    e.finish();
  }

private:
  /// One step: load, compute, store, with the current lanes. `hoisted` holds inputs that were loaded before.
  void element(const std::function<Value*(size_t operand)>& address, const std::vector<ScalarValue>& hoisted,
               bool streaming) {
    std::vector<ScalarValue> inputs;
    for (size_t k = 0; k < m_inputs; ++k) {
      const ElementwiseInput& in = m_shape.inputs[k];
      if (!hoisted.empty() && hoisted[k].re) {
        inputs.push_back(hoisted[k]);
      } else if (in.inPlaceOf >= 0) {
        const auto out = static_cast<size_t>(in.inPlaceOf);
        inputs.push_back(e.load(address(m_inputs + out), in.dtype, m_scopes.notSelf[out], m_scopes.own[out]));
      } else {
        inputs.push_back(e.load(address(k), in.dtype, m_scopes.all));
      }
    }
    const std::vector<ScalarValue> outputs = m_body(e.scalars, inputs);
    for (size_t k = 0; k < outputs.size(); ++k)
      e.store(address(m_inputs + k), outputs[k], m_scopes.notSelf[k], m_scopes.own[k], streaming);
  }

  int64_t elementSize(size_t operand) const {
    return dtypeSize(operand < m_inputs ? m_shape.inputs[operand].dtype
                                        : m_shape.outputs[operand - m_inputs]);
  }

  unsigned vectorLanes() const {
    if (m_shape.lanewise || e.target().vectorBytes == 0) return 0;
    int64_t widest = m_shape.widest;
    for (size_t k = 0; k < m_operands; ++k) {
      const DType dtype = k < m_inputs ? m_shape.inputs[k].dtype : m_shape.outputs[k - m_inputs];
      widest = std::max(widest, dtypeSize(realPart(dtype)));
    }
    // Short bodies wait for memory and latency: several vectors at a time hide it. Long ones would only
    // spill.
    const int unroll = m_shape.calls ? 1 : m_shape.operations <= 4 ? 4 : m_shape.operations <= 12 ? 2 : 1;
    return static_cast<unsigned>(e.target().vectorBytes / widest * unroll);
  }

  bool useMasks(unsigned lanes) const {
    if (!e.target().masks || lanes > 64) return false;
    for (const ElementwiseInput& in : m_shape.inputs)
      if (isComplex(in.dtype)) return false;
    return std::ranges::none_of(m_shape.outputs, [](DType dtype) { return isComplex(dtype); });
  }

  void inner(const std::vector<Value*>& pointers, const std::vector<Value*>& strides, Value* vector,
             Value* length) {
    Value* done = b.getInt64(0);
    if (const unsigned lanes = vectorLanes()) {
      Value* whole = b.CreateAnd(length, b.getInt64(~static_cast<uint64_t>(lanes - 1)));
      done = b.CreateSelect(b.CreateICmpEQ(vector, b.getInt64(0)), b.getInt64(0), whole);
      std::vector<ScalarValue> hoisted(m_inputs);
      for (size_t k = 0; k < m_inputs; ++k)
        if (m_shape.inputs[k].broadcast) {
          const ScalarValue one = e.load(pointers[k], m_shape.inputs[k].dtype, m_scopes.all);
          e.scalars.setLanes(lanes);
          hoisted[k] = e.splat(one);
          e.scalars.setLanes(1);
        }
      auto vectors = [&](Value* i, bool streaming) {
        e.scalars.setLanes(lanes);
        element(
            [&](size_t k) {
              return e.bytesAt(pointers[k],
                               b.CreateNSWMul(i, b.getInt64(static_cast<uint64_t>(elementSize(k)))));
            },
            hoisted, streaming);
        e.scalars.setLanes(1);
      };
      auto vectorLoop = [&](Value* end, bool streaming) {
        e.loop(b.getInt64(0), end, lanes, streaming ? "stream" : "vector",
               [&](Value* i) { vectors(i, streaming); });
      };
      const bool masks = useMasks(lanes);
      Value* none = b.getInt64(0);
      Value* stream = nullptr;
      if (m_shape.streamable) {
        // The plan asks for it by size; it also needs outputs that start at a whole vector.
        Value* misaligned = b.getInt64(0);
        for (size_t k = m_inputs; k < m_operands; ++k)
          misaligned = b.CreateOr(misaligned, b.CreatePtrToInt(pointers[k], b.getInt64Ty()));
        misaligned = b.CreateAnd(misaligned, b.getInt64(static_cast<uint64_t>(e.target().vectorBytes - 1)));
        stream =
            b.CreateAnd(b.CreateICmpEQ(vector, b.getInt64(2)), b.CreateICmpEQ(misaligned, b.getInt64(0)));
        vectorLoop(b.CreateSelect(stream, done, none), true);
      }
      if (masks) {
        // One loop for whole vectors and for what is left: rows of a few elements are one turn of it.
        Value* end = b.CreateSelect(b.CreateICmpEQ(vector, none), none, length);
        e.loop(stream ? b.CreateSelect(stream, done, none) : none, end, lanes, "vector", [&](Value* i) {
          Value* left = b.CreateSub(end, i);
          Value* all = b.getInt64(lanes);
          Value* count = b.CreateSelect(b.CreateICmpULT(left, all), left, all);
          // Functions are quick at 1; division by the zeros of other bodies does no harm.
          e.masked(count, m_shape.calls ? 1 : 0, [&] { vectors(i, false); });
        });
        done = end;
      } else {
        vectorLoop(stream ? b.CreateSelect(stream, none, done) : done, false);
      }
    }
    e.loop(done, length, 1, "strided", [&](Value* i) {
      element([&](size_t k) { return e.bytesAt(pointers[k], b.CreateMul(i, strides[k])); }, {}, false);
    });
  }

  Emitter& e;
  llvm::IRBuilder<>& b;
  const ElementwiseShape& m_shape;
  const ElementBody& m_body;
  Scopes m_scopes;
  size_t m_inputs, m_operands;
};

} // namespace

void emitElementwise(Emitter& emitter, const ElementwiseShape& shape, const ElementBody& body) {
  Writer writer(emitter, shape, body);
  if (shape.single)
    writer.single();
  else
    writer.loops();
}

} // namespace nodewise::codegen
