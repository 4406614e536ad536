// What each instruction of an assembly text costs by LLVM's scheduling model of the CPU: the tables that
// llvm-mca works from. A model, not a measurement: no cache misses, no dependencies between instructions.
#pragma once

#include "base/result.h"
#include "cache/key.h"

#include <string>
#include <vector>

namespace nodewise {

struct InstructionCost {
  size_t line = 0;       ///< of the text, from 1
  int latency = 0;       ///< cycles from operands to result; -1: not in the model
  double throughput = 0; ///< cycles each, of many that do not depend on each other; -1: not in the model
  int microOps = 0;
  bool loads = false, stores = false, branches = false, calls = false;
};

struct AssemblyCosts {
  bool hasModel = false;                     ///< LLVM has a scheduling model of this CPU
  std::vector<InstructionCost> instructions; ///< by line
};

/// Reads text as Compiler::assembly() gives it. Errors: LLVM does not know the target, or cannot read the
/// text.
Result<AssemblyCosts> instructionCosts(const std::string& assembly, const TargetSpec& target);

} // namespace nodewise
