// The machine that code is made for and runs on.
#pragma once

#include "base/result.h"
#include "cache/key.h"

namespace nodewise {

/// This machine: normalised triple, the real CPU name ("sapphirerapids", never "native"), and the features
/// that both the CPU has and the operating system enables, as "+a,+b" sorted by name. A feature that is not
/// listed is off, even where the CPU name would imply it. Costs some microseconds; initialises no LLVM
/// target.
TargetSpec hostTarget();

/// The LLVM that is linked, and the kernel ABI.
Toolchain hostToolchain();

/// Whether code made for `entry` may run on `host`: same triple, and its features a subset of the host's. The
/// error names the triple or the features that are missing. The CPU name does not matter: it only tunes.
Result<void> checkRunnable(const TargetSpec& entry, const TargetSpec& host);

/// Whether the linked LLVM knows the CPU of a spec by name.
Result<void> checkCpu(const TargetSpec& spec);

} // namespace nodewise
