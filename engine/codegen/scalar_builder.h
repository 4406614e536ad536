// Writes arithmetic on elements as LLVM IR, for one element or for a vector of them alike. Scalar ops
// (ops/scalar_*) are written once in terms of it; the loops decide how many lanes they run on.
#pragma once

#include "codegen/scalar_value.h"

#include <llvm/IR/IRBuilder.h>

#include <cstddef>
#include <span>
#include <string_view>

namespace nodewise::codegen {

/// What the code may assume of the machine and of arithmetic.
struct EmitTarget {
  int vectorBytes = 16;   ///< width of the machine's vectors that kernels use; 0: no vector loops (level 0)
  bool vectorMath = true; ///< call libmvec in vector loops
  bool fastMath = false;  ///< allow reassociation, contraction, no-nans
  bool masks = false; ///< loads and stores of some lanes of a vector cost no more than those of all (AVX-512)
};

class ScalarBuilder {
public:
  ScalarBuilder(llvm::IRBuilder<>& builder, llvm::Module& module, const EmitTarget& target)
      : b(builder), m_module(module), m_target(target) {}

  llvm::IRBuilder<>& b;

  /// How many elements each value holds from now on.
  void setLanes(unsigned lanes) { m_lanes = lanes; }
  unsigned lanes() const { return m_lanes; }
  const EmitTarget& target() const { return m_target; }
  llvm::Module& module() { return m_module; }

  /// Type of a real part in registers (bool: i1) and in memory (bool: i8), with the current lanes.
  llvm::Type* type(DType dtype) const;
  llvm::Type* memoryType(DType dtype) const;
  llvm::Type* elementType(DType dtype) const; ///< register type of one lane
  llvm::Type* widen(llvm::Type* element) const;

  // Constants in every lane.
  ScalarValue constant(DType dtype, double value);
  ScalarValue integer(DType dtype, int64_t value);
  /// One element from its bytes in memory.
  ScalarValue fromBytes(DType dtype, const std::byte* bytes);

  /// NumPy's conversion: to bool is "!= 0", float to integer truncates, integers wrap, complex to real drops
  /// the imaginary part.
  ScalarValue cast(ScalarValue v, DType to);

  // Arithmetic on two values of one dtype, giving that dtype. Integers wrap; float16 is computed as float32
  // and rounded.
  ScalarValue add(ScalarValue x, ScalarValue y);
  ScalarValue sub(ScalarValue x, ScalarValue y);
  ScalarValue mul(ScalarValue x, ScalarValue y);
  ScalarValue div(ScalarValue x, ScalarValue y); ///< floats and complex
  ScalarValue neg(ScalarValue x);
  ScalarValue abs(ScalarValue x);                                   ///< complex: real
  ScalarValue maximum(ScalarValue x, ScalarValue y, bool greatest); ///< minimum if not greatest; nan wins

  enum class Compare { Lt, Le, Gt, Ge, Eq, Ne };
  /// Bool result; operands of one dtype. Ordered but for Ne; complex: lexicographic.
  ScalarValue compare(Compare op, ScalarValue x, ScalarValue y);
  ScalarValue isNan(ScalarValue x);
  ScalarValue isInf(ScalarValue x);
  ScalarValue select(ScalarValue condition, ScalarValue x, ScalarValue y); ///< condition: bool
  ScalarValue logicalAnd(ScalarValue x, ScalarValue y);
  ScalarValue logicalOr(ScalarValue x, ScalarValue y);
  ScalarValue logicalNot(ScalarValue x);

  /// An LLVM intrinsic on floats with the dtype of the first argument (llvm.floor, ...).
  ScalarValue intrinsic(unsigned id, std::span<const ScalarValue> args);
  /// A libm function ("exp", "pow": the double's name) on floats; in vector loops libmvec's variant where
  /// there is one.
  ScalarValue libm(std::string_view name, std::span<const ScalarValue> args);
  ScalarValue libm(std::string_view name, ScalarValue x) { return libm(name, std::span(&x, 1)); }
  /// A routine `symbol` taking and returning `dtype` (a real one); called lane by lane.
  ScalarValue external(std::string_view symbol, DType dtype, std::span<const ScalarValue> args);
  /// A complex routine void symbol(const double* args (re, im, ...), double* result (re, im)); complex64 goes
  /// through double.
  ScalarValue complexExternal(std::string_view symbol, std::span<const ScalarValue> args);

  /// Makes the kernel return `code` after its loops if `condition` was true for any element.
  void failIf(ScalarValue condition, int code);
  /// Where failIf keeps its code: an i32 in the entry block; null until first used.
  llvm::Value* errorSlot() const { return m_errorSlot; }

  /// The function being written.
  llvm::Function* function() const;
  /// A stack slot in the entry block.
  llvm::AllocaInst* entryAlloca(llvm::Type* type, unsigned count, const char* name);

private:
  ScalarValue binary(ScalarValue x, ScalarValue y, unsigned intOp, unsigned floatOp);
  llvm::Value* narrow(llvm::Value* wide, DType dtype); ///< float to half where dtype is float16
  llvm::Value* widened(ScalarValue v);                 ///< half to float
  llvm::Value* callLanes(llvm::FunctionCallee callee, std::span<llvm::Value* const> args,
                         llvm::Type* element);

  llvm::Module& m_module;
  EmitTarget m_target;
  unsigned m_lanes = 1;
  llvm::Value* m_errorSlot = nullptr;
};

} // namespace nodewise::codegen
