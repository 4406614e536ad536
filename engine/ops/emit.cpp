#include "ops/emit.h"

#include "codegen/emitter.h"

namespace nodewise {

Result<void> emitKernel(const std::function<Result<void>(codegen::Emitter&)>& emit, llvm::Module& module,
                        const EmitRequest& request) {
  codegen::Emitter emitter(module,
                           {request.vectorBytes, request.vectorMath, request.fastMath, request.masks});
  return emit(emitter);
}

} // namespace nodewise
