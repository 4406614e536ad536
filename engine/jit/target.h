// LLVM target machines for a TargetSpec. Internal to jit/.
#pragma once

#include "base/result.h"
#include "cache/key.h"

#include <memory>
#include <string>

namespace llvm {
class Module;
class TargetMachine;
} // namespace llvm

namespace nodewise {

/// The features of `spec` for LLVM: each that is listed is on, every other that LLVM can detect on a host is
/// off. CPU names imply features ("sapphirerapids" has AVX-512), which the operating system may not enable.
std::string codegenFeatures(const TargetSpec& spec);

/// A target machine that makes position independent code. The first call in a process registers LLVM's native
/// target (0.1 ms). `optLevel` 0 to 3 chooses instruction selection (0: fast), scheduling and register
/// allocation.
Result<std::unique_ptr<llvm::TargetMachine>> makeTargetMachine(const TargetSpec& spec, int optLevel,
                                                               bool fastMath);

/// Marks every function of the module with the CPU and features, which code generation reads from there, and
/// as one that does not throw.
void setFunctionAttributes(llvm::Module& module, const TargetSpec& spec, std::string_view features);

} // namespace nodewise
