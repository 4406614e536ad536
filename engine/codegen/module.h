// A module with one kernel in it, before optimisation.
#pragma once

#include <memory>
#include <string>
#include <string_view>

namespace llvm {
class LLVMContext;
class Module;
class Function;
} // namespace llvm

namespace nodewise::codegen {

/// The name of the kernel while its content is hashed; afterwards it is renamed to its content key's symbol.
inline constexpr std::string_view kKernelName = "kernel";

/// Owns a module and the context it lives in (destroyed in the right order).
struct KernelModule {
  std::unique_ptr<llvm::LLVMContext> context;
  std::unique_ptr<llvm::Module> module;

  KernelModule();
  KernelModule(KernelModule&&) noexcept;
  KernelModule& operator=(KernelModule&&) noexcept;
  ~KernelModule();
};

/// A new module with an empty function `kKernelName` of the kernel ABI, declared nounwind, for the given
/// target. `dataLayout` is the target machine's.
KernelModule makeKernelModule(std::string_view triple, std::string_view dataLayout);

/// The text of a module, as `llvm-dis` would print it.
std::string moduleText(const llvm::Module& module);

} // namespace nodewise::codegen
