// A pass of our own: offsets of strided loops by addition. Internal to jit/.
#pragma once

#include <llvm/IR/PassManager.h>

namespace nodewise {

/// Emitters write the address of element i as `base + i * stride`. In a loop over i, this replaces each
/// product with a loop-invariant number by a variable that grows by `step * stride` each time round: what
/// LLVM's loop strength reduction does for such loops, at a fiftieth of its cost (it takes a third of code
/// generation's time).
struct StrideSteps : llvm::PassInfoMixin<StrideSteps> {
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
};

} // namespace nodewise
