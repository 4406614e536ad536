// From optimised IR to machine code. Internal to jit/.
#pragma once

#include "base/result.h"

#include <cstddef>
#include <string>
#include <vector>

namespace llvm {
class Module;
class TargetMachine;
} // namespace llvm

namespace nodewise {

/// An ELF object file. The module is used up. `machine` is of the level
/// (see target.h), which also chooses the passes (see machine_passes.h).
Result<std::vector<std::byte>> emitObject(llvm::Module& module, llvm::TargetMachine& machine, int optLevel);
/// Assembly text of the same code. The module is used up.
Result<std::string> emitAssembly(llvm::Module& module, llvm::TargetMachine& machine, int optLevel);

} // namespace nodewise
