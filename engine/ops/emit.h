// From a lowered kernel to the body of its function, without LLVM's headers for the caller.
#pragma once

#include "ops/op.h"

namespace llvm {
class Module;
}

namespace nodewise {

/// What the code may assume (see codegen::EmitTarget).
struct EmitRequest {
  int vectorBytes = 16;
  bool vectorMath = true;
  bool fastMath = false;
  bool masks = false;
};

/// Writes the kernel function of `module` (see codegen/module.h).
Result<void> emitKernel(const std::function<Result<void>(codegen::Emitter&)>& emit, llvm::Module& module,
                        const EmitRequest& request);

} // namespace nodewise
