// Graphviz' dot in a process of its own.
#pragma once

#include "base/result.h"

#include <string>

namespace nodewise {

/// What `dot -Tsvg` makes of `dotText`. Errors: dot is not installed, failed, or took longer than the
/// deadline.
Result<std::string> drawWithDot(const std::string& dotText, int deadlineSeconds);

} // namespace nodewise
