#include "jit/target.h"

#include "jit/host.h"

#include <fmt/format.h>
#include <llvm/ADT/StringMap.h>
#include <llvm/Config/llvm-config.h>
#include <llvm/IR/Module.h>
#include <llvm/MC/MCSubtargetInfo.h>
#include <llvm/MC/TargetRegistry.h>
#include <llvm/Support/TargetSelect.h>
#include <llvm/Target/TargetMachine.h>
#include <llvm/TargetParser/Host.h>

#include <algorithm>
#include <set>
#include <vector>

namespace nodewise {

/// Once a process: LLVM's registry of targets is global, and so is this.
static bool initialiseNativeTarget() {
  static const bool ok = [] {
    return !llvm::InitializeNativeTarget() && !llvm::InitializeNativeTargetAsmPrinter() &&
           !llvm::InitializeNativeTargetAsmParser();
  }();
  return ok;
}

std::string codegenFeatures(const TargetSpec& spec) {
  std::set<std::string, std::less<>> listed;
  std::string_view rest = spec.features;
  while (!rest.empty()) {
    const size_t comma = std::min(rest.find(','), rest.size());
    if (comma > 0) listed.emplace(rest.substr(0, comma));
    rest.remove_prefix(std::min(comma + 1, rest.size()));
  }
  std::vector<std::string> off;
  for (const auto& feature : llvm::sys::getHostCPUFeatures())
    if (!listed.contains("+" + feature.first().str())) off.push_back("-" + feature.first().str());
  std::ranges::sort(off);
  // What is off comes first: turning one off also turns off what needs it, turning one on turns on what it
  // needs.
  return fmt::format("{}{}{}", fmt::join(off, ","), off.empty() || listed.empty() ? "" : ",",
                     fmt::join(listed, ","));
}

static Result<const llvm::Target*> findTarget(const TargetSpec& spec) {
  if (!initialiseNativeTarget())
    return Error{.what = "LLVM was built without code generation for this machine",
                 .where = {},
                 .remedy = "install LLVM 19 of this architecture",
                 .type = {}};
  std::string reason;
  const llvm::Target* target = llvm::TargetRegistry::lookupTarget(spec.triple, reason);
  if (!target)
    return Error{.what = fmt::format("no code generation for {}: {}", spec.triple, reason),
                 .where = {},
                 .remedy = {},
                 .type = {}};
  // LLVM would print a warning and go on with a generic CPU.
  const std::unique_ptr<llvm::MCSubtargetInfo> cpus(target->createMCSubtargetInfo(spec.triple, "", ""));
  if (!cpus || !cpus->isCPUStringValid(spec.cpu))
    return Error{.what = fmt::format("LLVM {} knows no CPU \"{}\"", LLVM_VERSION_STRING, spec.cpu),
                 .where = {},
                 .remedy = "names are LLVM's own, as znver4 or x86-64-v3",
                 .type = {}};
  return target;
}

Result<void> checkCpu(const TargetSpec& spec) {
  NW_CHECK(findTarget(spec));
  return {};
}

Result<std::unique_ptr<llvm::TargetMachine>> makeTargetMachine(const TargetSpec& spec, int optLevel,
                                                               bool fastMath) {
  NW_TRY(const llvm::Target* target, findTarget(spec));
  llvm::TargetOptions options;
  // Results must be those of the operations as written: a multiplication and an addition are not fused unless
  // asked.
  options.AllowFPOpFusion = fastMath ? llvm::FPOpFusion::Fast : llvm::FPOpFusion::Strict;
  const auto level = llvm::CodeGenOpt::getLevel(std::clamp(optLevel, 0, 3));
  std::unique_ptr<llvm::TargetMachine> machine(
      target->createTargetMachine(spec.triple, spec.cpu, codegenFeatures(spec), options, llvm::Reloc::PIC_,
                                  llvm::CodeModel::Small, *level, /*JIT=*/true));
  if (!machine)
    return Error{.what = fmt::format("LLVM has no target machine for {} {}", spec.triple, spec.cpu),
                 .where = {},
                 .remedy = {},
                 .type = {}};
  return machine;
}

void setFunctionAttributes(llvm::Module& module, const TargetSpec& spec, std::string_view features) {
  for (llvm::Function& function : module) {
    if (function.isDeclaration()) continue;
    function.addFnAttr("target-cpu", spec.cpu);
    function.addFnAttr("target-features", llvm::StringRef(features.data(), features.size()));
    // Errors are return codes. Without unwind tables, linking has nothing to register.
    function.setDoesNotThrow();
    function.removeFnAttr(llvm::Attribute::UWTable);
  }
}

} // namespace nodewise
