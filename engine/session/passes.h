// What LLVM did to one node, pass by pass, and what its machine code costs by LLVM's model.
#pragma once

#include "jit/compiler.h"
#include "jit/instruction_cost.h"

#include <string>
#include <vector>

namespace nodewise {

struct NodePasses {
  std::vector<PassRecord> passes; ///< IR passes, in the order they ran
  int64_t buildNs = 0;            ///< writing the IR
  int64_t codegenNs = 0;          ///< code generation: no IR pass sees it, so it is one figure
  std::string assembly;
  AssemblyCosts costs; ///< of its instructions
};

/// Lines of a text.
int64_t linesOf(const std::string& text);

/// Assembly with latency and cycles each in front of every instruction, as `explain --code` prints it.
std::string annotatedAssembly(const std::string& assembly, const AssemblyCosts& costs);

/// Lines of `after` against `before`, as a unified difference without a heading; at most `most` lines of
/// either text are compared.
std::string textDifference(const std::string& before, const std::string& after, size_t most = 4000);

} // namespace nodewise
