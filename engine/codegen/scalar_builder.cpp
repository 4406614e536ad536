#include "codegen/scalar_builder.h"

#include "codegen/abi.h"
#include "codegen/math_calls.h"

#include <llvm/IR/Intrinsics.h>
#include <llvm/IR/Module.h>

#include <cstring>
#include <string>
#include <vector>

namespace nodewise::codegen {

using llvm::Value;

llvm::Type* ScalarBuilder::elementType(DType dtype) const {
  const DType part = realPart(dtype);
  if (part == DType::Bool) return b.getInt1Ty();
  if (part == DType::Float16) return b.getHalfTy();
  if (part == DType::Float32) return b.getFloatTy();
  if (part == DType::Float64) return b.getDoubleTy();
  return b.getIntNTy(static_cast<unsigned>(dtypeSize(part) * 8));
}

llvm::Type* ScalarBuilder::widen(llvm::Type* element) const {
  return m_lanes == 1 ? element : llvm::FixedVectorType::get(element, m_lanes);
}

llvm::Type* ScalarBuilder::type(DType dtype) const { return widen(elementType(dtype)); }

llvm::Type* ScalarBuilder::memoryType(DType dtype) const {
  return dtype == DType::Bool ? widen(b.getInt8Ty()) : type(dtype);
}

llvm::Function* ScalarBuilder::function() const { return b.GetInsertBlock()->getParent(); }

llvm::AllocaInst* ScalarBuilder::entryAlloca(llvm::Type* allocated, unsigned count, const char* name) {
  llvm::BasicBlock& entry = function()->getEntryBlock();
  llvm::IRBuilder<> at(&entry, entry.begin());
  return at.CreateAlloca(allocated, count == 1 ? nullptr : at.getInt32(count), name);
}

// --- constants
// ---------------------------------------------------------------------------------------------------

ScalarValue ScalarBuilder::constant(DType dtype, double value) {
  ScalarValue v{dtype, nullptr, nullptr};
  llvm::Type* t = type(dtype);
  if (isIntegral(dtype)) {
    v.re = llvm::ConstantInt::get(t, static_cast<uint64_t>(static_cast<int64_t>(value)), true);
  } else {
    v.re = llvm::ConstantFP::get(t, value);
    if (isComplex(dtype)) v.im = llvm::ConstantFP::get(t, 0.0);
  }
  return v;
}

ScalarValue ScalarBuilder::integer(DType dtype, int64_t value) {
  if (!isIntegral(dtype)) return constant(dtype, static_cast<double>(value));
  return {dtype, llvm::ConstantInt::get(type(dtype), static_cast<uint64_t>(value), true), nullptr};
}

ScalarValue ScalarBuilder::fromBytes(DType dtype, const std::byte* bytes) {
  const DType part = realPart(dtype);
  const auto partSize = static_cast<size_t>(dtypeSize(part));
  auto one = [&](const std::byte* at) -> Value* {
    uint64_t bits = 0;
    std::memcpy(&bits, at, partSize);
    llvm::Type* element = elementType(part);
    if (part == DType::Bool) return llvm::ConstantInt::get(type(part), bits != 0);
    if (element->isIntegerTy()) return llvm::ConstantInt::get(type(part), bits);
    const llvm::APInt raw(static_cast<unsigned>(partSize * 8), bits);
    return llvm::ConstantFP::get(type(part), llvm::APFloat(element->getFltSemantics(), raw));
  };
  ScalarValue v{dtype, one(bytes), nullptr};
  if (isComplex(dtype)) v.im = one(bytes + partSize);
  return v;
}

// --- float16 is storage: computed as float, rounded to half
// ---------------------------------------------------------

Value* ScalarBuilder::widened(ScalarValue v) {
  return v.dtype == DType::Float16 ? b.CreateFPExt(v.re, widen(b.getFloatTy())) : v.re;
}

Value* ScalarBuilder::narrow(Value* wide, DType dtype) {
  return dtype == DType::Float16 ? b.CreateFPTrunc(wide, type(dtype)) : wide;
}

// --- conversion
// ----------------------------------------------------------------------------------------------------

ScalarValue ScalarBuilder::cast(ScalarValue v, DType to) {
  if (v.dtype == to) return v;
  if (to == DType::Bool) {
    if (isIntegral(v.dtype))
      return {to, b.CreateICmpNE(v.re, llvm::Constant::getNullValue(v.re->getType())), nullptr};
    Value* set = b.CreateFCmpUNE(v.re, llvm::Constant::getNullValue(v.re->getType()));
    if (v.im) set = b.CreateOr(set, b.CreateFCmpUNE(v.im, llvm::Constant::getNullValue(v.im->getType())));
    return {to, set, nullptr};
  }
  const DType part = realPart(to);
  llvm::Type* t = type(part);
  auto real = [&](Value* x, DType from) -> Value* {
    if (from == part) return x;
    const bool fromFloat = isFloat(from), toFloat = isFloat(part);
    if (fromFloat && toFloat)
      return dtypeSize(from) < dtypeSize(part) ? b.CreateFPExt(x, t) : b.CreateFPTrunc(x, t);
    if (fromFloat) {
      // Through a wider integer, as C does on this machine: a value beyond a small integer wraps instead of
      // being poison.
      const bool fits32 = dtypeSize(part) < 4 || part == DType::Int32;
      llvm::Type* through = widen(fits32 ? b.getInt32Ty() : b.getInt64Ty());
      Value* wide = part == DType::UInt64 ? b.CreateFPToUI(x, through) : b.CreateFPToSI(x, through);
      return b.CreateTrunc(b.CreateFreeze(wide), t);
    }
    if (toFloat) return isSigned(from) ? b.CreateSIToFP(x, t) : b.CreateUIToFP(x, t);
    return b.CreateIntCast(x, t, isSigned(from));
  };
  ScalarValue out{to, real(v.re, realPart(v.dtype)), nullptr};
  if (isComplex(to)) out.im = v.im ? real(v.im, realPart(v.dtype)) : llvm::ConstantFP::get(t, 0.0);
  return out;
}

// --- arithmetic
// ----------------------------------------------------------------------------------------------------

ScalarValue ScalarBuilder::binary(ScalarValue x, ScalarValue y, unsigned intOp, unsigned floatOp) {
  using Op = llvm::Instruction::BinaryOps;
  if (isIntegral(x.dtype)) return {x.dtype, b.CreateBinOp(static_cast<Op>(intOp), x.re, y.re), nullptr};
  Value* r = b.CreateBinOp(static_cast<Op>(floatOp), widened(x), widened(y));
  return {x.dtype, narrow(r, x.dtype), nullptr};
}

ScalarValue ScalarBuilder::add(ScalarValue x, ScalarValue y) {
  if (x.im) return {x.dtype, b.CreateFAdd(x.re, y.re), b.CreateFAdd(x.im, y.im)};
  return binary(x, y, llvm::Instruction::Add, llvm::Instruction::FAdd);
}

ScalarValue ScalarBuilder::sub(ScalarValue x, ScalarValue y) {
  if (x.im) return {x.dtype, b.CreateFSub(x.re, y.re), b.CreateFSub(x.im, y.im)};
  return binary(x, y, llvm::Instruction::Sub, llvm::Instruction::FSub);
}

ScalarValue ScalarBuilder::mul(ScalarValue x, ScalarValue y) {
  if (x.im) {
    Value* re = b.CreateFSub(b.CreateFMul(x.re, y.re), b.CreateFMul(x.im, y.im));
    Value* im = b.CreateFAdd(b.CreateFMul(x.re, y.im), b.CreateFMul(x.im, y.re));
    return {x.dtype, re, im};
  }
  return binary(x, y, llvm::Instruction::Mul, llvm::Instruction::FMul);
}

ScalarValue ScalarBuilder::div(ScalarValue x, ScalarValue y) {
  if (x.im) {
    // Smith's algorithm (R. L. Smith, CACM 5 (1962) 435), which NumPy uses too: no overflow in |y|^2.
    const DType part = realPart(x.dtype);
    ScalarValue re{part, y.re, nullptr}, im{part, y.im, nullptr};
    Value* byReal = b.CreateFCmpOGE(abs(re).re, abs(im).re);
    Value* small = b.CreateSelect(byReal, y.im, y.re);
    Value* large = b.CreateSelect(byReal, y.re, y.im);
    Value* bothZero =
        b.CreateAnd(b.CreateFCmpOEQ(y.re, constant(part, 0).re), b.CreateFCmpOEQ(y.im, constant(part, 0).re));
    Value* ratio = b.CreateFDiv(small, large);
    Value* scale = b.CreateFDiv(constant(part, 1).re, b.CreateFAdd(large, b.CreateFMul(small, ratio)));
    Value* p = b.CreateSelect(byReal, x.re, x.im);
    Value* q = b.CreateSelect(byReal, x.im, x.re);
    Value* outRe = b.CreateFMul(b.CreateFAdd(p, b.CreateFMul(q, ratio)), scale);
    Value* im1 = b.CreateFMul(b.CreateFSub(q, b.CreateFMul(p, ratio)), scale);
    Value* outIm = b.CreateSelect(byReal, im1, b.CreateFNeg(im1));
    // Division by zero is that of the parts: inf or nan.
    outRe = b.CreateSelect(bothZero, b.CreateFDiv(x.re, abs(re).re), outRe);
    outIm = b.CreateSelect(bothZero, b.CreateFDiv(x.im, abs(re).re), outIm);
    return {x.dtype, outRe, outIm};
  }
  Value* r = b.CreateFDiv(widened(x), widened(y));
  return {x.dtype, narrow(r, x.dtype), nullptr};
}

ScalarValue ScalarBuilder::neg(ScalarValue x) {
  if (isIntegral(x.dtype)) return {x.dtype, b.CreateNeg(x.re), nullptr};
  return {x.dtype, b.CreateFNeg(x.re), x.im ? b.CreateFNeg(x.im) : nullptr};
}

ScalarValue ScalarBuilder::abs(ScalarValue x) {
  if (isComplex(x.dtype)) {
    const DType part = realPart(x.dtype);
    const ScalarValue parts[] = {{part, x.re, nullptr}, {part, x.im, nullptr}};
    return libm("hypot", parts);
  }
  if (isFloat(x.dtype)) return {x.dtype, b.CreateUnaryIntrinsic(llvm::Intrinsic::fabs, x.re), nullptr};
  if (!isSigned(x.dtype)) return x;
  // The least integer stays itself.
  return {x.dtype, b.CreateBinaryIntrinsic(llvm::Intrinsic::abs, x.re, b.getFalse()), nullptr};
}

ScalarValue ScalarBuilder::maximum(ScalarValue x, ScalarValue y, bool greatest) {
  ScalarValue first = compare(greatest ? Compare::Gt : Compare::Lt, x, y);
  if (!isIntegral(x.dtype))
    first = logicalOr(first, isNan(x)); // nan in y: the comparison is false, y is taken
  return select(first, x, y);
}

// --- comparison and choice
// -------------------------------------------------------------------------------------------

ScalarValue ScalarBuilder::compare(Compare op, ScalarValue x, ScalarValue y) {
  using P = llvm::CmpInst::Predicate;
  struct Row {
    P isSigned, isUnsigned, floating;
  };
  static constexpr Row rows[] = {
      {P::ICMP_SLT, P::ICMP_ULT, P::FCMP_OLT}, {P::ICMP_SLE, P::ICMP_ULE, P::FCMP_OLE},
      {P::ICMP_SGT, P::ICMP_UGT, P::FCMP_OGT}, {P::ICMP_SGE, P::ICMP_UGE, P::FCMP_OGE},
      {P::ICMP_EQ, P::ICMP_EQ, P::FCMP_OEQ},   {P::ICMP_NE, P::ICMP_NE, P::FCMP_UNE}};
  const Row& row = rows[static_cast<size_t>(op)];
  if (isIntegral(x.dtype)) {
    const P p = isSigned(x.dtype) ? row.isSigned : row.isUnsigned;
    return {DType::Bool, b.CreateICmp(p, x.re, y.re), nullptr};
  }
  if (!x.im) return {DType::Bool, b.CreateFCmp(row.floating, x.re, y.re), nullptr};
  if (op == Compare::Eq)
    return {DType::Bool, b.CreateAnd(b.CreateFCmpOEQ(x.re, y.re), b.CreateFCmpOEQ(x.im, y.im)), nullptr};
  if (op == Compare::Ne)
    return {DType::Bool, b.CreateOr(b.CreateFCmpUNE(x.re, y.re), b.CreateFCmpUNE(x.im, y.im)), nullptr};
  const bool less = op == Compare::Lt || op == Compare::Le;
  Value* strict = b.CreateFCmp(less ? P::FCMP_OLT : P::FCMP_OGT, x.re, y.re);
  // A nan in an imaginary part makes the real comparison false as well, as NumPy has it.
  strict = b.CreateAnd(strict, b.CreateFCmpORD(x.im, y.im));
  Value* tie = b.CreateAnd(b.CreateFCmpOEQ(x.re, y.re), b.CreateFCmp(row.floating, x.im, y.im));
  return {DType::Bool, b.CreateOr(strict, tie), nullptr};
}

ScalarValue ScalarBuilder::isNan(ScalarValue x) {
  if (isIntegral(x.dtype)) return constant(DType::Bool, 0);
  Value* r = b.CreateFCmpUNO(x.re, x.im ? x.im : x.re);
  return {DType::Bool, r, nullptr};
}

ScalarValue ScalarBuilder::isInf(ScalarValue x) {
  if (isIntegral(x.dtype)) return constant(DType::Bool, 0);
  auto one = [&](Value* v) {
    return b.CreateFCmpOEQ(b.CreateUnaryIntrinsic(llvm::Intrinsic::fabs, v),
                           llvm::ConstantFP::getInfinity(v->getType()));
  };
  Value* r = one(x.re);
  if (x.im) r = b.CreateOr(r, one(x.im));
  return {DType::Bool, r, nullptr};
}

ScalarValue ScalarBuilder::select(ScalarValue condition, ScalarValue x, ScalarValue y) {
  return {x.dtype, b.CreateSelect(condition.re, x.re, y.re),
          x.im ? b.CreateSelect(condition.re, x.im, y.im) : nullptr};
}

ScalarValue ScalarBuilder::logicalAnd(ScalarValue x, ScalarValue y) {
  return {x.dtype, b.CreateAnd(x.re, y.re), nullptr};
}
ScalarValue ScalarBuilder::logicalOr(ScalarValue x, ScalarValue y) {
  return {x.dtype, b.CreateOr(x.re, y.re), nullptr};
}
ScalarValue ScalarBuilder::logicalNot(ScalarValue x) { return {x.dtype, b.CreateNot(x.re), nullptr}; }

// --- calls
// -----------------------------------------------------------------------------------------------------------

ScalarValue ScalarBuilder::intrinsic(unsigned id, std::span<const ScalarValue> args) {
  std::vector<Value*> values;
  for (const ScalarValue& a : args) values.push_back(widened(a));
  Value* r = b.CreateIntrinsic(values[0]->getType(), static_cast<llvm::Intrinsic::ID>(id), values);
  return {args[0].dtype, narrow(r, args[0].dtype), nullptr};
}

Value* ScalarBuilder::callLanes(llvm::FunctionCallee callee, std::span<Value* const> args,
                                llvm::Type* element) {
  if (m_lanes == 1) return b.CreateCall(callee, std::vector<Value*>(args.begin(), args.end()));
  Value* out = llvm::PoisonValue::get(widen(element));
  for (unsigned lane = 0; lane < m_lanes; ++lane) {
    std::vector<Value*> one;
    for (Value* a : args) one.push_back(b.CreateExtractElement(a, lane));
    out = b.CreateInsertElement(out, b.CreateCall(callee, one), lane);
  }
  return out;
}

/// A pure function of numbers: no errno that anyone reads, no memory, always returns.
static llvm::FunctionCallee pureFunction(llvm::Module& module, llvm::StringRef name, llvm::Type* result,
                                         unsigned arity) {
  auto callee =
      module.getOrInsertFunction(name, llvm::FunctionType::get(result, std::vector(arity, result), false));
  if (auto* f = llvm::dyn_cast<llvm::Function>(callee.getCallee())) {
    f->setDoesNotAccessMemory();
    f->setDoesNotThrow();
    f->setWillReturn();
  }
  return callee;
}

ScalarValue ScalarBuilder::libm(std::string_view name, std::span<const ScalarValue> args) {
  const MathFunction* row = findMathFunction(name);
  const DType dtype = args[0].dtype;
  const bool f64 = dtype == DType::Float64;
  llvm::Type* element = f64 ? b.getDoubleTy() : b.getFloatTy();
  std::vector<Value*> values;
  for (const ScalarValue& a : args) values.push_back(widened(a));

  const int bits = f64 ? 64 : 32;
  const int native = m_target.vectorBytes * 8 / bits; // lanes of one machine vector
  const std::string vector =
      row && m_lanes > 1 && m_target.vectorMath ? vectorSymbol(*row, m_target.vectorBytes, bits) : "";
  Value* result = nullptr;
  if (!vector.empty() && static_cast<int>(m_lanes) >= native) {
    // Whole machine vectors: cut, call, put together.
    llvm::Type* chunkType = llvm::FixedVectorType::get(element, static_cast<unsigned>(native));
    auto callee = pureFunction(m_module, vector, chunkType, static_cast<unsigned>(args.size()));
    std::vector<Value*> chunks;
    for (unsigned at = 0; at < m_lanes; at += static_cast<unsigned>(native)) {
      std::vector<Value*> part;
      for (Value* v : values) {
        std::vector<int> mask;
        for (int i = 0; i < native; ++i) mask.push_back(static_cast<int>(at) + i);
        part.push_back(static_cast<int>(m_lanes) == native ? v : b.CreateShuffleVector(v, mask));
      }
      chunks.push_back(b.CreateCall(callee, part));
    }
    while (chunks.size() > 1) { // lanes are a power of two times native
      std::vector<Value*> joined;
      for (size_t i = 0; i + 1 < chunks.size(); i += 2) {
        const auto n = llvm::cast<llvm::FixedVectorType>(chunks[i]->getType())->getNumElements();
        std::vector<int> mask;
        for (unsigned k = 0; k < 2 * n; ++k) mask.push_back(static_cast<int>(k));
        joined.push_back(b.CreateShuffleVector(chunks[i], chunks[i + 1], mask));
      }
      chunks = std::move(joined);
    }
    result = chunks[0];
  } else {
    std::string symbol(name);
    if (!f64) symbol += "f";
    result = callLanes(pureFunction(m_module, symbol, element, static_cast<unsigned>(args.size())), values,
                       element);
  }
  return {dtype, narrow(result, dtype), nullptr};
}

ScalarValue ScalarBuilder::external(std::string_view symbol, DType dtype, std::span<const ScalarValue> args) {
  const bool half = dtype == DType::Float16;
  llvm::Type* element = half ? b.getFloatTy() : elementType(dtype);
  std::vector<Value*> values;
  for (const ScalarValue& a : args) values.push_back(widened(a));
  auto callee = pureFunction(m_module, symbol, element, static_cast<unsigned>(args.size()));
  return {dtype, narrow(callLanes(callee, values, element), dtype), nullptr};
}

ScalarValue ScalarBuilder::complexExternal(std::string_view symbol, std::span<const ScalarValue> args) {
  const DType dtype = args[0].dtype;
  llvm::Type* f64 = b.getDoubleTy();
  const auto count = static_cast<unsigned>(args.size());
  llvm::AllocaInst* in = entryAlloca(f64, 2 * count, "complexArgs");
  llvm::AllocaInst* out = entryAlloca(f64, 2, "complexResult");
  auto* signature = llvm::FunctionType::get(b.getVoidTy(), {b.getPtrTy(), b.getPtrTy()}, false);
  auto callee = m_module.getOrInsertFunction(symbol, signature);
  if (auto* f = llvm::dyn_cast<llvm::Function>(callee.getCallee())) f->setDoesNotThrow();

  auto lane = [&](Value* v, unsigned k) { return m_lanes == 1 ? v : b.CreateExtractElement(v, k); };
  auto wide = [&](Value* v) { return v->getType()->isDoubleTy() ? v : b.CreateFPExt(v, f64); };
  ScalarValue result{dtype, llvm::PoisonValue::get(type(dtype)), llvm::PoisonValue::get(type(dtype))};
  for (unsigned k = 0; k < m_lanes; ++k) {
    for (unsigned a = 0; a < count; ++a) {
      b.CreateStore(wide(lane(args[a].re, k)), b.CreateConstGEP1_32(f64, in, 2 * a));
      b.CreateStore(wide(lane(args[a].im, k)), b.CreateConstGEP1_32(f64, in, 2 * a + 1));
    }
    b.CreateCall(callee, {in, out});
    Value* re = b.CreateLoad(f64, out);
    Value* im = b.CreateLoad(f64, b.CreateConstGEP1_32(f64, out, 1));
    if (dtype == DType::Complex64) {
      re = b.CreateFPTrunc(re, b.getFloatTy());
      im = b.CreateFPTrunc(im, b.getFloatTy());
    }
    result.re = m_lanes == 1 ? re : b.CreateInsertElement(result.re, re, k);
    result.im = m_lanes == 1 ? im : b.CreateInsertElement(result.im, im, k);
  }
  return result;
}

void ScalarBuilder::failIf(ScalarValue condition, int code) {
  if (!m_errorSlot) {
    auto* slot = entryAlloca(b.getInt32Ty(), 1, "error");
    llvm::IRBuilder<>(slot->getNextNode()).CreateStore(b.getInt32(0), slot);
    m_errorSlot = slot;
  }
  Value* any = m_lanes == 1 ? condition.re : b.CreateOrReduce(condition.re);
  Value* now = b.CreateLoad(b.getInt32Ty(), m_errorSlot);
  b.CreateStore(b.CreateSelect(any, b.getInt32(static_cast<uint32_t>(code)), now), m_errorSlot);
}

} // namespace nodewise::codegen
