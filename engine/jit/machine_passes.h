// Which of code generation's passes run. Internal to jit/.
#pragma once

#include <llvm/IR/LegacyPassManager.h>

namespace nodewise {

/// A pass manager that leaves out passes by name. LLVM's code generator for x86 adds 215 passes for every
/// function, most of them for features that no kernel has (garbage collection, exceptions, thread-local
/// variables, AMX tiles, mitigations, debug information); each costs 5 to 40 µs with the analyses it asks
/// for. Analyses and passes that other passes require are not added through here and stay.
class MachinePasses : public llvm::legacy::PassManager {
public:
  /// At levels 0 to 2 passes that have nothing to do are left out, at 1 and 2 also those that gain less than
  /// they cost.
  explicit MachinePasses(int optLevel) : m_optLevel(optLevel) {}
  void add(llvm::Pass* pass) override;

private:
  int m_optLevel;
};

} // namespace nodewise
