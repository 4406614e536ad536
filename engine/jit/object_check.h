// Looks at an object file before LLVM does. Internal to jit/.
#pragma once

#include "base/result.h"

#include <cstddef>
#include <span>
#include <string_view>
#include <vector>

namespace nodewise {

/// Names of functions an object calls and does not define; they point into the object.
using UndefinedNames = std::vector<std::string_view>;

/// Checks all that JITLink would rely on: every offset, index and size of the ELF file's tables is inside the
/// file, sections and relocations are of the kinds that our code generation makes (position independent code,
/// read-only data, references relative to the instruction), `symbol` is the one exported function. Under a
/// microsecond for a kernel.
Result<UndefinedNames> inspectObject(std::string_view symbol, std::span<const std::byte> bytes);

} // namespace nodewise
