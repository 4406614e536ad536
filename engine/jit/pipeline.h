// The IR passes of each optimisation level. Internal to jit/.
#pragma once

#include "base/result.h"
#include "cache/key.h"
#include "jit/compiler.h"

#include <vector>

namespace llvm {
class Module;
class TargetMachine;
} // namespace llvm

namespace nodewise {

/// Runs the passes of `options.optLevel` over the module:
///   0  none
///   1  cleaning up: what makes straight code of what an emitter writes
///   2  1, and what matters for loops; loops that are not vectors yet are vectorised, with libmvec if asked
///   3  LLVM's stock O3
/// If `records` is given, each pass leaves one there. Fails when the options are out of range.
Result<void> runPasses(llvm::Module& module, llvm::TargetMachine& machine, const CodeOptions& options,
                       std::vector<PassRecord>* records = nullptr);

} // namespace nodewise
