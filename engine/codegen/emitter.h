// Writes one kernel: its arguments, its loops, its return.
#pragma once

#include "codegen/scalar_builder.h"

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Module.h>

#include <functional>

namespace nodewise::codegen {

/// The kernel function of a module (see module.h) with a builder at its end. One Emitter writes one function.
class Emitter {
public:
  Emitter(llvm::Module& module, const EmitTarget& target);

  llvm::IRBuilder<> b;
  ScalarBuilder scalars;

  llvm::Function& function() { return m_function; }
  const EmitTarget& target() const { return scalars.target(); }

  // Kernel arguments (see abi.h), read where the builder stands.
  llvm::Value* inArray(size_t k);
  llvm::Value* outArray(size_t k);
  llvm::Value* dataOf(llvm::Value* array);
  llvm::Value* planPointer();
  /// plan[index]
  llvm::Value* planWord(llvm::Value* plan, llvm::Value* index);
  llvm::Value* planWord(llvm::Value* plan, int64_t index) {
    return planWord(plan, b.getInt64(static_cast<uint64_t>(index)));
  }

  llvm::BasicBlock* block(const char* name);
  llvm::Value* bytesAt(llvm::Value* pointer, llvm::Value* offset); ///< pointer + offset bytes

  /// Element(s) at `pointer` with the current lanes, contiguous; complex numbers are taken apart.
  ScalarValue load(llvm::Value* pointer, DType dtype, llvm::MDNode* noalias = nullptr,
                   llvm::MDNode* scope = nullptr);
  void store(llvm::Value* pointer, ScalarValue v, llvm::MDNode* noalias = nullptr,
             llvm::MDNode* scope = nullptr, bool streaming = false);
  /// While body runs, loads and stores of more than one lane touch the first `count` lanes only (1 to all of
  /// them; an i64); the others read as `fill`. Real numbers only.
  void masked(llvm::Value* count, int fill, const std::function<void()>& body);
  /// While masked: the lanes that count, an i1 each.
  llvm::Value* mask();
  /// The same element in all lanes.
  ScalarValue splat(ScalarValue one);

  /// for (i = begin; i < end; i += step) body(i); leaves the builder behind the loop. Runs zero times if
  /// begin >= end.
  void loop(llvm::Value* begin, llvm::Value* end, int64_t step, const char* name,
            const std::function<void(llvm::Value* i)>& body);
  /// Runs body once for each position of an odometer of the plan (word `odometer`) over the pointers in
  /// `slots` (a stack array of `operands` pointers); nothing if its total is 0.
  void walk(llvm::Value* plan, llvm::Value* odometer, llvm::Value* slots, int64_t operands,
            const std::function<void()>& body);
  llvm::Value* slot(llvm::Value* slots, int64_t k); ///< the pointer held by a slot

  /// if (condition) body
  void onlyIf(llvm::Value* condition, const char* name, const std::function<void()>& body);

  /// Returns 0, or what failIf recorded.
  void finish();

private:
  llvm::Function& m_function;
  llvm::Value* m_count = nullptr; ///< while masked
  llvm::Value* m_mask = nullptr;  ///< of m_maskLanes, made when it is first used
  unsigned m_maskLanes = 0;
  int m_fill = 0;
};

} // namespace nodewise::codegen
