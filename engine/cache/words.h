// Values and times in reasons, summaries and notices; base/units.h has the numbers.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace nodewise {

/// A value that fits into a sentence: the first and last of it, around "...". Line ends become spaces.
std::string shortened(std::string_view value, size_t length = 60);
/// The clock, Unix seconds.
int64_t nowUnix();

} // namespace nodewise
