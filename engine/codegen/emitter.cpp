#include "codegen/emitter.h"

#include "codegen/abi.h"
#include "codegen/module.h"

#include <cstddef>
#include <vector>

namespace nodewise::codegen {

using llvm::Value;

Emitter::Emitter(llvm::Module& module, const EmitTarget& target)
    : b(module.getContext()), scalars(b, module, target),
      m_function(*module.getFunction(llvm::StringRef(kKernelName.data(), kKernelName.size()))) {
  auto* entry = llvm::BasicBlock::Create(module.getContext(), "entry", &m_function);
  b.SetInsertPoint(entry);
  if (target.fastMath) b.setFastMathFlags(llvm::FastMathFlags::getFast());
  // Vectors of the machine's full width are passed in registers to libmvec, whatever width the CPU's tuning
  // prefers.
  if (target.vectorBytes == 64) {
    m_function.addFnAttr("min-legal-vector-width", "512");
    m_function.addFnAttr("prefer-vector-width", "512");
  }
}

static Value* arrayPointer(llvm::IRBuilder<>& b, Value* list, size_t k) {
  return b.CreateLoad(b.getPtrTy(), b.CreateConstGEP1_64(b.getPtrTy(), list, k));
}

Value* Emitter::inArray(size_t k) { return arrayPointer(b, m_function.getArg(0), k); }
Value* Emitter::outArray(size_t k) { return arrayPointer(b, m_function.getArg(1), k); }

Value* Emitter::dataOf(Value* array) {
  static_assert(offsetof(Array, data) == 0);
  return b.CreateLoad(b.getPtrTy(), array);
}

Value* Emitter::planPointer() {
  static_assert(offsetof(Context, plan) == 0);
  return b.CreateLoad(b.getPtrTy(), m_function.getArg(2));
}

Value* Emitter::planWord(Value* plan, Value* index) {
  return b.CreateLoad(b.getInt64Ty(), b.CreateGEP(b.getInt64Ty(), plan, index));
}

llvm::BasicBlock* Emitter::block(const char* name) {
  return llvm::BasicBlock::Create(b.getContext(), name, &m_function);
}

Value* Emitter::bytesAt(Value* pointer, Value* offset) { return b.CreateGEP(b.getInt8Ty(), pointer, offset); }

static void annotate(llvm::Instruction* access, llvm::MDNode* noalias, llvm::MDNode* scope) {
  if (noalias) access->setMetadata(llvm::LLVMContext::MD_noalias, noalias);
  if (scope) access->setMetadata(llvm::LLVMContext::MD_alias_scope, scope);
}

ScalarValue Emitter::load(Value* pointer, DType dtype, llvm::MDNode* noalias, llvm::MDNode* scope) {
  const DType part = realPart(dtype);
  const llvm::Align align(static_cast<uint64_t>(dtypeSize(part)));
  if (!isComplex(dtype)) {
    llvm::Type* type = scalars.memoryType(dtype);
    llvm::Instruction* access = nullptr;
    if (m_count && scalars.lanes() > 1)
      access = b.CreateMaskedLoad(type, pointer, align, mask(),
                                  type->isFPOrFPVectorTy() ? llvm::ConstantFP::get(type, m_fill)
                                                           : llvm::ConstantInt::get(type, m_fill));
    else
      access = b.CreateAlignedLoad(type, pointer, align);
    annotate(access, noalias, scope);
    Value* v = access;
    if (dtype == DType::Bool) v = b.CreateICmpNE(v, llvm::Constant::getNullValue(v->getType()));
    return {dtype, v, nullptr};
  }
  llvm::Type* element = scalars.elementType(part);
  if (scalars.lanes() == 1) {
    auto* re = b.CreateAlignedLoad(element, pointer, align);
    auto* im = b.CreateAlignedLoad(element, b.CreateConstGEP1_64(element, pointer, 1), align);
    annotate(re, noalias, scope);
    annotate(im, noalias, scope);
    return {dtype, re, im};
  }
  const unsigned lanes = scalars.lanes();
  auto* both = b.CreateAlignedLoad(llvm::FixedVectorType::get(element, 2 * lanes), pointer, align);
  annotate(both, noalias, scope);
  std::vector<int> even, odd;
  for (unsigned i = 0; i < lanes; ++i) {
    even.push_back(static_cast<int>(2 * i));
    odd.push_back(static_cast<int>(2 * i + 1));
  }
  return {dtype, b.CreateShuffleVector(both, even), b.CreateShuffleVector(both, odd)};
}

void Emitter::store(Value* pointer, ScalarValue v, llvm::MDNode* noalias, llvm::MDNode* scope,
                    bool streaming) {
  const DType part = realPart(v.dtype);
  const llvm::Align align(static_cast<uint64_t>(streaming ? target().vectorBytes : dtypeSize(part)));
  auto put = [&](Value* value, Value* at) {
    llvm::Instruction* access =
        m_count && scalars.lanes() > 1
            ? static_cast<llvm::Instruction*>(b.CreateMaskedStore(value, at, align, mask()))
            : b.CreateAlignedStore(value, at, align);
    annotate(access, noalias, scope);
    if (streaming) {
      auto* one = llvm::ConstantAsMetadata::get(b.getInt32(1));
      access->setMetadata(llvm::LLVMContext::MD_nontemporal, llvm::MDNode::get(b.getContext(), one));
    }
  };
  if (v.dtype == DType::Bool) return put(b.CreateZExt(v.re, scalars.memoryType(DType::Bool)), pointer);
  if (!v.im) return put(v.re, pointer);
  if (scalars.lanes() == 1) {
    put(v.re, pointer);
    return put(v.im, b.CreateConstGEP1_64(scalars.elementType(part), pointer, 1));
  }
  std::vector<int> mask;
  for (unsigned i = 0; i < scalars.lanes(); ++i) {
    mask.push_back(static_cast<int>(i));
    mask.push_back(static_cast<int>(i + scalars.lanes()));
  }
  put(b.CreateShuffleVector(v.re, v.im, mask), pointer);
}

Value* Emitter::mask() {
  const unsigned lanes = scalars.lanes();
  if (m_mask && m_maskLanes == lanes) return m_mask;
  m_maskLanes = lanes;
  // The lowest `count` bits: for 64 lanes a shift by 64 - count, which is never a shift by all bits.
  Value* bits = b.CreateLShr(b.getInt64(~uint64_t{0}), b.CreateSub(b.getInt64(64), m_count));
  return m_mask = b.CreateBitCast(b.CreateTrunc(bits, b.getIntNTy(lanes)),
                                  llvm::FixedVectorType::get(b.getInt1Ty(), lanes));
}

void Emitter::masked(Value* count, int fill, const std::function<void()>& body) {
  m_count = count;
  m_fill = fill;
  body();
  m_count = m_mask = nullptr;
}

ScalarValue Emitter::splat(ScalarValue one) {
  if (scalars.lanes() == 1) return one;
  return {one.dtype, b.CreateVectorSplat(scalars.lanes(), one.re),
          one.im ? b.CreateVectorSplat(scalars.lanes(), one.im) : nullptr};
}

void Emitter::loop(Value* begin, Value* end, int64_t step, const char* name,
                   const std::function<void(Value*)>& body) {
  auto* before = b.GetInsertBlock();
  auto* head = block(name);
  auto* after = block("after");
  b.CreateCondBr(b.CreateICmpSLT(begin, end), head, after);
  b.SetInsertPoint(head);
  auto* i = b.CreatePHI(b.getInt64Ty(), 2, "i");
  i->addIncoming(begin, before);
  body(i);
  Value* next = b.CreateNSWAdd(i, b.getInt64(static_cast<uint64_t>(step)));
  i->addIncoming(next, b.GetInsertBlock());
  b.CreateCondBr(b.CreateICmpSLT(next, end), head, after);
  b.SetInsertPoint(after);
}

void Emitter::walk(Value* plan, Value* odometer, Value* slots, int64_t operands,
                   const std::function<void()>& body) {
  auto* head = block("walk");
  auto* step = block("step");
  auto* after = block("walked");
  Value* total = planWord(plan, odometer);
  Value* many = b.CreateICmpSGT(total, b.getInt64(1));
  b.CreateCondBr(b.CreateICmpEQ(total, b.getInt64(0)), after, head);
  b.SetInsertPoint(head);
  body();
  b.CreateCondBr(many, step, after);
  b.SetInsertPoint(step);
  auto callee = m_function.getParent()->getOrInsertFunction(
      "nodewise_advance",
      llvm::FunctionType::get(b.getInt64Ty(), {b.getPtrTy(), b.getPtrTy(), b.getInt64Ty()}, false));
  if (auto* f = llvm::dyn_cast<llvm::Function>(callee.getCallee())) f->setDoesNotThrow();
  Value* at = b.CreateGEP(b.getInt64Ty(), plan, odometer);
  Value* more = b.CreateCall(callee, {at, slots, b.getInt64(static_cast<uint64_t>(operands))});
  b.CreateCondBr(b.CreateICmpNE(more, b.getInt64(0)), head, after);
  b.SetInsertPoint(after);
}

Value* Emitter::slot(Value* slots, int64_t k) {
  return b.CreateLoad(b.getPtrTy(), b.CreateConstGEP1_64(b.getPtrTy(), slots, static_cast<uint64_t>(k)));
}

void Emitter::onlyIf(Value* condition, const char* name, const std::function<void()>& body) {
  auto* inside = block(name);
  auto* after = block("after");
  b.CreateCondBr(condition, inside, after);
  b.SetInsertPoint(inside);
  body();
  b.CreateBr(after);
  b.SetInsertPoint(after);
}

void Emitter::finish() {
  if (Value* error = scalars.errorSlot()) {
    b.CreateRet(b.CreateLoad(b.getInt32Ty(), error));
    return;
  }
  b.CreateRet(b.getInt32(0));
}

} // namespace nodewise::codegen
