// Where linked code lives. Internal to jit/.
#pragma once

#include <memory>

namespace llvm::jitlink {
class JITLinkMemoryManager;
}

namespace nodewise {

/// Memory for code that is mapped twice: written through one mapping, run through the other, so that no page
/// is ever both, a page can take more code while other code in it runs, and linking an object makes no system
/// call (3 for each with mprotect, and 12 KiB of pages). Segments lie close together in slabs of 16 MiB of
/// address space, which take real memory only as they fill. Where the system forbids such mappings: LLVM's
/// own manager, a few pages for each object.
std::unique_ptr<llvm::jitlink::JITLinkMemoryManager> makeCodeMemory();

} // namespace nodewise
