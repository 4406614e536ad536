// Whole files in and out, with every way it can fail as an Error.
#pragma once

#include "base/result.h"

#include <cstdint>
#include <string>
#include <string_view>

namespace nodewise {

/// The contents of a file of at most `maxBytes`. Also reads pipes; refuses directories.
Result<std::string> readFile(const std::string& path, int64_t maxBytes);

/// Writes to a temporary file beside `path` and renames it: readers see the old contents or the new, and a
/// failure leaves the old.
Result<void> writeFile(const std::string& path, std::string_view contents);

} // namespace nodewise
