#include "jit/emission.h"

#include "jit/machine_passes.h"

#include <llvm/ADT/SmallVector.h>
#include <llvm/IR/Module.h>
#include <llvm/Support/raw_ostream.h>
#include <llvm/Target/TargetMachine.h>

namespace nodewise {

static bool emitTo(llvm::SmallVectorImpl<char>& bytes, llvm::Module& module, llvm::TargetMachine& machine,
                   int optLevel, llvm::CodeGenFileType type) {
  llvm::raw_svector_ostream out(bytes);
  MachinePasses passes(optLevel);
  if (machine.addPassesToEmitFile(passes, out, nullptr, type, /*DisableVerify=*/true)) return false;
  passes.run(module);
  return true;
}

static Error cannotEmit() {
  return {.what = "LLVM cannot write code for this target", .where = {}, .remedy = {}, .type = {}};
}

Result<std::vector<std::byte>> emitObject(llvm::Module& module, llvm::TargetMachine& machine, int optLevel) {
  llvm::SmallVector<char, 0> bytes;
  if (!emitTo(bytes, module, machine, optLevel, llvm::CodeGenFileType::ObjectFile)) return cannotEmit();
  const auto* begin = reinterpret_cast<const std::byte*>(bytes.data());
  return std::vector<std::byte>(begin, begin + bytes.size());
}

Result<std::string> emitAssembly(llvm::Module& module, llvm::TargetMachine& machine, int optLevel) {
  llvm::SmallVector<char, 0> text;
  if (!emitTo(text, module, machine, optLevel, llvm::CodeGenFileType::AssemblyFile)) return cannotEmit();
  return std::string(text.begin(), text.end());
}

} // namespace nodewise
