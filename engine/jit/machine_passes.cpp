#include "jit/machine_passes.h"

#include <llvm/Pass.h>

#include <algorithm>
#include <array>
#include <string_view>

namespace nodewise {

namespace {

using namespace std::string_view_literals;

/// They look for something that is not in a kernel. Names are those of LLVM 19; one that is not met costs
/// nothing.
constexpr std::array kIdle{
    // Language features
    "Lower Garbage Collection Instructions"sv,
    "Shadow Stack GC Lowering"sv,
    "Analyze Machine Code For Garbage Collection"sv,
    "Exception handling preparation"sv,
    "Prepare callbr"sv,
    "Expand indirectbr instructions"sv,
    "Contiguously Lay Out Funclets"sv,
    "X86 Windows Fixup Buffer Security Check"sv,
    "TLS Variable Hoist"sv,
    "Local Dynamic TLS Access Clean-up"sv,
    "Fixup Statepoint Caller Saved"sv,
    "StackMap Liveness Analysis"sv,
    "Lower constant intrinsics"sv,
    "Argument Stack Rebase"sv,
    "X86 PIC Global Base Reg Initialization"sv,
    "X86 insert wait instruction"sv,
    // Integers of more than 128 bits, memcmp, sqrt as a call
    "Expand large div/rem"sv,
    "Expand large fp convert"sv,
    "Merge contiguous icmps into a memcmp"sv,
    "Expand memcmp() to load/stores"sv,
    "Partially inline calls to library functions"sv,
    "Replace intrinsics with calls to vector library"sv,
    // AMX tiles
    "Lower AMX intrinsics"sv,
    "Lower AMX type for load/store"sv,
    "Tile Register Pre-configure"sv,
    "Tile Register Configure"sv,
    "X86 Lower Tile Copy"sv,
    // Mitigations and instrumentation, off unless a function asks for them
    "Safe Stack instrumentation pass"sv,
    "Insert stack protectors"sv,
    "X86 speculative load hardening"sv,
    "X86 Load Value Injection (LVI) Load Hardening"sv,
    "X86 Load Value Injection (LVI) Ret-Hardening"sv,
    "X86 Speculative Execution Side Effect Suppression"sv,
    "X86 Indirect Thunks"sv,
    "X86 Return Thunks"sv,
    "X86 Indirect Branch Tracking"sv,
    "Insert KCFI indirect call checks"sv,
    "Insert fentry calls"sv,
    "Insert XRay ops"sv,
    "Implement the 'patchable-function' attribute"sv,
    "Pseudo Probe Inserter"sv,
    "Machine Sanitizer Binary Metadata"sv,
    "X86 Discriminate Memory Operands"sv,
    "X86 Insert Cache Prefetches"sv,
    "Instrument function entry/exit with calls to e.g. mcount() (post inlining)"sv,
    "Instrument function entry/exit with calls to e.g. mcount()(post inlining)"sv,
    "Unpack machine instruction bundles"sv,
    // Debug and unwind information
    "Live DEBUG_VALUE analysis"sv,
    "Remove Redundant DEBUG_VALUE analysis"sv,
    "Stack Frame Layout Analysis"sv,
    "Check CFA info and insert CFI instructions if needed"sv,
    "Register Allocation Pass Scoring"sv,
};

/// They may improve code, of other programs than kernels: 50 lines with loops whose bodies are straight.
/// What leaving them out does to run times has not been measured yet.
constexpr std::array kSpared{
    "Canonicalize Freeze Instructions in Loops"sv,
    "Loop Strength Reduction"sv,
    "Constant Hoisting"sv,
    "X86 Domain Reassignment Pass"sv,
    "Early Tail Duplication"sv,
    "Merge disjoint stack slots"sv,
    "Local Stack Slot Allocation"sv,
    "Early If-Conversion"sv,
    "X86 cmov Conversion"sv,
    "Machine code sinking"sv,
    "Live Range Shrink"sv,
    "X86 LEA Optimize"sv,
    "X86 Optimize Call Frame"sv,
    "X86 Avoid Store Forwarding Blocks"sv,
    "PostRA Machine Sink"sv,
    "Shrink Wrapping analysis"sv,
    "Machine Late Instructions Cleanup Pass"sv,
    "Tail Duplication"sv,
    "Post RA top-down list latency scheduler"sv,
    "X86 Byte/Word Instruction Fixup"sv,
    "X86 Atom pad short functions"sv,
    "X86 LEA Fixup"sv,
};

bool holds(const auto& names, llvm::StringRef name) {
  return std::ranges::find(names, std::string_view(name.data(), name.size())) != names.end();
}

} // namespace

void MachinePasses::add(llvm::Pass* pass) {
  const llvm::StringRef name = pass->getPassName();
  const bool leaveOut = (m_optLevel < 3 && holds(kIdle, name)) ||
                        ((m_optLevel == 1 || m_optLevel == 2) && holds(kSpared, name));
  if (leaveOut)
    delete pass; // the manager owns what it is given
  else
    PassManager::add(pass);
}

} // namespace nodewise
