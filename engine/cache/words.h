// Values and times in reasons, summaries and notices; base/units.h has the numbers.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace nodewise {

/// A value that fits into a sentence: the first and last of it, around "...". Line ends become spaces.
std::string shortened(std::string_view value, size_t length = 60);
/// What a node or an entry is called, wherever it is named: "Elemwise · exp"; the op alone without a detail.
std::string nodeTitle(std::string_view op, std::string_view detail);
/// The clock, Unix seconds.
int64_t nowUnix();

} // namespace nodewise
